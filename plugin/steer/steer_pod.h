/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_pod.h: steering by a table in the pod's own namespace, which its attachments share by
 * claims (claim.h).
 */
#ifndef POD_DNS_STEER_POD_H
#define POD_DNS_STEER_POD_H

#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/rules/steering.h"
#include "steer/steer_in_pod.h"

/* Needs the lock. Makes the attachment the tables' owner. *first: they had no owner before. */
bool steer_pod_claim(const struct rundir_lock *held, const char *id, bool *first, struct err *e);
bool steer_pod_unclaim(const struct rundir_lock *held, const char *id, struct err *e);
bool steer_pod_is_claimed(const struct rundir *r, const char *id);

/* The others are called without the lock. All but a first install are done by a child: see
 * steer_in_pod.h. ERR_STEER. */

/* Installs the tables of an attachment that has its claim. */
bool steer_pod_install(const struct pod_netns *netns, struct steering *s, bool first,
		       struct err *e);

/* Makes the tables as the newest claim wants them, or removes them if no claim is left. The
 * namespace is the known one (NULL: any) at its path, or at `netns`, the call's CNI_NETNS or "". */
bool steer_pod_settle(const char *id, const struct record_netns *known, const char *netns,
		      struct err *e);

/* Repairs the tables of their owner, with warnings. */
bool steer_pod_check(const struct rundir *r, const struct pod_netns *netns, const char *id,
		     struct steering *s, struct warnings *w, struct err *e);

/* Makes the tables dormant, or wakes them (`on`). *there: the namespace still exists. */
bool steer_pod_disable(const struct steer_place *where, bool on, bool *there, struct err *e);

#endif
