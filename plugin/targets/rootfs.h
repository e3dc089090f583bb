/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rootfs.h: /etc/resolv.conf inside the root of the process in /proc/PID/ns/net.
 *
 * The workload controls everything in a container's root. So links are followed within it only and
 * never through /proc, a FIFO does not block, and a process with the plugin's own root or mount
 * namespace (the host's) is refused. File systems in it may hang: a helper does all of the work.
 */
#ifndef POD_DNS_ROOTFS_H
#define POD_DNS_ROOTFS_H

#include "cni/pod_netns.h"
#include "targets/inplace.h"

/* Whether `path` is of the form /proc/PID/ns/net. */
bool rootfs_is_proc(const char *path);

/*
 * Opens the file, or the folder where it can be made, for rootfs_write(). `text` will be written;
 * `node` is resolvConf or NULL. The caller calls inplace_close(). ERR_TARGET.
 */
bool rootfs_open(struct inplace *f, const struct pod_netns *netns, const char *node,
		 const char *text, struct err *e);

/*
 * Writes the file, or makes it if its folder is on the container's own root file system.
 * inplace_undo() undoes that. Neither is called with the lock of the run folder: both may hang for
 * HELPER_PATIENCE. ERR_TARGET, ERR_IO.
 */
bool rootfs_write(struct inplace *f, struct err *e);

/* Whether the file holds `text`, apart from newlines at its end; else ERR_TARGET says why. */
bool rootfs_check(const struct pod_netns *netns, const char *text, struct err *e);

#endif
