/* SPDX-License-Identifier: Apache-2.0 */
/* pod_health.h: what a pod's counters say (steer/health.h): sums, rates and times. */
#ifndef POD_DNSCTL_POD_HEALTH_H
#define POD_DNSCTL_POD_HEALTH_H

#include "pod-dnsctl/inventory/view.h"
#include "steer/health.h"

struct pod_health {
	const char *pod; /* in the caller's arena */
	struct health now, before;
	double seconds; /* between the two */
};

uint64_t health_answered(const struct health *h);
uint64_t health_unanswered(const struct health *h); /* those under way among them */

/* Queries a second. A table that is made again between the two readings counts from 0. */
double health_per_second(const struct pod_health *p);

/* The time in ms within which that share (0 to 1) of the answers came, by the bounds of
 * health_times; 0: later than the last of them; -1: nothing was answered. */
int health_quantile(const struct health *h, double share);

/* Puts the worst first: by the share of queries without a good answer, then by the slowest. */
int health_by_trouble(const void *a, const void *b);

json_t *health_json(const struct pod_health *p);

#endif
