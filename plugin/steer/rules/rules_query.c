/* SPDX-License-Identifier: Apache-2.0 */
/* rules_query.c: a pair's chains for UDP queries. */
#include "steer/rules/rules_private.h"

#include <linux/netfilter.h>

/* `grace` on the node, until the query has reached the cache. */
enum { AT_ONCE = EXPIRE };

void rules_use_cache(struct rules_ctx *m)
{
	rules_count(m, RULES_TO_CACHE);
	rules_accept(m);
}

void rules_fall_back(struct rules_ctx *m)
{
	rules_to_fallback(m);
	rules_count(m, RULES_TO_FALLBACK);
}

/* An answer is due once the query is sent (in a pod) or has reached the cache (on the node). */
static const char *set_of_query(const struct rules_ctx *m)
{
	return m->node ? "sent" : "asked";
}

/*
 * Fast path. A pod in `alive` and not in `special` cannot be in `direct`, `down` or `failed`, so
 * these are not looked up. The time in which an answer is due begins anew with each.
 */
static void ask_alive(struct rules_ctx *m)
{
	own_rule (m, "query", "alive, and nothing special: ask the cache") {
		rules_load_switch(m, RULES_QUERY);
		nft_lookup_inverted(m->b, NFT_REG_1, "special");
		rules_lookup(m, "alive");
		rules_note_under_way(m);
		rules_to_cache(m);
		if (m->needs_socket)
			rules_match_socket(m);
		rules_update(m, set_of_query(m), 0);
		rules_use_cache(m);
	}
}

/* `decide` accepts the packet if it goes to the cache. Otherwise it returns, and the next rule
 * sends the packet to the fallback. */
static void decide_unless_down(struct rules_ctx *m)
{
	rules_load_switch(m, RULES_QUERY);
	rules_lookup_inverted(m, "down");
	rules_note_under_way(m);
	rules_jump(m, "decide");
}

/* Whether a socket is bound is known once the query has the cache's address. */
static void ask_socket(struct rules_ctx *m)
{
	own_rule (m, "query", "is a socket bound to the cache's address right now?") {
		rules_to_cache(m);
		rules_match_socket(m);
		rules_goto(m, "switch");
	}
	own_rule (m, "query", "no: to the cluster's DNS")
		rules_fall_back(m);
	own_rule (m, "switch", "not out: is it in a state to answer?")
		decide_unless_down(m);
}

static void ask_switch(struct rules_ctx *m)
{
	own_rule (m, "query", "to the cache, if it is not out, and in a state to answer") {
		rules_to_cache(m);
		decide_unless_down(m);
	}
}

static void leave_failed(struct rules_ctx *m)
{
	own_rule (m, "decide", "it failed that question a moment ago: ask the cluster's DNS") {
		rules_load_question(m, RULES_QUERY);
		nft_lookup(m->b, NFT_REG_1, "failed");
		rules_fall_back(m);
		nft_verdict(m->b, NF_ACCEPT);
	}
}

static void decide_alive(struct rules_ctx *m)
{
	if (m->s->servfail_falls_back)
		leave_failed(m);
	own_rule (m, "decide", "alive: ask the cache") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup(m, "alive");
		rules_update(m, set_of_query(m), 0);
		rules_use_cache(m);
	}
	own_rule (m, "decide", "it owes an answer, for a moment only: ask the cache") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup(m, "grace");
		rules_use_cache(m);
	}
}

/* A filter may stop this pod's queries, and not the node's copies, while the cache works. */
static void leave_closed(struct rules_ctx *m)
{
	own_rule (m, "decide", "a query did not get there: for a minute ask the cluster's DNS") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup(m, "sent");
		nft_verdict(m->b, NFT_RETURN);
	}
}

/* On the node `grace` is short here; chain `arrive` prolongs it. */
static void ask_and_wait(struct rules_ctx *m)
{
	rules_update(m, set_of_query(m), 0);
	rules_update(m, "grace", m->node ? AT_ONCE : 0);
	rules_use_cache(m);
}

static void decide_idle(struct rules_ctx *m)
{
	own_rule (m, "decide", "idle: ask the cache, and wait for it") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup_inverted(m, "asked");
		if (m->node && m->features.dup) {
			rules_lookup(m, "known");
			rules_update(m, "known", 0);
		}
		ask_and_wait(m);
	}
	if (m->node && m->features.dup)
		own_rule (m, "decide",
			  "there was no room in known, and it is known of late: idle") {
			rules_load_switch(m, RULES_QUERY);
			rules_lookup_inverted(m, "asked");
			rules_lookup(m, "known-lately");
			ask_and_wait(m);
		}
}

static void decide_udp(struct rules_ctx *m)
{
	decide_alive(m);
	if (m->node)
		leave_closed(m);
	own_rule (m, "decide", "it owes an answer for too long: take it out") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup(m, "asked");
		rules_update(m, "down", 0);
	}
	decide_idle(m);
}

/*
 * A query over IPv4 may come without a checksum, and must not get one. NFT_PAYLOAD_CSUM_INET would
 * update it even so; the pseudo-header flag updates the transport's checksum only where there is
 * one.
 */
