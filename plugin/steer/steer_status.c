/* SPDX-License-Identifier: Apache-2.0 */
/* steer_status.c: finds where a pod's queries go now. */
#include "steer/steer_status.h"
#include "cni/pod_addrs.h"
#include "nft/nft.h"
#include "steer/rules/rules.h"
#include "steer/steer_in_pod.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *const steer_state_names[] = {
	"cache", "fallback", "unused", "dormant", "missing", NULL
};

/*** counters ***/

/* A pod's root can set a counter to any value. */
static void add_packets(uint64_t *sum, uint64_t packets)
{
	*sum = packets > INT64_MAX - *sum ? INT64_MAX : *sum + packets;
}

static void add_counts(struct steer_counts *sum, const struct steer_counts *more)
{
	add_packets(&sum->to_cache, more->to_cache);
	add_packets(&sum->to_fallback, more->to_fallback);
	add_packets(&sum->answers, more->answers);
}

/*** a table ***/

/* ENOENT is not an error: the object does not exist. */
static bool is_absent(int refused, struct err *e)
{
	if (refused != ENOENT)
		return false;
	err_clear(e);
	return true;
}

/* The counter of a pair. False without an error: the table does not have it. */
static bool read_counter(uint64_t *packets, const struct nl *nl, bool v6, const char *name,
			 size_t number, struct err *e)
{
	char counter[32];
	uint64_t found;
	int refused = 0;

	(void)snprintf(counter, sizeof(counter), "%s-%zu", name, number);
	if (!nft_read_counter(nl, v6, RULES_TABLE, counter, &found, &refused, e))
		(void)is_absent(refused, e);
	if (refused)
		return false;
	add_packets(packets, found);
	return true;
}

/* Pairs are numbered from 1. All have RULES_TO_CACHE, and some modes only that. */
static bool read_counts(struct steer_table_status *table, const struct nl *nl, bool v6,
			struct err *e)
{
	for (size_t i = 0; i < STEERING_PAIRS; i++) {
		struct steer_counts *counts = &table->counts[i];

		if (!read_counter(&counts->to_cache, nl, v6, RULES_TO_CACHE, i + 1, e))
			break;
		(void)read_counter(&counts->to_fallback, nl, v6, RULES_TO_FALLBACK, i + 1, e);
		(void)read_counter(&counts->answers, nl, v6, RULES_ANSWERS, i + 1, e);
	}
	return !e->code;
}

static bool read_table(struct steer_table_status *table, const struct nl *nl, bool v6,
		       struct err *e)
{
	struct nft_table_found found;
	int refused = 0;

	*table = (struct steer_table_status){ .there = false };
	if (!nft_find_table(nl, v6, RULES_TABLE, &found, &refused, e))
		return is_absent(refused, e);
	table->there = true;
	table->dormant = found.dormant;
	return read_counts(table, nl, v6, e);
}

/* Whether the pair's own set of that name has the pod. */
static bool has_element(bool *has, const struct nl *nl, const struct steer_status_pair *p,
			const char *name, const struct addr *pod, struct err *e)
{
	struct nft_element_found found;
	uint8_t key[NFT_KEY];
	size_t len = rules_switch_key(key, pod);
	char set[32];
	int refused = 0;

	(void)snprintf(set, sizeof(set), "%s-%zu", name, p->number);
	*has = nft_find_element(nl, !addr_is_v4(&p->pair.cluster), RULES_TABLE, set, key, len,
				&found, &refused, e);
	return *has || is_absent(refused, e);
}

/*** a pair ***/

/*
 * For a pod with its own table. It is in `down` from the beginning. If it is not, the cache has
 * answered, or the pod has sent nothing for as long as `down` lasts: the counters tell which.
 */
static bool pod_state(struct steer_status_pair *p, const struct steering *s, const struct nl *nl,
		      struct err *e)
{
	bool down = false;

	if (!p->counts.to_cache && !p->counts.to_fallback) {
		p->state = STEER_STATE_UNUSED;
		return true;
	}
	if (s->fail_open && !has_element(&down, nl, p, "down", NULL, e))
		return false;
	p->state = down || !p->counts.to_cache ? STEER_STATE_FALLBACK : STEER_STATE_CACHE;
	return true;
}

/*
 * The sets that decide, in this order. A query puts the pod into `sent`, and its arrival at the
 * cache takes it out: if it stays there, something stops queries on their way. `known` lasts from
 * the first answer to a probe for as long as the pod sends queries.
 */
static const struct {
	const char *set;
	enum steer_state state;
} node_says[] = { { "down", STEER_STATE_FALLBACK }, { "alive", STEER_STATE_CACHE },
		  { "sent", STEER_STATE_FALLBACK }, { "known", STEER_STATE_CACHE },
		  { "asked", STEER_STATE_CACHE },   { "probed", STEER_STATE_FALLBACK } };

/* The state of one pod on the node. */
static bool node_pod_state(struct steer_status_pair *p, const struct addr *pod, const struct nl *nl,
			   struct err *e)
{
	for (size_t i = 0; i < LEN(node_says); i++) {
		bool has;

		if (!has_element(&has, nl, p, node_says[i].set, pod, e))
			return false;
		if (has) {
			p->state = node_says[i].state;
			return true;
		}
	}
	return true;
}

/*** a record ***/

static void fill_pairs(struct steer_status *out, const struct steer_table_status table[static 2])
{
	size_t number[2] = { 0, 0 };

	out->n = out->steering.n;
	for (size_t i = 0; i < out->n; i++) {
		bool v6 = !addr_is_v4(&out->steering.at[i].cluster);

		out->at[i] = (struct steer_status_pair){ .pair = out->steering.at[i] };
		out->at[i].counts = table[v6].counts[number[v6]++];
		out->at[i].number = number[v6];
		out->at[i].state = !table[v6].there    ? STEER_STATE_MISSING
				   : table[v6].dormant ? STEER_STATE_DORMANT
						       : STEER_STATE_UNUSED;
	}
}

