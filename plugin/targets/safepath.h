/*
 * safepath.h: opens a file of the host's that no local user can have put in its place.
 *
 * As sshd's safe_path(): every folder on the way is root's and nobody else may write to it, so that
 * only root can exchange what stands in it. The file itself may be anybody's: user namespaces shift
 * its owner. Runtimes shift the owner of a pod's folder too, but keep it below one that only root
 * may enter: below such a folder owners do not matter, and no link is followed.
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
