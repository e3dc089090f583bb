/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inplace.h: opens a resolv.conf that belongs to another program with care, and rewrites it in
 * place.
 *
 * In place, because every container of the pod has this inode mounted over its own file: a file
 * renamed over it would reach no running container. The old text is kept, to be put back.
 */
#ifndef POD_DNS_INPLACE_H
#define POD_DNS_INPLACE_H

#include "err.h"
#include "targets/helper.h"
#include "text.h"

enum {
	INPLACE_MAX = 1 << 20, /* bytes of a resolv.conf */
	INPLACE_UNDO = 'u',    /* the request by which a helper undoes */
};

struct inplace {
	int fd;
	struct text old;
	uint64_t wrote; /* text_hash() of what was written */
	bool written;
	struct helper helper; /* where it is there, it has the file open (rootfs.h) */
};

#define INPLACE_NONE ((struct inplace){ .fd = -1, .helper = HELPER_NONE })

/*
 * Finds the runtime's file of a pod. It must
 * - be reached through folders that only root can write (safepath.h),
 * - be a regular file, not a link, with one name and INPLACE_MAX bytes at most,
 * - not be the host's own (`node` is resolvConf or NULL).
 * Returns an O_PATH descriptor, which the caller closes; -1: ERR_TARGET. All later work goes
 * through the descriptor: what replaces the file under its name is not touched.
 */
int inplace_find(const char *path, const char *node, struct err *e);

/*
 * Opens for writing what inplace_find() found, and reads `old`. `path` is for errors. ERR_TARGET:
 * it was removed since, or cannot be written.
 */
bool inplace_open(struct inplace *f, int found, const char *path, struct err *e);

/* The same, only to read `old`. */
bool inplace_look(struct inplace *f, int found, const char *path, struct err *e);

/*
 * Reads `old` again: another attachment may have written since the file was opened. A writer holds
 * the lock of the run folder (in a container's root: its turn) from here to the end of
 * inplace_write().
 */
bool inplace_refresh(struct inplace *f, const char *path, struct err *e);

/* inplace_find()'s checks of the file itself, for one that was found otherwise. ERR_TARGET. */
bool inplace_check(int found, const char *path, const char *node, struct err *e);

/* Writes, unless the file holds that text. `readers`: containers may read meanwhile. ERR_IO. */
bool inplace_write(struct inplace *f, const char *text, bool readers, struct err *e);

/* Puts the old text back, or removes the file if it was created, unless another wrote since. */
void inplace_undo(struct inplace *f);

void inplace_close(struct inplace *f);

#endif
