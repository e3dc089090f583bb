/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steered.h: what the kernel says of steering: where the queries of a pod go now, and how many went
 * where.
 *
 * It is read from the tables that the plugin made: the set `down` (and `known`, on the node) says
 * where the next query goes, the counters of the rules say where those so far went. A rule is told
 * by its chain and its comment, which are the words of steer/rules_*.c. In mode `node` the counters
 * are those of all pods together, the sets tell pods apart.
 */
#ifndef POD_DNSCTL_STEERED_H
#define POD_DNSCTL_STEERED_H

#include "pod-dnsctl/view.h"
#include "nft/nl.h"
#include "steer/steering.h"

enum steered_state {
	STEERED_CACHE,	  /* the cache is asked */
	STEERED_FALLBACK, /* the cluster's DNS is */
	STEERED_UNUSED,	  /* no query ever came by */
	STEERED_DORMANT,  /* the table is switched off */
	STEERED_MISSING,  /* there is no table, or no namespace any more */
};
enum { STEERED_STATES = 5 };
extern const char *const steered_names[]; /* by the enum, NULL-terminated */

/* UDP queries, and the cache's answers to them. */
struct steered_counts {
	uint64_t to_cache, to_cluster, answers;
};

struct steered_pair {
	struct steer_pair pair;
	size_t number; /* within its family, from 1: its sets' and chains' names end in it */
	enum steered_state state;
	struct steered_counts counts; /* of a pod in mode `node`: all 0, see steered_node() */
};

struct steered {
	struct steering steering; /* of the record; mode STEER_OFF: it is not steered by rules */
	size_t n;
	struct steered_pair at[STEERING_PAIRS];
};

/* One table: what it has counted for each pair of its family, in their order. */
struct steered_table {
	bool there, dormant;
	size_t unnumbered; /* rules of mode `dnat` so far */
	struct steered_counts counts[STEERING_PAIRS];
};

/* The node's own tables, read when first asked for. */
struct steered_node {
	struct nl nl;
	bool is_read;
	struct steered_table table[2]; /* v6 is 1 */
};
#define STEERED_NODE ((struct steered_node){ .nl = NL_CLOSED })
void steered_node_done(struct steered_node *node);

static inline void done_auto_steered_node(struct steered_node *node)
{
	steered_node_done(node);
}
#define auto_steered_node __attribute__((cleanup(done_auto_steered_node))) struct steered_node

/* ERR_STEER, ERR_NETNS: the kernel does not say. */
bool steered_read(struct steered *out, const struct view *v, struct steered_node *node,
		  struct err *e);

/*** in sum ***/

enum { STEERED_SUMS = 64 };

struct steered_sum {
	struct steer_pair pair;
	size_t pods[STEERED_STATES];  /* how many are in which state */
	struct steered_counts counts; /* of the pods' own tables */
	bool node; /* the node's table has the pair, as the number-th of its family */
	size_t number;
	size_t on_cache; /* pods of the node's table that use the cache */
};

/* By cache and cluster address; of more than there is room for the others are left out. */
struct steered_total {
	size_t n;
	struct steered_sum at[STEERED_SUMS];
};
void steered_add(struct steered_total *total, const struct steered *steered);

/* The node's table as a whole, for one pair that it has. */
struct steered_pair steered_of_node(const struct steered_sum *sum, const struct steered_node *node);

/* Adds a rule's count to those of its pair; what steered_read() reads counters with. */
struct nft_counter_found;
void steered_count(struct steered_table *table, const struct nft_counter_found *found);

#endif
