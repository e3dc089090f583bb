/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file.h: files, read whole, replaced whole, or rewritten in place.
 *
 * Paths are relative to a folder's descriptor (AT_FDCWD: the working directory), as in openat(2).
 * Errors name the path.
 *
 * Modes are those that a file is made with: a program that makes files sets FILE_UMASK first, which
 * takes nothing from the modes used here and in the plugin.
 */
#ifndef PKG_FILE_H
#define PKG_FILE_H

#include "base.h"
#include "err.h"

#include <sys/types.h>

struct stat;
struct text;

enum { FILE_UMASK = 022 };

/* A file's identity, whatever its name. */
struct file_id {
	dev_t dev;
	ino_t ino;
};

struct file_id file_id(const struct stat *st);
bool file_same(struct file_id a, struct file_id b);

/* Appends the rest of `fd` to `out`. It is an error if `out` may not hold that much. `what` is for
 * errors. */
bool file_read_fd(struct text *out, int fd, const char *what, struct err *e);

/* Appends a regular file. The path may be a link only with `follow`. errno is ENOENT if the file
 * does not exist. */
bool file_read(struct text *out, int dir, const char *path, bool follow, struct err *e);

/* Writes all of the bytes. False: see errno. */
bool file_write_at(int fd, const char *bytes, size_t len, off_t at);

/*
 * Replaces `path` by a file with `text` and `mode`: writes `temp` beside it and renames that. Does
 * nothing if the file has that text and mode already. An old temp of a killed process is replaced.
 * After a failure temp is removed.
 */
bool file_replace(int dir, const char *path, const char *temp, const char *text, size_t len,
		  mode_t mode, struct err *e);

/*
 * Changes the text of an open file from `old` to `text` so that readers see one or the other
 * (measured: pod-dns(8), WRITING IN PLACE). A text that is not longer is written padded with
 * newlines, then the file is cut. For a longer one, newlines are appended first; then, with
 * `readers`, a millisecond passes for those who read up to the old end. A failure puts the old
 * bytes back.
 */
bool file_rewrite(int fd, const struct text *old, const struct text *text, bool readers,
		  struct err *e);

#endif
