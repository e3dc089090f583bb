/* SPDX-License-Identifier: Apache-2.0 */
/* steered_total.c: sums up steering over pods. */
#include "pod-dnsctl/steered.h"

static struct steered_sum *sum_of(struct steered_total *total, const struct steer_pair *pair)
{
	for (size_t i = 0; i < total->n; i++)
		if (addr_same(&total->at[i].pair.cluster, &pair->cluster) &&
		    addr_same(&total->at[i].pair.cache, &pair->cache))
			return &total->at[i];
	if (total->n == STEERED_SUMS)
		return NULL;
	total->at[total->n] = (struct steered_sum){ .pair = *pair };
	return &total->at[total->n++];
}

void steered_add(struct steered_total *total, const struct steered *steered)
{
	size_t number[2] = { 0, 0 };

	for (size_t i = 0; i < steered->n; i++) {
		const struct steered_pair *p = &steered->at[i];
		struct steered_sum *sum = sum_of(total, &p->pair);
		size_t own = number[!addr_is_v4(&p->pair.cluster)]++;

		if (!sum)
			return;
		sum->pods[p->state]++;
		if (steered->steering.mode == STEER_NODE) {
			sum->node = true;
			sum->number = own;
			sum->on_cache += p->state == STEERED_CACHE;
			continue;
		}
		sum->counts.to_cache += p->counts.to_cache;
		sum->counts.to_cluster += p->counts.to_cluster;
	}
}

struct steered_pair steered_of_node(const struct steered_sum *sum, const struct steered_node *node)
{
	const struct steered_table *table = &node->table[!addr_is_v4(&sum->pair.cluster)];
	struct steered_pair pair = { .pair = sum->pair, .counts = table->counts[sum->number] };

	pair.state = !table->there					? STEERED_MISSING
		     : table->dormant					? STEERED_DORMANT
		     : !pair.counts.to_cache && !pair.counts.to_cluster ? STEERED_UNUSED
		     : sum->on_cache					? STEERED_CACHE
									: STEERED_FALLBACK;
	return pair;
}
