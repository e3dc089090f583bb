/* SPDX-License-Identifier: Apache-2.0 */
/* netns.h: which network namespace a path leads to. */
#ifndef PKG_NETNS_H
#define PKG_NETNS_H

#include "err.h"
#include "file.h"

/* The plugin's own. Fails where /proc is not mounted. */
bool netns_own(struct file_id *id, struct err *e);

/* ERR_IO where the path does not open, or is no network namespace. */
bool netns_identify(struct file_id *id, const char *path, struct err *e);

/*
 * Whether `path` still leads to that very namespace, as far as can be seen: a path that cannot be
 * looked at, or is a plain file in this mount namespace, may well lead there in another.
 */
bool netns_is(const char *path, struct file_id id);

/*
 * Calls `act` with the thread in the namespace: for one system call, such as one that opens a
 * socket there. -1: in the process's own. Where the way back fails the process is still in the
 * other, and every later call fails: nothing may be done in a pod's namespace as if it were the
 * node's. ERR_NETNS.
 */
typedef bool netns_action(void *context, struct err *e);
bool netns_do(int netns_fd, netns_action *act, void *context, struct err *e);

#endif
