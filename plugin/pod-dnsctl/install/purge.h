/* SPDX-License-Identifier: Apache-2.0 */
/* purge.h: what attachments have left on the node, for uninstall. */
#ifndef POD_DNSCTL_PURGE_H
#define POD_DNSCTL_PURGE_H

#include "pod-dnsctl/cli/ctl.h"

/* Whether the namespaces of the records can be seen from here. False: the folder of one is missing,
 * as in a container that does not mount that folder. *e names the folder. */
bool purge_sees_pods(struct ctl *ctl, struct err *e);

/*
 * Releases the attachments of pods that have ended: without the plugin in the chain no runtime
 * calls DEL for them. *left: the number of pods with a record that remains. Faults of one
 * attachment are notes. ERR_IO.
 */
bool purge_ended(struct ctl *ctl, size_t *left, struct err *e);

/* The same for every attachment, by name; running pods keep their resolv.conf. */
bool purge_all(struct ctl *ctl, size_t *left, struct err *e);

/* Removes the node's tables and the run folder, after the last record. */
bool purge_node(struct ctl *ctl, struct err *e);

#endif
