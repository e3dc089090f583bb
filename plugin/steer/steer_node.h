/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_node.h: steering by the node's table, with an element for each address of a pod.
 *
 * An element's comment names its attachment. It is compared before the element is deleted, so that
 * an address which another pod has got meanwhile stays steered. Each attachment that the table
 * steers has a claim (claim.h). The newest decides how the table is made; of several with one
 * address the newest has the element. Failures are ERR_STEER.
 */
#ifndef POD_DNS_STEER_NODE_H
#define POD_DNS_STEER_NODE_H

#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/rules/steering.h"

/* Whether there is a claim: the table steers a pod. */
bool steer_node_is_used(const struct rundir *r);

/* Installs the table, unless it is there, and the pod's elements. A failure leaves no element. */
bool steer_node_install(const struct rundir_lock *held, const struct pod_netns *netns,
			const char *id, struct steering *s, const struct pod_addrs *list,
			struct err *e);

/* Repairs what differs, with a warning. `own`: of its record. */
bool steer_node_check(const struct rundir_lock *held, const char *id,
		      const struct record_steering *own, struct warnings *w, struct err *e);

/* Deletes the attachment's elements: of these addresses, or (NULL) all that name it. */
bool steer_node_release(const struct rundir_lock *held, const char *id,
			const struct pod_addrs *list, struct err *e);

/* Deletes its elements of the addresses in `before` that are not in `now`. */
bool steer_node_drop_addresses(const struct rundir_lock *held, const char *id,
			       const struct pod_addrs *before, const struct pod_addrs *now,
			       struct err *e);

/* Makes the tables again that pods need and that were removed, with all pods. */
void steer_node_restore(const struct rundir_lock *held, struct warnings *w);

/* Deletes others' elements of its addresses, which are stale. Restores where no table is left. */
void steer_node_drop_stale(const struct rundir_lock *held, const char *id,
			   const struct pod_addrs *list, struct warnings *w);

/* Deletes the network's elements without a record. Restores. Takes the lock. */
void steer_node_collect(struct rundir *r, const char *network, struct warnings *w);

#endif
