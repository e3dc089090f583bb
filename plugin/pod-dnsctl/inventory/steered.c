/* SPDX-License-Identifier: Apache-2.0 */
/* steered.c: finds where a pod's queries go now. */
#include "pod-dnsctl/inventory/steered.h"
#include "cni/pod_addrs.h"
#include "nft/nft.h"
#include "steer/rules/rules.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *const steered_names[] = { "cache", "fallback", "unused", "dormant", "missing", NULL };

/*** what each rule's counter means ***/

enum what { TO_CACHE, TO_CLUSTER, ANSWERS };

/*
 * The name of a pair's own chain ends in its number: "query-1". Mode `dnat` has one chain, with
 * rules in the order of the pairs. From "ask" on they are of tables that earlier versions made.
 */
static const struct {
	const char *chain, *comment;
	enum what what;
} rules[] = {
	{ "query", "to the cache, whatever its state", TO_CACHE },
	{ "query", "alive, and nothing special: ask the cache", TO_CACHE },
	{ "query", "no: to the cluster's DNS", TO_CLUSTER },
	{ "query", "this port asks the cache itself: leave the rest to the cluster's DNS",
	  TO_CLUSTER },
	{ "direct-query", "this port asks the cache itself: leave the rest to the cluster's DNS",
	  TO_CLUSTER },
	{ "direct-query", "a port that was not noted may have asked", TO_CLUSTER },
	{ "query", "probe the cache with the query itself", TO_CACHE },
	{ "query", "to the cluster's DNS", TO_CLUSTER },
	{ "switch", "to the cluster's DNS", TO_CLUSTER },
	{ "decide", "alive: ask the cache", TO_CACHE },
	{ "decide", "it owes an answer, for a moment only: ask the cache", TO_CACHE },
	{ "decide", "idle: ask the cache, and wait for it", TO_CACHE },
	{ "decide", "it failed that question a moment ago: ask the cluster's DNS", TO_CLUSTER },
	{ "probe", "probe the cache with the query itself", TO_CACHE },
	{ "answer", "as if from the cluster's DNS", ANSWERS },
	{ "out", "queries to the cache", TO_CACHE },
	{ "ask", "alive, and nothing special: ask the cache", TO_CACHE },
	{ "ask", "no: to the cluster's DNS", TO_CLUSTER },
	{ "suspect", "for a moment only: ask the cache", TO_CACHE },
	{ "fall-back", "probe the cache with the query itself", TO_CACHE },
	{ "fall-back", "the query behind a probe is none: to the cluster's DNS", TO_CLUSTER },
	{ "fall-back", "to the cluster's DNS", TO_CLUSTER },
	{ "probe", "to the cluster's DNS", TO_CLUSTER },
	{ "restore", "as if from the cluster's DNS", ANSWERS },
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
		counts->to_fallback += packets;
	else
		counts->answers += packets;
}

/* Adds a rule's counter to its pair's in a struct steered_table. */
static void steered_count(const struct nft_counter_found *found, void *context)
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

/*** a table ***/

/* ENOENT is no fault: the object does not exist. */
static bool is_absent(int refused, struct err *e)
{
	if (refused != ENOENT)
		return false;
	err_clear(e);
	return true;
}

static bool read_table(struct steered_table *table, const struct nl *nl, bool v6, struct err *e)
{
	struct nft_table_found found;
	int refused = 0;

	*table = (struct steered_table){ .there = false };
	if (!nft_find_table(nl, v6, RULES_TABLE, &found, &refused, e))
		return is_absent(refused, e);
	table->there = true;
	table->dormant = found.dormant;
	if (!nft_each_counter(nl, v6, RULES_TABLE, steered_count, table, &refused, e))
		return is_absent(refused, e);
	return true;
}

static bool set_has(bool *has, const struct nl *nl, const struct steered_pair *p, const char *set,
		    const uint8_t key[static NFT_KEY], size_t len, struct err *e)
{
	struct nft_element_found found;
	int refused = 0;

	*has = nft_find_element(nl, !addr_is_v4(&p->pair.cluster), RULES_TABLE, set, key, len,
				&found, &refused, e);
	return *has || is_absent(refused, e);
}

/* A pair's own set of that name, in which the pod is the key. */
static bool has_element(bool *has, const struct nl *nl, const struct steered_pair *p,
			const char *name, const struct addr *pod, struct err *e)
{
	uint8_t key[NFT_KEY];
	size_t len = rules_switch_key(key, pod);
	char set[32];

	(void)snprintf(set, sizeof(set), "%s-%zu", name, p->number);
	return set_has(has, nl, p, set, key, len, e);
}

/* Up to version 0.8 pairs shared their sets, and the cache was the key. */
static bool was_down(bool *has, const struct nl *nl, const struct steered_pair *p, struct err *e)
{
	uint8_t key[NFT_KEY];
	size_t len = rules_pod_key(key, &p->pair.cache);

	return set_has(has, nl, p, "down", key, len, e);
}

/*** a pair ***/

/*
 * For a pod with its own table. It is in `down` from the beginning. If it is not, the cache has
 * answered, or there was no query for as long as `down` lasts: the counters tell which.
 */
