/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.h: counts attachments, and prints the counts as Prometheus' text. */
#ifndef POD_DNSCTL_METRICS_H
#define POD_DNSCTL_METRICS_H

#include "pod-dnsctl/steered.h"

struct networks;
struct text;

struct metrics {
	const struct networks *networks;
	struct arena *arena;
	/* Counts by printed labels; owned. */
	json_t *attachments, *late, *warnings;
	size_t stale, unrecognised;
	struct steered_total steered;
};

void metrics_begin(struct metrics *m, const struct networks *networks, struct arena *a);

/* Counts an attachment. False: the kernel does not tell about its steering; the rest counts. */
bool metrics_add(struct metrics *m, const struct view *v, struct steered_node *node, struct err *e);

/* Adds the counters of the node's table; once, after all attachments. */
void metrics_add_node(struct metrics *m, const struct steered_node *node);

void metrics_render(struct text *out, const struct metrics *m);
void metrics_done(struct metrics *m);

#endif
