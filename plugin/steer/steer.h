/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer.h: steers a pod's DNS queries to the node's cache, by a table in the pod's namespace
 * (steer_pod.h) or by elements in the node's table (steer_node.h). Attachments of one pod share
 * these by claims (claim.h).
 */
#ifndef POD_DNS_STEER_H
#define POD_DNS_STEER_H

#include "err.h"
#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/rules/steering.h"

/*
 * The namespace of a pod belongs to its workload, which can make what is done there take half a
 * minute. So all of it is done without the lock; see steer_pod.h. These take the lock themselves:
 */

/*
 * Installs what `s` describes for the attachment `id`. s->features become those of the kernel.
 * ERR_STEER names the rule and the kernel's reason; then nothing is steered. Stale elements of the
 * pod's addresses are removed in any case.
 */
bool steer_install(struct rundir *r, const struct pod_netns *netns, const char *id,
		   struct steering *s, const struct pod_addrs *list, struct warnings *w,
		   struct err *e);

/* Repairs what differs from the record or is missing, with a warning that names it. ERR_STEER. */
bool steer_check(struct rundir *r, const struct pod_netns *netns, const char *id,
		 const struct record *record, struct warnings *w, struct err *e);

/* For an ADD that steers nothing: removes elements that others left for the pod's addresses. Takes
 * the lock if there may be one. */
void steer_drop_stale(struct rundir *r, const char *id, const struct pod_addrs *list,
		      struct warnings *w);

/* Makes the node's table again if it is missing and pods need it. Takes the lock then. */
void steer_restore(struct rundir *r, struct warnings *w);

/*
 * Gives up the attachment's steering: its elements in the node's table, or its claim on the pod's
 * tables. `record` NULL: what bears its name, as far as that can be seen. False: something is left,
 * and there is a warning.
 */
bool steer_release(const struct rundir_lock *held, const char *id, const struct record *record,
		   struct warnings *w);

/* Whether steer_settle() has something to do. NULL, a record that cannot be read: it may. */
bool steer_is_in_pod(const struct record *record);

/*
 * Then, without the lock: gives the pod's tables to the newest attachment that remains, or removes
 * them. `netns` is the call's CNI_NETNS, or "". False: it could not be done within
 * HELPER_PATIENCE, and there is a warning.
 */
bool steer_settle(const char *id, const struct record *record, const char *netns,
		  struct warnings *w);

/* For a repeated ADD: removes the elements of addresses in `record` that are not in `now`. */
bool steer_drop_addresses(const struct rundir_lock *held, const char *id,
			  const struct record *record, const struct pod_addrs *now,
			  struct warnings *w);

/* Whether the attachment has a claim on the tables of its pod. */
bool steer_is_claimed(const struct rundir *r, const char *id);

/* For GC: removes elements of this network without a record; makes a missing table again. Takes
 * the lock. */
void steer_gc(struct rundir *r, const char *network, struct warnings *w);

/* Before the process ends, without the lock: waits until the kernel has freed what was deleted. */
void steer_end(void);

/* Whether the kernel would take `plan`'s rules. Changes nothing. ERR_STEER. */
bool steer_is_possible(const struct steering *plan, struct err *e);

#endif
