/* nodecache.c: the configuration of the node's cache and of steering to it. */
#include "config/nodecache.h"
#include "config/conf.h"
#include "names.h"

/* Zone forwarders are for the node's cache; the plugin only refuses what nobody would read. */
#define UNREAD(name)                                 \
	{                                            \
		.key = (name), .read = json_read_any \
	}
#define UNREAD_IN(name, in)                                             \
	{                                                               \
		.key = (name), .read = json_read_object, .table = &(in) \
	}

static const struct json_row ca_rows[] = { UNREAD("name") };
static const struct json_table ca_table = JSON_TABLE(ca_rows, 0);
static const struct json_row tls_rows[] = { UNREAD("serverName"), UNREAD_IN("caBundle", ca_table) };
static const struct json_table tls_table = JSON_TABLE(tls_rows, 0);
static const struct json_row transport_rows[] = { UNREAD("transport"),
						  UNREAD_IN("tls", tls_table) };
static const struct json_table transport_table = JSON_TABLE(transport_rows, 0);
static const struct json_row forward_rows[] = { UNREAD("upstreams"), UNREAD("policy"),
						UNREAD_IN("transportConfig", transport_table),
						UNREAD("protocolStrategy") };
static const struct json_table forward_table = JSON_TABLE(forward_rows, 0);
static const struct json_row ttl_rows[] = { UNREAD("positiveTTL"), UNREAD("negativeTTL") };
static const struct json_table ttl_table = JSON_TABLE(ttl_rows, 0);
static const struct json_row server_rows[] = { UNREAD("name"), UNREAD("zones"),
					       UNREAD_IN("forwardPlugin", forward_table),
					       UNREAD_IN("cache", ttl_table),
					       UNREAD("clusterKnows") };
static const struct json_table server_table = JSON_TABLE(server_rows, 0);

bool nodecache_read_servers(const json_t *v, const struct json_row *row UNUSED, void *out,
			    struct err *e)
{
	static const struct json_row list = { .item = json_read_object,
					      .max = SERVERS_MAX,
					      .table = &server_table };
	const json_t *ignored;

	*(size_t *)out = json_array_size(v);
	return json_read_items(v, &list, &ignored, e);
}

#define ADDRESSES .item = json_read_addr, .size = sizeof(char *), .max = STRINGS_MAX

static const struct json_row timer_rows[] = {
	JSON_ROW("alive", json_read_uint, struct node_cache, timers.alive, .min = 20,
		 .max = 3600000),
	JSON_ROW("grace", json_read_uint, struct node_cache, timers.grace, .min = 20,
		 .max = 3600000),
	JSON_ROW("down", json_read_uint, struct node_cache, timers.down, .min = 1, .max = 86400000),
	JSON_ROW("probes", json_read_uint, struct node_cache, timers.probes, .min = 1, .max = 100),
};
static const struct json_table timer_table = JSON_TABLE(timer_rows, 0);

static const struct json_row cache_rows[] = {
	JSON_ROW("addresses", json_read_list, struct node_cache, addresses, .required = true,
		 ADDRESSES),
	JSON_ROW("fallback", json_read_list, struct node_cache, fallback, ADDRESSES),
	JSON_ROW("steer", json_read_word, struct node_cache, steer, .words = steer_names),
	JSON_ROW("failOpen", json_read_tri, struct node_cache, fail_open),
	JSON_ROW("tcp", json_read_tri, struct node_cache, tcp),
	JSON_ROW("required", json_read_bool, struct node_cache, required),
	{ .key = "timers", .read = json_read_object, .table = &timer_table },
};
static const struct json_table cache_table = JSON_TABLE(cache_rows, 0);

bool nodecache_read(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	struct node_cache *cache = out;

	cache->present = true;
	return json_decode_in(v, &cache_table, cache, e);
}

static bool same_address(const char *a, const char *b)
{
	struct addr x, y;

	return addr_parse(&x, a) && addr_parse(&y, b) && addr_same(&x, &y);
}

static bool has(const struct strings *list, size_t n, const char *address)
{
	for (size_t i = 0; i < n; i++)
		if (same_address(list->at[i], address))
			return true;
	return false;
}

static bool is_cache(const struct conf *c, const char *address)
{
	return has(&c->node_cache.addresses, c->node_cache.addresses.n, address);
}

/* Answers are told apart by who sent them: a cache is no cluster DNS, a fall-back no cache, and
 * none is there twice. */
static bool check_list(const struct conf *c, const struct strings *list,
		       bool (*taken)(const struct conf *c, const char *address), const char *by,
		       struct err *e)
{
	for (size_t i = 0; i < list->n; i++) {
		const char *address = list->at[i];

		if (taken(c, address))
			return err_set(e, ERR_CONFIG, "[%zu]: \"%s\" is in %s too", i, address, by);
		if (has(list, i, address))
			return err_set(e, ERR_CONFIG, "[%zu]: \"%s\" again", i, address);
	}
	return true;
}

/* How many cluster DNS of its family come before the address, each counted once. */
static size_t place_of(const struct conf *c, const struct addr *a)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_cluster_dns && !addr_same(&c->cluster_dns[i], a); i++) {
		bool counts = addr_is_v4(&c->cluster_dns[i]) == addr_is_v4(a);

		for (size_t j = 0; j < i; j++)
			counts = counts && !addr_same(&c->cluster_dns[i], &c->cluster_dns[j]);
		n += counts;
	}
	return n;
}

/* A cluster DNS may be the fall-back of itself alone: what goes to another is steered in turn. */
static bool check_partners(const struct conf *c, struct err *e)
{
	const struct strings *list = &c->node_cache.fallback;
	size_t n[2] = { 0, 0 };

	for (size_t i = 0; i < list->n; i++) {
		struct addr a;

		if (!addr_parse(&a, list->at[i]))
			continue;
		if (conf_is_cluster_dns(c, list->at[i]) && place_of(c, &a) != n[addr_is_v4(&a)])
			return err_set(e, ERR_CONFIG,
				       "[%zu]: \"%s\" is in clusterDNS, and not as its partner", i,
				       list->at[i]);
		n[addr_is_v4(&a)]++;
	}
	return true;
}

bool nodecache_check(const struct conf *c, struct err *e)
{
	const struct node_cache *cache = &c->node_cache;

	if (cache->present && !cache->addresses.n)
		return err_set(e, ERR_CONFIG, "nodeCache.addresses: names no address");
	if (cache->fail_open == TRI_YES && cache->steer == STEER_DNAT)
		return err_set(e, ERR_UNSUPPORTED,
			       "nodeCache.failOpen: true is not possible with nodeCache.steer "
			       "\"dnat\"");
	if (!check_list(c, &cache->addresses, conf_is_cluster_dns, "clusterDNS", e))
		return err_in(e, "nodeCache.addresses");
	if (!check_list(c, &cache->fallback, is_cache, "addresses", e) || !check_partners(c, e))
		return err_in(e, "nodeCache.fallback");
	return true;
}
