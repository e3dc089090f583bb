/* SPDX-License-Identifier: Apache-2.0 */
/* summary.h: the node's pods in numbers, and its networks. */
#ifndef POD_DNSCTL_SUMMARY_H
#define POD_DNSCTL_SUMMARY_H

#include "pod-dnsctl/inventory/missing.h"

struct summary {
	struct known_networks networks; /* each with the number of its pods without a record */
	size_t pods;			/* attachments with a record that can be read */
	size_t stale, missed, awaited, unrecognised, damaged;
	size_t missing; /* pods of these networks without a record */
	bool disabled;	/* steer off --node */
	bool whole;	/* all could be read */
};

/* `cache`: libcni's; NULL: the usual one. */
void summary_read(struct summary *s, const struct rundir *r, const struct networks *networks,
		  const char *cache, struct arena *a);

/* Calls `tell` with a line for each thing that must be seen to. Returns how many. */
typedef void summary_teller(const char *line, void *context);
size_t summary_tell(const struct summary *s, struct arena *a, summary_teller *tell, void *context);

#endif
