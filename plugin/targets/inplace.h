/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inplace.h: a resolv.conf that is somebody else's file, opened with care and rewritten in place.
 *
 * In place, because every container of the pod has this very inode bound over its own: a file
 * renamed over it would reach none that runs. Whoever opens one may put its old text back.
 */
#ifndef POD_DNS_INPLACE_H
#define POD_DNS_INPLACE_H

#include "err.h"
#include "targets/helper.h"
#include "text.h"

enum {
	INPLACE_MAX = 1 << 20, /* bytes of a resolv.conf */
	INPLACE_UNDO = 'u',    /* inplace_undo() of a helper */
};

struct inplace {
	int fd;
	struct text old;
	uint64_t wrote; /* text_hash() of what was written */
	bool written;
	struct helper helper; /* has the file open instead: rootfs.h */
};

#define INPLACE_NONE ((struct inplace){ .fd = -1, .helper = HELPER_NONE })

/*
 * Finds the runtime's file of a pod: on a way that is only root's (safepath.h), a regular file, no
 * link, of one name, of INPLACE_MAX bytes at most, not the host's own (`node` is conf's resolvConf
 * or NULL). Returns an O_PATH descriptor, which the caller closes; -1: ERR_TARGET. From then on the
 * file is that descriptor: whatever takes its place under its name is not looked at.
 */
int inplace_find(const char *path, const char *node, struct err *e);

/*
 * Opens for writing what inplace_find() has found, and reads `old`; `path` names it in errors.
 * ERR_TARGET where it has lost its name since, or cannot be written.
 */
bool inplace_open(struct inplace *f, int found, const char *path, struct err *e);

/* The same to read `old` alone. */
bool inplace_look(struct inplace *f, int found, const char *path, struct err *e);

/*
 * Reads `old` again: another attachment may have written since it was opened. Whoever writes holds
 * the lock of the run folder from here to the end of inplace_write().
 */
bool inplace_refresh(struct inplace *f, const char *path, struct err *e);

/* Of what was found on another way: all that inplace_find() asks of the file itself. */
bool inplace_check(int found, const char *path, const char *node, struct err *e);

/* Writes, unless the file holds just that; with care for `readers` if there may be some. ERR_IO. */
bool inplace_write(struct inplace *f, const char *text, bool readers, struct err *e);

/*
 * Takes the writing back, unless another has written since: the old text, or no file where there
 * was none.
 */
void inplace_undo(struct inplace *f);

void inplace_close(struct inplace *f);

#endif
