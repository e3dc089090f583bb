/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file.h: files, read whole, replaced whole, or rewritten in place.
 *
 * Paths are relative to a folder's descriptor (AT_FDCWD: the working directory), as in openat(2).
 * Errors name the path.
 */
#ifndef PKG_FILE_H
#define PKG_FILE_H

#include "base.h"
#include "err.h"

#include <sys/types.h>

struct stat;
struct text;

/* Which file it is, whatever its name. */
struct file_id {
	dev_t dev;
	ino_t ino;
};

struct file_id file_id(const struct stat *st);
bool file_same(struct file_id a, struct file_id b);

/* Appends what is left of `fd` to `out`; more than `out` may hold is an error. `what` names it. */
bool file_read_fd(struct text *out, int fd, const char *what, struct err *e);

/* Appends a regular file that is no link (O_NOFOLLOW) or, with `follow`, may be one. */
bool file_read(struct text *out, int dir, const char *path, bool follow, struct err *e);

/* Writes all of it, whatever signals come; false: errno says why not. */
bool file_write_at(int fd, const char *bytes, size_t len, off_t at);

/*
 * Replaces `path` by `text` with `mode`, whatever the umask: written as `temp` beside it, then
 * renamed. Nothing is done where the file already holds that text with that mode. A temp that a
 * killed process left is overwritten; a failure removes it.
 */
bool file_replace(int dir, const char *path, const char *temp, const char *text, size_t len,
		  mode_t mode, struct err *e);

/*
 * Makes an open file, which holds `old`, hold `text`, without a moment in which a reader sees
 * neither (the measurements are in pod-dns(8), WRITING IN PLACE): a text that is not longer is
 * written padded with newlines and then cut; a longer one first reserves its room with newlines,
 * then, with `readers`, waits a millisecond for those who read up to the old end. A failure puts
 * the old bytes back.
 */
bool file_rewrite(int fd, const struct text *old, const struct text *text, bool readers,
		  struct err *e);

#endif