static void write_source_port(struct rules_ctx *m, uint32_t sreg)
{
	nft_payload_write(m->b, sreg, PORT, NFT_PAYLOAD_TRANSPORT_HEADER, SOURCE_PORT,
			  (struct nft_csum){ NFT_PAYLOAD_CSUM_NONE, 0,
					     NFT_PAYLOAD_L4CSUM_PSEUDOHDR });
}

/* Register 2 keeps the client's port while the copy is sent from the probe port. */
static void send_copy(struct rules_ctx *m)
{
	nft_payload_load(m->b, PORT, NFT_PAYLOAD_TRANSPORT_HEADER, SOURCE_PORT, NFT_REG_2);
	nft_immediate(m->b, NFT_REG_1, rules_probe_port, PORT);
	write_source_port(m, NFT_REG_1);
	nft_immediate(m->b, NFT_REG_1, rules_bytes(m, &m->pair->cache), m->family->len);
	nft_dup(m->b, NFT_REG_1);
	write_source_port(m, NFT_REG_2);
}

/* A copy is free. A live query to a dead cache makes its client wait, so those are rarer. */
static struct nft_rate rate_of_probes(const struct rules_ctx *m)
{
	return m->features.dup ? (struct nft_rate){ m->s->probes, 1, 1 }
			       : (struct nft_rate){ 2, 60, 1 };
}

static void probe(struct rules_ctx *m)
{
	rules_update(m, "down", 0);
	if (m->features.dup)
		send_copy(m);
	else
		rules_use_cache(m);
}

static const char *phrase_of_probe(const struct rules_ctx *m)
{
	return m->features.dup ? "probe the cache with a copy of the query"
			       : "probe the cache with the query itself";
}

static void fall_back_in_pod(struct rules_ctx *m, const char *chain)
{
	own_rule (m, chain, phrase_of_probe(m)) {
		nft_limit(m->b, rate_of_probes(m));
		if (m->features.dup)
			rules_note_copy_under_way(m);
		else
			rules_note_under_way(m);
		rules_load_switch(m, RULES_QUERY);
		probe(m);
	}
}

static void watch_copies(struct rules_ctx *m)
{
	own_rule (m, "probe", "no copy was answered for a while: it is not the pod's way") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup(m, "copied");
		rules_lookup_inverted(m, "copied-now");
		rules_expire_own(m, "sent");
	}
	own_rule (m, "probe", "the first copy since an answer to one: wait for the next a while") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup_inverted(m, "copied");
		rules_update(m, "copied", 0);
		rules_update(m, "copied-now", 0);
	}
}

static void fall_back_on_node(struct rules_ctx *m, const char *chain)
{
	own_rule (m, chain, "now and then probe the cache") {
		rules_load_switch(m, RULES_QUERY);
		nft_dynset_update_limited(m->b, NFT_REG_1, rules_own(m, "probed"),
					  rate_of_probes(m));
		rules_jump(m, "probe");
	}
	if (m->features.dup) {
		watch_copies(m);
		own_rule (m, "probe",
			  "out until an answer; without room it is probed all the same") {
			rules_load_switch(m, RULES_QUERY);
			rules_update(m, "down", 0);
		}
		own_rule (m, "probe", phrase_of_probe(m))
			send_copy(m);
		return;
	}
	own_rule (m, "probe", phrase_of_probe(m)) {
		rules_load_switch(m, RULES_QUERY);
		probe(m);
	}
}

static void fall_back(struct rules_ctx *m, const char *chain)
{
	if (m->node)
		fall_back_on_node(m, chain);
	else
		fall_back_in_pod(m, chain);
	own_rule (m, chain, "to the cluster's DNS")
		rules_fall_back(m);
}

/* Behind all filters: begins the time in which an answer is due. */
static void arrive(struct rules_ctx *m)
{
	own_rule (m, "arrive", "the first since an answer: wait for the next a moment") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup_inverted(m, "asked");
		rules_update(m, "grace", 0);
	}
	own_rule (m, "arrive", "it has come to the cache, which owes an answer") {
		rules_load_switch(m, RULES_QUERY);
		rules_update(m, "sent", m->s->alive / 2);
		rules_update(m, "asked", 0);
	}
}

static void query_by_switch(struct rules_ctx *m)
{
	ask_alive(m);
	rules_leave_direct(m, rules_own(m, "query"), RULES_QUERY);
	if (m->needs_socket)
		ask_socket(m);
	else
		ask_switch(m);
	fall_back(m, m->needs_socket ? "switch" : "query");
	decide_udp(m);
	if (m->node)
		arrive(m);
}

static void query_always(struct rules_ctx *m)
{
	rules_leave_direct(m, rules_own(m, "query"), RULES_QUERY);
	own_rule (m, "query", "to the cache, whatever its state") {
		rules_to_cache(m);
		rules_use_cache(m);
	}
}

void rules_query(struct rules_ctx *m)
{
	if (m->node)
		rules_direct_query(m);
	if (m->s->fail_open)
		query_by_switch(m);
	else
		query_always(m);
}
