/* SPDX-License-Identifier: Apache-2.0 */
/*
 * safepath.h: opens a file of the host's that no local user can have put in its place.
 *
 * The rule is that of sshd's safe_path(): every folder on the path belongs to root and no other
 * user may write to it, so that only root can replace what is in it. The file may belong to any
 * user, since user namespaces shift its owner. podman shifts the owner of the last folder too: that
 * one may belong to the file's owner.
 */
#ifndef POD_DNS_SAFEPATH_H
#define POD_DNS_SAFEPATH_H

#include "err.h"

/*
 * Opens what stands at the absolute `path`, a link itself, with O_PATH. The caller closes. -1:
 * ERR_TARGET names the path and the folder that is at fault.
 */
int safepath_open(const char *path, struct err *e);

#endif
