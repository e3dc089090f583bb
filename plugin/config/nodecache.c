/* SPDX-License-Identifier: Apache-2.0 */
/* nodecache.c: the configuration of the node's cache and of steering to it. */
#include "config/nodecache.h"
#include "config/addr_list.h"
#include "enum_names.h"

/* A list of addresses, without duplicates. */
static bool read_caches(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	const struct addr_list *list = out;

	if (!addr_list_read(v, row, out, e))
		return false;
	for (size_t i = 0; i < list->n; i++)
		if (addr_list_find(list, &list->at[i]) < i)
			return json_fault_value(json_array_get(v, i), e, "again") ||
			       err_in(e, "[%zu]", i);
	return true;
}

#define ADDRESSES                                                                    \
	.item = json_read_addr, .like = json_read_list, .size = sizeof(struct addr), \
	.max = STRINGS_MAX

static const struct json_row timer_rows[] = {
	JSON_ROW("alive", json_read_uint, struct node_cache, timers.alive, .min = 20,
		 .max = 3600000,
		 .about = "How long an answer speaks for the cache, in milliseconds."),
	JSON_ROW("grace", json_read_uint, struct node_cache, timers.grace, .min = 20,
		 .max = 3600000,
		 .about = "How long an answer to what was asked after a rest may take, in "
			  "milliseconds."),
	JSON_ROW("down", json_read_uint, struct node_cache, timers.down, .min = 20, .max = 86400000,
		 .about = "How long what is known of a silent cache is kept, in milliseconds."),
	JSON_ROW("probes", json_read_uint, struct node_cache, timers.probes, .min = 1, .max = 100,
		 .about = "How many copies of live queries ask a cache that is out, each second."),
};
static const struct json_table timer_table = JSON_TABLE(timer_rows, 0);

static const struct json_row cache_rows[] = {
	JSON_ROW("addresses", read_caches, struct node_cache, addresses, .required = true,
		 ADDRESSES, .min = 1, .about = "The cache's addresses."),
	JSON_ROW("fallback", read_caches, struct node_cache, fallback, ADDRESSES,
		 .about = "The servers for queries while the cache is out, paired like addresses."),
	JSON_ROW("steer", json_read_word, struct node_cache, steer, .words = steer_names,
		 .about = "How queries get to the cache."),
	JSON_ROW("failOpen", json_read_tri, struct node_cache, fail_open,
		 .about = "Whether queries go to the fallback while the cache is out. False: they "
			  "go to the cache whatever its state."),
	JSON_ROW("tcp", json_read_tri, struct node_cache, tcp, .about = "Steers TCP too."),
	JSON_ROW("onServfail", json_read_word, struct node_cache, on_servfail,
		 .words = on_servfail_names,
		 .about = "The treatment of a retry after the cache failed a question: the cache "
			  "is asked again, or the fallback is asked."),
	JSON_ROW("required", json_read_bool, struct node_cache, required,
		 .about = "An ADD fails if its rules cannot be installed."),
	{ .key = "timers",
	  .read = json_read_object,
	  .table = &timer_table,
	  .about = "The times by which the switch decides." },
};
const struct json_table nodecache_table = JSON_TABLE(cache_rows, 0);

bool nodecache_read(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	struct node_cache *cache = out;

	cache->present = true;
	return json_decode_in(v, row->table, cache, e);
}

/*** checks of several keys together ***/

static bool refuse_address(const struct addr *a, size_t i, struct err *e, const char *why)
{
	char text[ADDR_TEXT];

	addr_print(text, a);
	return err_set(e, ERR_CONFIG, "[%zu]: \"%s\" %s", i, text, why);
}

/* The rules tell answers apart by their sender: the lists may share no address. */
static bool check_apart(const struct addr_list *list, size_t i, const struct addr_list *other,
			const char *in_other, struct err *e)
{
	return !addr_list_have(other, &list->at[i]) || refuse_address(&list->at[i], i, e, in_other);
}

