/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late.h: the child that waits for a file which the runtime writes after ADD (containerd 2.x).
 *
 * containerd creates the pod's folder and file 3 to 200 ms after ADD returns; on a fresh node none
 * of the folders above it exists at ADD. The watch is set before ADD returns, so that nothing is
 * missed. A user has 128 inotify instances, and kubelet and others need some: so a child gets one
 * of LATE_WATCHES, or looks now and then. The child holds no descriptor of the runtime's, because
 * that one waits for the end of stdout and stderr. It has its own session, and its PID is not
 * recorded. It ends when:
 * - the pending file is completed, by it or by another process;
 * - the record or the pod's namespace is gone;
 * - four minutes are over, after which kubelet has given up too.
 */
#ifndef POD_DNS_LATE_H
#define POD_DNS_LATE_H

#include "err.h"
#include "file.h"

enum { LATE_WATCHES = 32 }; /* on a node */

enum { LATE_TURN, LATE_WATCH, LATE_FDS };

struct late {
	int fds[LATE_FDS]; /* a lock on one of the node's watches, and the inotify; -1: none */
	const char *file;  /* the file that will come; NULL: there is nothing to wait for */
	const char *id;	   /* its path below the run folder */
	const char *netns;
	struct file_id netns_id;
};

#define LATE_NONE ((struct late){ .fds = { -1, -1 } })

/* Sets the watch, if one is free. ERR_TARGET: the kernel gives none. */
bool late_watch(struct late *late, struct err *e);

/* Starts the child. ERR_TARGET: fork failed. */
bool late_start(const struct late *late, struct err *e);

void late_close(struct late *late);

#endif
