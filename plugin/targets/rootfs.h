/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rootfs.h: /etc/resolv.conf inside the root of the process in /proc/PID/ns/net.
 *
 * A container's root is its workload's to shape: links are followed within it only, none of
 * /proc's, no FIFO blocks, and a root or mount namespace that is the plugin's own is the host's and
 * refused. Its file systems may hang: all of it is done by a helper.
 */
#ifndef POD_DNS_ROOTFS_H
#define POD_DNS_ROOTFS_H

#include "cni/pod_netns.h"
#include "targets/inplace.h"

/* Whether `path` is of the form /proc/PID/ns/net. */
bool rootfs_is_proc(const char *path);

/*
 * Opens the file, or finds that it can be made, for rootfs_write(). `text`, what is to be written,
 * and `node`, conf's resolvConf or NULL, are read at once. inplace_close() ends it. ERR_TARGET.
 */
bool rootfs_open(struct inplace *f, const struct pod_netns *netns, const char *node,
		 const char *text, struct err *e);

/*
 * Writes it; absent, it is made, where its folder is on the container's own root file system.
 * inplace_undo() takes it back. ERR_TARGET, ERR_IO.
 */
bool rootfs_write(struct inplace *f, struct err *e);

/* Whether the file says `text`, but for newlines at its end; else ERR_TARGET and why. */
bool rootfs_check(const struct pod_netns *netns, const char *text, struct err *e);

#endif
