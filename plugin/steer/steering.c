/* steering.c: which of a pod's DNS traffic goes to the node's cache. */
#include "steer/steering.h"
#include "arena.h"
#include "config/addrs.h"
#include "names.h"

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

bool steering_has_fallback(const struct steering *s, const struct steer_pair *pair)
{
	return s->fail_open && !addr_same(&pair->cluster, &pair->fallback);
}

static void add_pair(struct steering *s, const struct conf *c, const struct addr *cluster,
		     struct warnings *w)
{
	const struct node_cache *node = &c->node_cache;
	bool v4 = addr_is_v4(cluster);
	size_t rank = addrs_rank(&c->cluster_dns, cluster);
	const struct addr *cache = addrs_of_rank(&node->addresses, v4, rank);
	const struct addr *fallback = addrs_of_rank(&node->fallback, v4, rank);
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
	const struct addrs *list = &c->cluster_dns;

	for (size_t i = 0; i < list->n; i++)
		if (addrs_find(list, &list->at[i]) == i)
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
		.tcp = cache->tcp == TRI_YES ||
		       (cache->tcp == TRI_UNSET && json_array_size(c->servers)),
		.features = { FEATURES_ALL, FEATURES_ALL },
		.alive = cache->timers.alive,
		.grace = cache->timers.grace,
		.down = cache->timers.down,
		.probes = cache->timers.probes,
	};
	s->fail_open = s->mode != STEER_DNAT && cache->fail_open != TRI_NO;
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

				addr_print(text, &s.at[j].cache);
				resolv_add(&servers,
					   resolv_word(arena_print(a, "%s", text), FROM_POLICY));
				added = true;
			}
		resolv_add(&servers, r->nameservers.at[i]);
	}
	r->nameservers = servers;
}

/*** the record ***/

static json_t *address(const struct addr *a)
{
	char text[ADDR_TEXT];

	addr_print(text, a);
	return json_string(text);
}

static json_t *pairs(const struct steering *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n; i++)
		(void)json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "cluster",
							    address(&s->at[i].cluster), "cache",
							    address(&s->at[i].cache), "fallback",
							    address(&s->at[i].fallback)));
	return list;
}

static const char *const families[] = { "ip", "ip6" };

static json_t *features_json(const struct steering *s)
{
	json_t *object = json_object();

	for (size_t v6 = 0; v6 < LEN(families); v6++)
		if (steering_has(s, v6))
			(void)json_object_set_new(object, families[v6],
						  json_pack("{s:b, s:b}", "dup",
							    s->features[v6].dup, "socket",
							    s->features[v6].socket));
	return object;
}

static struct features parse_features(const json_t *json, const char *family)
{
	const json_t *found = json_object_get(json_object_get(json, "features"), family);

	return (struct features){ .dup = json_is_true(json_object_get(found, "dup")),
				  .socket = json_is_true(json_object_get(found, "socket")) };
}

json_t *steering_json(const struct steering *s, const struct addresses *addresses)
{
	return json_pack("{s:s, s:b, s:b, s:o, s:{s:i, s:i, s:i, s:i}, s:o, s:o}", "mode",
			 steer_names[s->mode], "failOpen", s->fail_open, "tcp", s->tcp, "features",
			 features_json(s), "timers", "alive", (int)s->alive, "grace", (int)s->grace,
			 "down", (int)s->down, "probes", (int)s->probes, "pairs", pairs(s),
			 "addresses", addresses_json(addresses));
}

static bool parse_address(struct addr *out, const json_t *pair, const char *key)
{
	const char *text = json_string_value(json_object_get(pair, key));

	return text && addr_parse(out, text);
}

static unsigned timer(const json_t *json, const char *key)
{
	return (unsigned)json_integer_value(json_object_get(json_object_get(json, "timers"), key));
}

static enum steer mode_named(const char *name)
{
	for (int i = 0; name && steer_names[i]; i++)
		if (strcmp(steer_names[i], name) == 0)
			return (enum steer)i;
	return STEER_OFF;
}

bool steering_parse(struct steering *s, const json_t *json)
{
	json_t *pair;
	size_t i;

	*s = (struct steering){
		.mode = mode_named(json_string_value(json_object_get(json, "mode"))),
		.fail_open = json_is_true(json_object_get(json, "failOpen")),
		.tcp = json_is_true(json_object_get(json, "tcp")),
		.features = { parse_features(json, families[0]),
			      parse_features(json, families[1]) },
		.alive = timer(json, "alive"),
		.grace = timer(json, "grace"),
		.down = timer(json, "down"),
		.probes = timer(json, "probes"),
	};
	json_array_foreach (json_object_get(json, "pairs"), i, pair) {
		struct steer_pair *p = &s->at[s->n];

		if (s->n < STEERING_PAIRS && parse_address(&p->cluster, pair, "cluster") &&
		    parse_address(&p->cache, pair, "cache") &&
		    parse_address(&p->fallback, pair, "fallback"))
			s->n++;
	}
	return s->mode != STEER_OFF && s->n;
}
