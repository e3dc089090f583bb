/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steered.h: reads from the kernel where the queries of a pod go now, and how many went where.
 *
 * In the plugin's tables the set `down` (on the node also `known` and others) tells where the next
 * query goes; the counters of the rules tell where those so far went. A rule is recognised by its
 * chain and its comment, which steer/rules_*.c define. In mode `node` the counters are for all pods
 * together; the sets are by pod.
 */
#ifndef POD_DNSCTL_STEERED_H
#define POD_DNSCTL_STEERED_H

#include "pod-dnsctl/inventory/view.h"
#include "nft/nl.h"
#include "steer/rules/steering.h"

enum steered_state {
	STEERED_CACHE,	  /* the cache is asked */
	STEERED_FALLBACK, /* the cluster's DNS is asked */
	STEERED_UNUSED,	  /* there was no query yet */
	STEERED_DORMANT,  /* the table is switched off */
	STEERED_MISSING,  /* the table or the namespace is gone */
};
enum { STEERED_STATES = 5 };
extern const char *const steered_names[]; /* by the enum, NULL-terminated */

/* UDP queries, and the cache's answers to them. */
struct steered_counts {
	uint64_t to_cache, to_fallback, answers;
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

/* One table, with its counters for each pair of the family. */
struct steered_table {
	bool there, dormant;
	size_t unnumbered; /* rules of mode `dnat` so far */
	struct steered_counts counts[STEERING_PAIRS];
};

/* The node's tables, read at the first request. */
struct steered_node {
	struct nl nl;
	bool is_read;
	struct steered_table table[2]; /* v6 is 1 */
};
#define STEERED_NODE ((struct steered_node){ .nl = NL_CLOSED })
void steered_node_done(struct steered_node *node);
#define auto_steered_node __attribute__((cleanup(steered_node_done))) struct steered_node

/* ERR_STEER, ERR_NETNS: the kernel gives no answer. */
bool steered_read(struct steered *out, const struct view *v, struct steered_node *node,
		  struct err *e);

/*** in sum ***/

enum { STEERED_SUMS = 64 };

struct steered_sum {
	struct steer_pair pair;
	size_t pods[STEERED_STATES];  /* how many are in which state */
	struct steered_counts counts; /* of the pods' own tables */
	bool node; /* the node's table has the pair, with this number in its family */
	size_t number;
	size_t on_cache; /* pods of the node's table that use the cache */
};

/* Sums by cache and cluster address, as many as there is room for. */
struct steered_total {
	size_t n;
	struct steered_sum at[STEERED_SUMS];
};
void steered_add(struct steered_total *total, const struct steered *steered);

/* The state and counters of the node's table for one of its pairs. */
struct steered_pair steered_of_node(const struct steered_sum *sum, const struct steered_node *node);

#endif
