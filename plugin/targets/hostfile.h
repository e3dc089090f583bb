/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostfile.h: the host's own resolver files, which are never written, whatever a path says.
 *
 * A namespace may share the host's mounts, a container may have the host's file bound into it, a
 * link may lead there: only the file's own identity tells (facts measured in pod-dns(8), TARGETS).
 */
#ifndef POD_DNS_HOSTFILE_H
#define POD_DNS_HOSTFILE_H

#include "file.h"

/* Whether it is /etc/resolv.conf, what that links to, `node` (conf's resolvConf, may be NULL), or a
 * file of /run/systemd/resolve. */
bool hostfile_is(struct file_id id, const char *node);

/* Whether it is a folder in which a new resolv.conf would become the host's. */
bool hostfile_is_folder(struct file_id id);

#endif
