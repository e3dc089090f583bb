/* SPDX-License-Identifier: Apache-2.0 */
/*
 * health.h: measures a pod's DNS by tables in its network namespace (health_table.h), whether the
 * pod is steered or not. Attachments of one pod share them by claims (claim.h).
 */
#ifndef POD_DNS_HEALTH_H
#define POD_DNS_HEALTH_H

#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/rules/health_table.h"
#include "warn.h"

/* Both families together. */
struct health {
	uint64_t count[HEALTH_COUNTERS];
};

/* Need the lock. Without the claim of another, health_settle() removes the tables. */
bool health_claim(const struct rundir_lock *held, const char *id, struct err *e);
bool health_unclaim(const struct rundir_lock *held, const char *id, struct err *e);

/* The others are called without the lock. Where a workload may run, a child does the work: see
 * steer_in_pod.h. ERR_STEER. */

/* Installs the tables; those that are as wanted stay, with their counts. */
bool health_install(const struct pod_netns *netns, struct err *e);

/* Makes tables again that are missing or differ, with a warning. */
bool health_check(const struct pod_netns *netns, struct warnings *w, struct err *e);

/* Removes the tables if no attachment of the pod claims them. `netns` is the call's CNI_NETNS, or
 * "". */
bool health_settle(const char *id, const struct record_netns *known, const char *netns,
		   struct err *e);

/* Reads the counters. *there: the namespace and a table are there. */
bool health_read(struct health *out, const struct record_netns *known, bool *there, struct err *e);

#endif