/* A fall-back may be a cluster DNS only if it is its own: queries to another one are steered. */
static bool check_partner(const struct conf *c, size_t i, struct err *e)
{
	const struct addr_list *list = &c->node_cache.fallback;
	const struct addr *a = &list->at[i];

	return !addr_list_have(&c->cluster_dns, a) ||
	       addr_list_rank(&c->cluster_dns, a) == addr_list_rank(list, a) ||
	       refuse_address(a, i, e, "is in clusterDNS, and not as its partner");
}

/* Pods may name the cache itself, if there is another server for while it is out. */
static bool check_named(const struct conf *c, size_t i, struct err *e)
{
	const struct addr_list *list = &c->node_cache.addresses;
	const struct addr *a = &list->at[i];
	const size_t rank = addr_list_rank(list, a);

	if (!addr_list_have(&c->cluster_dns, a))
		return true;
	if (addr_list_rank(&c->cluster_dns, a) != rank)
		return refuse_address(a, i, e, "is in clusterDNS too, and not as its partner");
	return addr_list_of_rank(&c->node_cache.fallback, addr_is_v4(a), rank) ||
	       refuse_address(a, i, e, "is in clusterDNS too, and has no partner in fallback");
}

static bool check_cache_addresses(const struct conf *c, struct err *e)
{
	const struct addr_list *list = &c->node_cache.addresses;
	bool good = true;

	for (size_t i = 0; i < list->n; i++) {
		bool done = check_named(c, i, e) || err_in(e, "nodeCache.addresses");

		if (!err_continue(e, done, &good))
			return false;
	}
	return good;
}

static bool check_cache_fallback(const struct conf *c, struct err *e)
{
	const struct addr_list *list = &c->node_cache.fallback;
	bool good = true;

	for (size_t i = 0; i < list->n; i++) {
		bool done =
			(check_apart(list, i, &c->node_cache.addresses, "is in addresses too", e) &&
			 check_partner(c, i, e)) ||
			err_in(e, "nodeCache.fallback");

		if (!err_continue(e, done, &good))
			return false;
	}
	return good;
}

static bool has_named(const struct conf *c)
{
	const struct addr_list *list = &c->node_cache.addresses;

	for (size_t i = 0; i < list->n; i++)
		if (addr_list_have(&c->cluster_dns, &list->at[i]) && check_named(c, i, NULL))
			return true;
	return false;
}

/* If pods name the cache, only rules that fall back do something. */
static bool check_named_modes(const struct conf *c, struct err *e)
{
	static const char why[] = "is not possible if clusterDNS names the cache";

	if (c->node_cache.steer == STEER_DNAT)
		return err_set(e, ERR_UNSUPPORTED, "nodeCache.steer: \"dnat\" %s", why);
	if (c->node_cache.fail_open == TRI_NO)
		return err_set(e, ERR_UNSUPPORTED, "nodeCache.failOpen: false %s", why);
	for (size_t i = 0; i < c->rules.n; i++)
		if (c->rules.at[i].steer == STEER_DNAT)
			return err_set(e, ERR_UNSUPPORTED, "rules[%zu].steer: \"dnat\" %s", i, why);
	return true;
}

static bool check_cache_modes(const struct conf *c, struct err *e)
{
	const struct node_cache *cache = &c->node_cache;

	if (has_named(c) && !check_named_modes(c, e))
		return false;
	if (cache->fail_open == TRI_YES && cache->steer == STEER_DNAT)
		return err_set(
			e, ERR_UNSUPPORTED,
			"nodeCache.failOpen: true is not possible with nodeCache.steer \"dnat\"");
	return true;
}

bool nodecache_check(const struct conf *c, struct err *e)
{
	bool good = true;

	return err_continue(e, check_cache_modes(c, e), &good) &&
	       err_continue(e, check_cache_addresses(c, e), &good) &&
	       err_continue(e, check_cache_fallback(c, e), &good) && good;
}
