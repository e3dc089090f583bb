/* SPDX-License-Identifier: Apache-2.0 */
/* netns.h: which network namespace a path leads to. */
#ifndef PKG_NETNS_H
#define PKG_NETNS_H

#include "err.h"
#include "file.h"

/* The plugin's own. Fails where /proc is not mounted. */
bool netns_own(struct file_id *id, struct err *e);

/*
 * Whether it is the node's: the program's own, or that of the first process that the program sees,
 * which is another one where a container of its own network sees the node's processes. True also
 * where that cannot be known.
 */
bool netns_is_nodes(struct file_id id);

/* Opens a network namespace; the caller closes it. ERR_IO and -1 if the path does not open or is
 * not a namespace. */
int netns_open(struct file_id *id, const char *path, struct err *e);

/* The number that the kernel gives to a namespace and to no other one until it reboots
 * (SO_NETNS_COOKIE, Linux 5.14); 0: unknown. The number of an inode may come again. */
uint64_t netns_cookie(int fd);

/*
 * Whether `path` still leads to the namespace with that inode and cookie (0: unknown), or may: a
 * path that cannot be looked at, or that is a plain file in this mount namespace, may lead there in
 * another one.
 */
bool netns_is(const char *path, struct file_id id, uint64_t cookie);

/*
 * Calls `act` with the thread in the namespace (-1: the process's own), for one system call such as
 * opening a socket. If the thread cannot get back, it stays in the other namespace, and every later
 * call fails, so that nothing meant for the node happens in a pod's namespace. ERR_NETNS.
 */
typedef bool netns_action(void *context, struct err *e);
bool netns_do(int netns_fd, netns_action *act, void *context, struct err *e);

#endif
