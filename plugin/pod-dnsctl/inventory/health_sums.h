/* SPDX-License-Identifier: Apache-2.0 */
/* health_sums.h: what the counters of measured pods come to, by namespace. */
#ifndef POD_DNSCTL_HEALTH_SUMS_H
#define POD_DNSCTL_HEALTH_SUMS_H

#include "pod-dnsctl/inventory/pod_health.h"

struct health_sums {
	struct health_sum {
		const char *namespace; /* in the caller's arena */
		struct health sum;
	} * at;
	size_t n;
	json_t *counted; /* keys: the pods' network namespaces that were added */
};

/* Adds a measured pod, once for all of its attachments. False: the kernel does not tell. */
bool health_sums_add(struct health_sums *s, const struct view *v, struct arena *a, struct err *e);

void health_sums_done(struct health_sums *s);

#endif
