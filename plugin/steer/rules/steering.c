/* SPDX-License-Identifier: Apache-2.0 */
/* steering.c: plans which of a pod's queries go to the node's cache. */
#include "steer/rules/steering.h"
#include "arena.h"
#include "config/addr_list.h"
#include "enum_names.h"

#include <string.h>

enum steer steering_mode(const struct conf *c, const struct rule *rule)
{
	int network = c->node_cache.steer;

	if (!c->node_cache.present)
		return STEER_OFF;
	if (!rule || rule->steer == STEER_UNSET)
		return (enum steer)network;
	if (rule->steer_default && network != STEER_OFF)
		return (enum steer)network;
	return (enum steer)rule->steer;
}

bool steering_is_of(const struct steer_pair *pair, bool v6)
{
	return addr_is_v4(&pair->cluster) != v6;
}

bool steering_has(const struct steering *s, bool v6)
{
	for (size_t i = 0; i < s->n; i++)
		if (steering_is_of(&s->at[i], v6))
			return true;
	return false;
}

void steering_expect(struct steering *s)
{
	for (int v6 = 0; v6 < 2; v6++)
		s->postrouting[v6] = s->mode == STEER_POD && steering_has(s, v6);
}

bool steering_is_as_expected(const struct steering *s)
{
	struct steering expected = *s;
	bool as = true;

	steering_expect(&expected);
	for (int v6 = 0; v6 < 2; v6++)
		as = as && s->features[v6].dup && s->features[v6].socket &&
		     s->postrouting[v6] == expected.postrouting[v6];
	return as;
}

bool steering_has_fallback(const struct steering *s, const struct steer_pair *pair)
{
	return s->fail_open && !addr_same(&pair->cluster, &pair->fallback);
}

bool steering_is_named(const struct steer_pair *pair)
{
	return addr_same(&pair->cluster, &pair->cache);
}

bool steering_fails_open(const struct conf *c, const struct rule *rule)
{
	enum steer mode = steering_mode(c, rule);

	return (mode == STEER_POD || mode == STEER_NODE) && c->node_cache.fail_open != TRI_NO;
}

/* Whether the cache serves names that the cluster's DNS does not: forwarders, autopath. */
static bool knows_more(const struct conf *c)
{
	bool autopath = c->policy == CLUSTER_FIRST_WITH_AUTOPATH;

	for (size_t i = 0; i < c->rules.n; i++)
		autopath = autopath || c->rules.at[i].policy == CLUSTER_FIRST_WITH_AUTOPATH;
	return json_array_size(c->servers) || (autopath && c->autopath == AUTOPATH_CACHE);
}

static void add_pair(struct steering *s, const struct conf *c, const struct addr *cluster,
		     struct warnings *w)
{
	const struct node_cache *node = &c->node_cache;
	bool v4 = addr_is_v4(cluster);
	size_t rank = addr_list_rank(&c->cluster_dns, cluster);
	const struct addr *cache = addr_list_of_rank(&node->addresses, v4, rank);
	const struct addr *fallback = addr_list_of_rank(&node->fallback, v4, rank);
	char text[ADDR_TEXT];

	addr_print(text, cluster);
	if (!cache)
		warn(w, "unpaired", "nodeCache.addresses has no partner for %s: not steered", text);
	else if (s->n == STEERING_PAIRS)
		warn(w, "unpaired", "more than %d cluster DNS addresses: %s is not steered",
		     STEERING_PAIRS, text);
	else
		s->at[s->n++] = (struct steer_pair){
			.cluster = *cluster,
			.cache = *cache,
			.fallback = fallback ? *fallback : *cluster,
		};
}

static void add_pairs(struct steering *s, const struct conf *c, struct warnings *w)
{
	const struct addr_list *list = &c->cluster_dns;

	for (size_t i = 0; i < list->n; i++)
		if (addr_list_find(list, &list->at[i]) == i)
			add_pair(s, c, &list->at[i], w);
}

static bool is_steered(const struct steering *s, const char *server)
{
	struct addr a;

	for (size_t i = 0; addr_parse(&a, server) && i < s->n; i++)
		if (addr_same(&a, &s->at[i].cluster))
			return true;
	return false;
}

static bool asks_steered(const struct steering *s, const struct resolv *r)
{
	for (size_t i = 0; i < r->nameservers.n; i++)
		if (is_steered(s, r->nameservers.at[i].text))
			return true;
	return false;
}

bool steering_plan(struct steering *s, const struct conf *c, const struct rule *rule,
		   const struct resolv *r, struct warnings *w)
{
	const struct node_cache *cache = &c->node_cache;

	*s = (struct steering){
		.mode = steering_mode(c, rule),
		.tcp = cache->tcp == TRI_YES || (cache->tcp == TRI_UNSET && knows_more(c)),
		.features = { FEATURES_ALL, FEATURES_ALL },
		.alive = cache->timers.alive,
		.grace = cache->timers.grace,
		.down = cache->timers.down,
		.probes = cache->timers.probes,
	};
	s->fail_open = s->mode != STEER_DNAT && cache->fail_open != TRI_NO;
	s->servfail_falls_back = s->fail_open && cache->on_servfail == SERVFAIL_FALLBACK;
	if (s->mode == STEER_OFF || s->mode == STEER_NAMESERVER)
		return false;
	add_pairs(s, c, w);
	return s->n && (!r || asks_steered(s, r));
}

void steering_add_servers(struct resolv *r, const struct conf *c, const struct rule *rule,
			  struct arena *a, struct warnings *w)
{
	struct resolv_list servers = { 0 };
	struct steering s = { 0 };
	bool added = false;

	if (steering_mode(c, rule) != STEER_NAMESERVER)
		return;
	add_pairs(&s, c, w);
	for (size_t i = 0; i < r->nameservers.n; i++) {
		if (!added && is_steered(&s, r->nameservers.at[i].text))
			for (size_t j = 0; j < s.n; j++) {
				char text[ADDR_TEXT];

				if (steering_is_named(&s.at[j]))
					continue;
				addr_print(text, &s.at[j].cache);
				resolv_add(&servers,
					   resolv_word(arena_print(a, "%s", text), FROM_POLICY), a);
				added = true;
			}
		resolv_add(&servers, r->nameservers.at[i], a);
	}
	r->nameservers = servers;
}
