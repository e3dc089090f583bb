/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.h: attachments counted, and the counts as Prometheus' text. */
#ifndef POD_DNSCTL_METRICS_H
#define POD_DNSCTL_METRICS_H

#include "pod-dnsctl/steered.h"

struct today;
struct text;

struct metrics {
	const struct today *today;
	struct arena *arena;
	/* From labels, as they are printed, to how many: owned. */
	json_t *attachments, *late, *warnings;
	size_t stale, unrecognised;
	struct steered_total steered;
};

void metrics_begin(struct metrics *m, const struct today *today, struct arena *a);

/* Counts an attachment. False: the kernel does not tell of its steering; the rest is counted. */
bool metrics_add(struct metrics *m, const struct view *v, struct steered_node *node, struct err *e);

/* Adds what the node's table has counted: once, behind all attachments. */
void metrics_add_node(struct metrics *m, const struct steered_node *node);

void metrics_render(struct text *out, const struct metrics *m);
void metrics_done(struct metrics *m);

#endif
