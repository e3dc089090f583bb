/* SPDX-License-Identifier: Apache-2.0 */
/*
 * safepath.h: opens a file of the host's that no local user can have put in its place.
 *
 * As sshd's safe_path(): every folder on the way is root's and nobody else may write to it, so that
 * only root can exchange what stands in it. The file itself may be anybody's, for user namespaces
 * shift its owner; podman shifts that of the file's own folder too, which may be the file's
 * owner's.
 */
#ifndef POD_DNS_SAFEPATH_H
#define POD_DNS_SAFEPATH_H

#include "err.h"

/*
 * An O_PATH descriptor, which the caller closes, of what stands at the absolute `path`; a link
 * there is opened itself. -1: ERR_TARGET, and *e names the path and the folder that is at fault.
 */
int safepath_open(const char *path, struct err *e);

#endif
