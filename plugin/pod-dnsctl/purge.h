/* SPDX-License-Identifier: Apache-2.0 */
/* purge.h: what attachments have left on this node, and its end. */
#ifndef POD_DNSCTL_PURGE_H
#define POD_DNSCTL_PURGE_H

#include "pod-dnsctl/ctl.h"

/*
 * Releases the attachments whose namespace is gone, since without the plugin no runtime calls DEL
 * for them any more; with `all` every attachment, as DEL would: running pods keep the resolv.conf
 * that they have. *left: how many records remain. What cannot be removed is told as a note. ERR_IO.
 */
bool purge_records(struct ctl *ctl, bool all, size_t *left, struct err *e);

/*
 * Whether the namespaces that records name could be seen from here, if they are there: false where
 * the folder of one is missing, as in a container that has not mounted it. *e names it.
 */
bool purge_sees_pods(struct ctl *ctl, struct err *e);

/* Once no record is left: the node's tables, and the run folder. ERR_IO, ERR_STEER. */
bool purge_node(struct ctl *ctl, struct err *e);

#endif