/* In the pod's namespace: steer_in_pod(). */
static bool read_work(const struct nl *nl, void *data, struct err *e)
{
	struct steer_table_status table[2] = { { .there = false }, { .there = false } };
	struct steer_status *out = data;

	for (int v6 = 0; v6 < 2; v6++)
		if (steering_has(&out->steering, v6) && !read_table(&table[v6], nl, v6, e))
			return false;
	fill_pairs(out, table);
	for (size_t i = 0; i < out->n; i++)
		if (out->at[i].state == STEER_STATE_UNUSED &&
		    !pod_state(&out->at[i], &out->steering, nl, e))
			return false;
	return true;
}

static bool read_pod_tables(struct steer_status *out, const struct record_netns *netns,
			    struct err *e)
{
	static const struct steer_table_status missing[2] = { { .there = false } };
	const struct steer_place where = { .known = netns, .path = "" };
	bool there = false;

	if (netns->path && !steer_in_pod(&where, read_work, out, sizeof(*out), &there, e))
		return false;
	if (!there)
		fill_pairs(out, missing);
	return true;
}

/*** the node ***/

static bool read_node_tables(struct steer_node_status *node, struct err *e)
{
	if (node->is_read)
		return true;
	if (!nl_open_in(&node->nl, -1, e))
		return false;
	for (int v6 = 0; v6 < 2; v6++)
		if (!read_table(&node->table[v6], &node->nl, v6, e))
			return false;
	node->is_read = true;
	return true;
}

static bool read_on_node(struct steer_status *out, const struct record *record,
			 struct steer_node_status *node, struct err *e)
{
	const struct pod_addrs *list = &record->steering.pod_addrs;

	if (!read_node_tables(node, e))
		return false;
	fill_pairs(out, node->table);
	for (size_t i = 0; i < out->n; i++) {
		struct steer_status_pair *p = &out->at[i];
		struct steer_counts counts = p->counts;

		p->counts = (struct steer_counts){ 0 };
		if (p->state == STEER_STATE_UNUSED && !out->steering.fail_open)
			p->state = counts.to_cache ? STEER_STATE_CACHE : STEER_STATE_UNUSED;
		for (size_t a = 0; out->steering.fail_open && a < list->n; a++)
			if (p->state == STEER_STATE_UNUSED &&
			    addr_is_v4(&list->at[a]) == addr_is_v4(&p->pair.cache) &&
			    !node_pod_state(p, &list->at[a], &node->nl, e))
				return false;
	}
	return true;
}

void steer_node_status_done(struct steer_node_status *node)
{
	nl_close(&node->nl);
	*node = STEER_NODE_STATUS;
}

bool steer_status_read(struct steer_status *out, const struct record *record,
		       struct steer_node_status *node, struct err *e)
{
	out->n = 0;
	out->steering = record->steering.plan;
	if (!record_has_steering(record) || record->mode != MODE_ENFORCE)
		return true;
	if (out->steering.mode == STEER_NODE)
		return read_on_node(out, record, node, e);
	return read_pod_tables(out, &record->netns, e);
}

bool steer_status_has_table(bool *has, const struct record *record, struct err *e)
{
	static struct steer_status found; /* large */
	struct steer_node_status node = STEER_NODE_STATUS;

	*has = true;
	if (!steer_status_read(&found, record, &node, e))
		return false;
	for (size_t i = 0; i < found.n; i++)
		*has &= found.at[i].state != STEER_STATE_MISSING;
	return true;
}

/*** in sum ***/

static struct steer_status_sum *sum_of(struct steer_status_total *total,
				       const struct steer_pair *pair)
{
	for (size_t i = 0; i < total->n; i++)
		if (addr_same(&total->at[i].pair.cluster, &pair->cluster) &&
		    addr_same(&total->at[i].pair.cache, &pair->cache))
			return &total->at[i];
	if (total->n == STEER_SUMS)
		return NULL;
	total->at[total->n] = (struct steer_status_sum){ .pair = *pair };
	return &total->at[total->n++];
}

void steer_status_add(struct steer_status_total *total, const struct steer_status *steered)
{
	size_t number[2] = { 0, 0 };

	for (size_t i = 0; i < steered->n; i++) {
		const struct steer_status_pair *p = &steered->at[i];
		struct steer_status_sum *sum = sum_of(total, &p->pair);
		size_t own = number[!addr_is_v4(&p->pair.cluster)]++;

		if (!sum)
			return;
		sum->pods[p->state]++;
		if (steered->steering.mode == STEER_NODE) {
			sum->node = true;
			sum->number = own;
			sum->on_cache += p->state == STEER_STATE_CACHE;
			continue;
		}
		add_counts(&sum->counts, &p->counts);
	}
}

struct steer_status_pair steer_status_of_node(const struct steer_status_sum *sum,
					      const struct steer_node_status *node)
{
	const struct steer_table_status *table = &node->table[!addr_is_v4(&sum->pair.cluster)];
	struct steer_status_pair pair = { .pair = sum->pair, .counts = table->counts[sum->number] };

	pair.state = !table->there					 ? STEER_STATE_MISSING
		     : table->dormant					 ? STEER_STATE_DORMANT
		     : !pair.counts.to_cache && !pair.counts.to_fallback ? STEER_STATE_UNUSED
		     : sum->on_cache					 ? STEER_STATE_CACHE
									 : STEER_STATE_FALLBACK;
	return pair;
}
