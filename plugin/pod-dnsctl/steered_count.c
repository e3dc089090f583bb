/* SPDX-License-Identifier: Apache-2.0 */
/* steered_count.c: what each rule's counter means. */
#include "pod-dnsctl/steered.h"
#include "nft/nft.h"

#include <string.h>

enum what { TO_CACHE, TO_CLUSTER, ANSWERS };

/* The name of a pair's own chain ends in its number: "fall-back-1". Mode `dnat` has one chain, with
 * rules in the order of the pairs. */
static const struct {
	const char *chain, *comment;
	enum what what;
} rules[] = {
	{ "query", "to the cache, whatever its state", TO_CACHE },
	{ "query", "no: to the cluster's DNS", TO_CLUSTER },
	{ "query", "this port asks the cache itself: leave the rest to the cluster's DNS",
	  TO_CLUSTER },
	{ "direct-query", "this port asks the cache itself: leave the rest to the cluster's DNS",
	  TO_CLUSTER },
	{ "direct-query", "a port that was not noted may have asked", TO_CLUSTER },
	{ "ask", "alive, and nothing special: ask the cache", TO_CACHE },
	{ "ask", "no: to the cluster's DNS", TO_CLUSTER },
	{ "decide", "alive: ask the cache", TO_CACHE },
	{ "decide", "it owes an answer, for a moment only: ask the cache", TO_CACHE },
	{ "decide", "idle: ask the cache, and wait for it", TO_CACHE },
	{ "decide", "it failed that question a moment ago: ask the cluster's DNS", TO_CLUSTER },
	{ "suspect", "for a moment only: ask the cache", TO_CACHE },
	{ "fall-back", "probe the cache with the query itself", TO_CACHE },
	{ "fall-back", "the query behind a probe is none: to the cluster's DNS", TO_CLUSTER },
	{ "fall-back", "to the cluster's DNS", TO_CLUSTER },
	{ "probe", "probe the cache with the query itself", TO_CACHE },
	{ "probe", "to the cluster's DNS", TO_CLUSTER },
	{ "restore", "as if from the cluster's DNS", ANSWERS },
	{ "out", "queries to the cache", TO_CACHE },
};

/* The number at the end of the chain's name, from 1; 0: there is none. */
static size_t number_of(const char *chain, size_t *name)
{
	const char *dash = strrchr(chain, '-');
	size_t number = dash ? strtoul(dash + 1, NULL, 10) : 0;

	*name = number ? (size_t)(dash - chain) : strlen(chain);
	return number;
}

static void add_packets(struct steered_counts *counts, enum what what, uint64_t packets)
{
	if (what == TO_CACHE)
		counts->to_cache += packets;
	else if (what == TO_CLUSTER)
		counts->to_cluster += packets;
	else
		counts->answers += packets;
}

void steered_count(const struct nft_counter_found *found, void *context)
{
	struct steered_table *table = context;
	size_t len, number = number_of(found->chain, &len);

	for (size_t i = 0; i < LEN(rules); i++)
		if (strlen(rules[i].chain) == len &&
		    strncmp(found->chain, rules[i].chain, len) == 0 &&
		    strcmp(found->comment, rules[i].comment) == 0) {
			if (!number)
				number = ++table->unnumbered;
			if (number <= STEERING_PAIRS)
				add_packets(&table->counts[number - 1], rules[i].what,
					    found->packets);
			return;
		}
}