static bool pod_state(struct steered_pair *p, const struct steering *s, const struct nl *nl,
		      struct err *e)
{
	bool down = false;

	if (!p->counts.to_cache && !p->counts.to_fallback) {
		p->state = STEERED_UNUSED;
		return true;
	}
	if (s->fail_open &&
	    (!has_element(&down, nl, p, "down", NULL, e) || (!down && !was_down(&down, nl, p, e))))
		return false;
	p->state = down || !p->counts.to_cache ? STEERED_FALLBACK : STEERED_CACHE;
	return true;
}

/*
 * The sets that decide, in this order. A query puts the pod into `sent`, and its arrival at the
 * cache takes it out: if it stays there, something stops queries on their way. `known` lasts from
 * the first answer to a probe for as long as the pod sends queries.
 */
static const struct {
	const char *set;
	enum steered_state state;
} node_says[] = { { "down", STEERED_FALLBACK }, { "alive", STEERED_CACHE },
		  { "sent", STEERED_FALLBACK }, { "known", STEERED_CACHE },
		  { "asked", STEERED_CACHE },	{ "probed", STEERED_FALLBACK } };

/* Of one pod on the node. */
static bool node_pod_state(struct steered_pair *p, const struct addr *pod, const struct nl *nl,
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

static void fill_pairs(struct steered *out, const struct steered_table table[static 2])
{
	size_t number[2] = { 0, 0 };

	out->n = out->steering.n;
	for (size_t i = 0; i < out->n; i++) {
		bool v6 = !addr_is_v4(&out->steering.at[i].cluster);

		out->at[i] = (struct steered_pair){ .pair = out->steering.at[i] };
		out->at[i].counts = table[v6].counts[number[v6]++];
		out->at[i].number = number[v6];
		out->at[i].state = !table[v6].there    ? STEERED_MISSING
				   : table[v6].dormant ? STEERED_DORMANT
						       : STEERED_UNUSED;
	}
}

static bool read_pod_tables(struct steered *out, const struct view *v, struct err *e)
{
	struct steered_table table[2] = { { .there = false }, { .there = false } };
	auto_fd netns = view_open_netns(v);
	auto_nl nl = NL_CLOSED;

	if (netns >= 0 && !nl_open_in(&nl, netns, e))
		return false;
	for (int v6 = 0; netns >= 0 && v6 < 2; v6++)
		if (steering_has(&out->steering, v6) && !read_table(&table[v6], &nl, v6, e))
			return false;
	fill_pairs(out, table);
	for (size_t i = 0; i < out->n; i++)
		if (out->at[i].state == STEERED_UNUSED &&
		    !pod_state(&out->at[i], &out->steering, &nl, e))
			return false;
	return true;
}

/*** the node ***/

static bool read_node_tables(struct steered_node *node, struct err *e)
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

static bool read_on_node(struct steered *out, const struct view *v, struct steered_node *node,
			 struct err *e)
{
	const struct pod_addrs *list = &v->record.steering.pod_addrs;

	if (!read_node_tables(node, e))
		return false;
	fill_pairs(out, node->table);
	for (size_t i = 0; i < out->n; i++) {
		struct steered_pair *p = &out->at[i];
		struct steered_counts counts = p->counts;

		p->counts = (struct steered_counts){ 0 };
		if (p->state == STEERED_UNUSED && !out->steering.fail_open)
			p->state = counts.to_cache ? STEERED_CACHE : STEERED_UNUSED;
		for (size_t a = 0; out->steering.fail_open && a < list->n; a++)
			if (p->state == STEERED_UNUSED &&
			    addr_is_v4(&list->at[a]) == addr_is_v4(&p->pair.cache) &&
			    !node_pod_state(p, &list->at[a], &node->nl, e))
				return false;
	}
	return true;
}

void steered_node_done(struct steered_node *node)
{
	nl_close(&node->nl);
	*node = STEERED_NODE;
}

bool steered_read(struct steered *out, const struct view *v, struct steered_node *node,
		  struct err *e)
{
	out->n = 0;
	out->steering = v->record.steering.plan;
	if (!record_has_steering(&v->record) || v->record.mode != MODE_ENFORCE)
		return true;
	if (out->steering.mode == STEER_NODE)
		return read_on_node(out, v, node, e);
	return read_pod_tables(out, v, e);
}

/*** in sum ***/

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
		sum->counts.to_fallback += p->counts.to_fallback;
	}
}

struct steered_pair steered_of_node(const struct steered_sum *sum, const struct steered_node *node)
{
	const struct steered_table *table = &node->table[!addr_is_v4(&sum->pair.cluster)];
	struct steered_pair pair = { .pair = sum->pair, .counts = table->counts[sum->number] };

	pair.state = !table->there					 ? STEERED_MISSING
		     : table->dormant					 ? STEERED_DORMANT
		     : !pair.counts.to_cache && !pair.counts.to_fallback ? STEERED_UNUSED
		     : sum->on_cache					 ? STEERED_CACHE
									 : STEERED_FALLBACK;
	return pair;
}
