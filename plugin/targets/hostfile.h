/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostfile.h: the host's own resolver files, which are never written, whatever a path says.
 *
 * A namespace may share the host's mounts, a container may have the host's file bound into it, a
 * link may lead there. So a file is recognised by device and inode, not by its path (pod-dns(8),
 * TARGETS).
 */
#ifndef POD_DNS_HOSTFILE_H
#define POD_DNS_HOSTFILE_H

#include "file.h"

/* Whether it is /etc/resolv.conf or what that links to, `node` (resolvConf, may be NULL), or a file
 * of /run/systemd/resolve. */
bool hostfile_is(struct file_id id, const char *node);

/* Whether a new resolv.conf in this folder would be the host's. */
bool hostfile_is_folder(struct file_id id);

#endif
