/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_status.h: where the queries of a pod go now, and how many went where.
 *
 * The kernel's tables say it: each pair has named counters (rules.h), and its sets tell where the
 * next query goes. In mode `node` the counters are for all pods together; the sets are by pod. The
 * pod's root may have changed the pod's table. So each counter and element is asked for by its
 * name: the number of questions is bounded, and so is each answer.
 */
#ifndef POD_DNS_STEER_STATUS_H
#define POD_DNS_STEER_STATUS_H

#include "nft/nl.h"
#include "state/record.h"
#include "steer/rules/steering.h"

enum steer_state {
	STEER_STATE_CACHE,    /* the cache is asked */
	STEER_STATE_FALLBACK, /* the cluster's DNS is asked */
	STEER_STATE_UNUSED,   /* the pod has not sent a query yet */
	STEER_STATE_DORMANT,  /* the table is switched off */
	STEER_STATE_MISSING,  /* the table or the namespace is gone */
};
enum { STEER_STATES = 5 };
extern const char *const steer_state_names[]; /* by the enum, NULL-terminated */

/* UDP queries, and the cache's answers to them; INT64_MAX at most, which JSON can hold. */
struct steer_counts {
	uint64_t to_cache, to_fallback, answers;
};

struct steer_status_pair {
	struct steer_pair pair;
	size_t number; /* within its family, from 1: its sets' and chains' names end in it */
	enum steer_state state;
	struct steer_counts counts; /* of a pod in mode `node`: all 0, see steer_node_status() */
};

struct steer_status {
	struct steering steering; /* of the record; mode STEER_OFF: it is not steered by rules */
	size_t n;
	struct steer_status_pair at[STEERING_PAIRS];
};

/* One table, with its counters for each pair of the family. */
struct steer_table_status {
	bool there, dormant;
	struct steer_counts counts[STEERING_PAIRS];
};

/* The node's tables, read at the first request. */
struct steer_node_status {
	struct nl nl;
	bool is_read;
	struct steer_table_status table[2]; /* v6 is 1 */
};
#define STEER_NODE_STATUS ((struct steer_node_status){ .nl = NL_CLOSED })
void steer_node_status_done(struct steer_node_status *node);
#define auto_steer_node_status \
	__attribute__((cleanup(steer_node_status_done))) struct steer_node_status

/* ERR_STEER, ERR_NETNS: the kernel gives no answer. */
bool steer_status_read(struct steer_status *out, const struct record *record,
		       struct steer_node_status *node, struct err *e);

/* *has: there is a table of the pod's own for each family that is steered. False: it is unknown. */
bool steer_status_has_table(bool *has, const struct record *record, struct err *e);

/*** in sum ***/

enum { STEER_SUMS = 64 };

struct steer_status_sum {
	struct steer_pair pair;
	size_t pods[STEER_STATES];  /* how many are in which state */
	struct steer_counts counts; /* of the pods' own tables */
	bool node; /* the node's table has the pair, with this number in its family */
	size_t number;
	size_t on_cache; /* pods of the node's table that use the cache */
};

/* Sums by cache and cluster address, as many as there is room for. */
struct steer_status_total {
	size_t n;
	struct steer_status_sum at[STEER_SUMS];
};
void steer_status_add(struct steer_status_total *total, const struct steer_status *steered);

/* The state and counters of the node's table for one of its pairs. */
struct steer_status_pair steer_status_of_node(const struct steer_status_sum *sum,
					      const struct steer_node_status *node);

#endif
