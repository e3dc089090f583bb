/* SPDX-License-Identifier: Apache-2.0 */
/* purge.h: removes what attachments have left on this node. */
#ifndef POD_DNSCTL_PURGE_H
#define POD_DNSCTL_PURGE_H

#include "pod-dnsctl/ctl.h"

/*
 * Releases the attachments whose namespace is gone, since without the plugin in the chain no
 * runtime calls their DEL. With `all`: every attachment; running pods keep their resolv.conf.
 * *left: the number of records that remain. What cannot be removed is a note. ERR_IO.
 */
bool purge_records(struct ctl *ctl, bool all, size_t *left, struct err *e);

/*
 * Whether the namespaces of the records can be seen from here. False: the folder of one is missing,
 * as in a container that does not mount it; *e names it.
 */
bool purge_sees_pods(struct ctl *ctl, struct err *e);

/* Removes the node's tables and the run folder, after the last record. ERR_IO, ERR_STEER. */
bool purge_node(struct ctl *ctl, struct err *e);

#endif
