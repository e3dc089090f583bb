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
 * Installs what `s` describes for the attachment `record`. s->features become those of the kernel.
 * ERR_STEER names the rule and the kernel's reason; then nothing is steered. Stale elements of the
 * pod's addresses are removed in any case.
 */
bool steer_install(const struct rundir_lock *held, const struct pod_netns *netns, const char *id,
		   struct steering *s, const struct pod_addrs *list, struct warnings *w,
		   struct err *e);

/* For an ADD that steers nothing: removes elements that others left for the pod's addresses. Takes
 * the lock if there may be one. */
void steer_drop_stale(struct rundir *r, const char *id, const struct pod_addrs *list,
		      struct warnings *w);

/* Makes the node's table again if it is missing and pods need it. Takes the lock then. */
void steer_restore(struct rundir *r, struct warnings *w);

/*
 * Removes the attachment's steering, or gives it to the newest attachment that remains. `content`
 * is its record; NULL: what bears its name is removed, as far as that can be seen. `netns` is the
 * call's CNI_NETNS, or "". False: something is left, and there is a warning.
 */
bool steer_release(const struct rundir_lock *held, const char *id, const struct record *record,
		   const char *netns, struct warnings *w);

/* For a repeated ADD: removes the elements of addresses in `content` that are not in `now`. */
bool steer_drop_addresses(const struct rundir_lock *held, const char *id,
			  const struct record *record, const struct pod_addrs *now,
			  struct warnings *w);

/* Repairs what differs from the record or is missing, with a warning that names the rule.
 * ERR_STEER. */
bool steer_check(const struct rundir_lock *held, const struct pod_netns *netns, const char *id,
		 const struct record *record, struct warnings *w, struct err *e);

/* For GC: removes elements of this network that have no record; makes a missing table again. */
void steer_gc(const struct rundir_lock *held, const char *network, struct warnings *w);

/* Whether the kernel would take `plan`'s rules. Changes nothing. ERR_STEER. */
bool steer_is_possible(const struct steering *plan, struct err *e);

#endif
