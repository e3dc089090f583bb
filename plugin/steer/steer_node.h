/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_node.h: steering by the node's table: an element a pod.
 *
 * An element's comment names its attachment; whoever deletes one asks for that name first, so that
 * an address that was given to another pod is never taken from it. Each attachment that the table
 * steers has a claim (claim.h): the newest says what the table is made of, and of those that claim
 * one address the newest has it. Failures are ERR_STEER.
 */
#ifndef POD_DNS_STEER_NODE_H
#define POD_DNS_STEER_NODE_H

#include "cni/pod_netns.h"
#include "state/rundir.h"
#include "steer/steering.h"

/* Whether the table steers a pod, as far as the claims tell. */
bool steer_node_is_used(const struct rundir *r);

/* The table, if it is not so already, and the pod's elements. A failure leaves none of them. */
bool steer_node_install(const struct rundir_lock *held, const struct pod_netns *netns,
			const char *record, struct steering *s, const struct addresses *list,
			struct err *e);

/* What differs is set right, and told. */
bool steer_node_check(const struct rundir_lock *held, const char *record,
		      const struct addresses *list, struct warnings *w, struct err *e);

/* Deletes the attachment's elements: those of the addresses, or (NULL) any that name it. */
bool steer_node_release(const struct rundir_lock *held, const char *record,
			const struct addresses *list, struct err *e);

/* Deletes its elements of the addresses that it has no more. */
bool steer_node_leave(const struct rundir_lock *held, const char *record,
		      const struct addresses *before, const struct addresses *now, struct err *e);

/* Deletes strangers' elements of its addresses; the table comes back if it is gone. */
void steer_node_disown(const struct rundir_lock *held, const char *record,
		       const struct addresses *list, struct warnings *w);

/* Elements that name the network without a record go; the table comes back if it is gone. */
void steer_node_collect(const struct rundir_lock *held, const char *network, struct warnings *w);

#endif
