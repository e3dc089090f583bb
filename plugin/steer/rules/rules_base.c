/* SPDX-License-Identifier: Apache-2.0 */
/* rules_base.c: the base chains, which send packets to a pair's own chains. */
#include "steer/rules/rules_private.h"

#include <netinet/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>

/* Queries are rewritten before conntrack, and before rules of others (raw) let it not see them: a
 * fallback may be a Service address, which conntrack translates. */
enum { BEFORE_RAW = -310, BEFORE_CONNTRACK = -300, BEHIND_NAT = 200, BEFORE_DNAT = -110 };
enum { LAST = NF_IP_PRI_LAST }; /* behind every filter */

/*** queries ***/

static void queries_to_cluster(struct rules_ctx *m, const char *chain, uint8_t proto)
{
	bool udp = proto == IPPROTO_UDP;

	nft_rule (m->b, chain, udp ? "queries to the cluster's DNS" : "TCP to the cluster's DNS") {
		rules_match_to(m, &m->pair->cluster, proto);
		if (m->named && udp) /* a copy has the same destination, and comes by here too */
			rules_match_no_probe(m);
		rules_match_pod(m, RULES_QUERY);
		rules_goto(m, udp ? "query" : "tcp");
	}
}

static void take_queries(struct rules_ctx *m, const char *chain)
{
	queries_to_cluster(m, chain, IPPROTO_UDP);
	if (m->s->tcp)
		queries_to_cluster(m, chain, IPPROTO_TCP);
	if (!m->named)
		rules_note_direct(m, chain, &m->pair->cache, IPPROTO_UDP,
				  "who asks the cache itself");
	if (!m->fallback)
		return;
	rules_note_direct(m, chain, &m->pair->fallback, IPPROTO_UDP,
			  "who asks the fallback itself");
	if (m->s->tcp)
		rules_note_direct(m, chain, &m->pair->fallback, IPPROTO_TCP,
				  "who asks the fallback itself by TCP");
}

/* A live query that reached the cache by the pod's own path; copies do not count. */
static void arrivals(struct rules_ctx *m, const char *chain)
{
	nft_rule (m->b, chain, "queries that no filter kept from the cache") {
		rules_match_to(m, &m->pair->cache, IPPROTO_UDP);
		rules_match_no_probe(m);
		rules_load_switch(m, RULES_QUERY);
		rules_lookup(m, "sent");
		rules_goto(m, "arrive");
	}
}

/*** answers and errors ***/

/* A packet that is routed to a pod does not come from the node's cache. Without failOpen it may be
 * of another. */
static void match_own(struct rules_ctx *m)
{
	if (m->node && m->s->fail_open)
		rules_match_not_routed(m);
}

static void answers(struct rules_ctx *m, const char *chain)
{
	nft_rule (m->b, chain, "answers of the cache") {
		rules_match_from(m, &m->pair->cache, IPPROTO_UDP);
		match_own(m);
		rules_match_pod(m, RULES_ANSWER);
		rules_goto(m, "answer");
	}
}

static void tcp_answers(struct rules_ctx *m, const char *chain)
{
	nft_rule (m->b, chain, "TCP of the cache") {
		rules_match_from(m, &m->pair->cache, IPPROTO_TCP);
		match_own(m);
		rules_match_pod(m, RULES_ANSWER);
		rules_goto(m, "tcp-answer");
	}
}

static void fallback_answers(struct rules_ctx *m, const char *chain, uint8_t proto)
{
	bool udp = proto == IPPROTO_UDP;

	if (m->node)
		nft_rule (m->b, chain, "who asked the fallback itself may get it from there") {
			rules_match_from(m, &m->pair->fallback, proto);
			rules_to_direct(m, RULES_ANSWER);
		}
	nft_rule (m->b, chain,
		  udp ? "answers of the fallback: as if from the cluster's DNS"
		      : "TCP of the fallback: as if from the cluster's DNS") {
		rules_match_from(m, &m->pair->fallback, proto);
		rules_match_pod(m, RULES_ANSWER);
		rules_match_not_direct(m, RULES_ANSWER);
		rules_restore(m);
	}
	if (!m->node && udp)
		nft_rule (m->b, chain, "the fallback's fragments for who asked it itself") {
			rules_match_from(m, &m->pair->fallback, proto);
			rules_note_direct_fragment(m);
		}
}

static void fallback_all(struct rules_ctx *m, const char *chain)
{
	fallback_answers(m, chain, IPPROTO_UDP);
	if (m->s->tcp)
		fallback_answers(m, chain, IPPROTO_TCP);
	rules_later_fragments(m, chain, &m->pair->fallback, "fragments of the fallback's answers");
}

static void errors(struct rules_ctx *m, const char *chain)
{
	nft_rule (m->b, chain, "errors that quote a query to the cache") {
		rules_match_error(m, IPPROTO_UDP);
		match_own(m);
		rules_goto(m, "error");
	}
	if (m->s->tcp)
		nft_rule (m->b, chain, "errors that quote TCP to the cache") {
			rules_match_error(m, IPPROTO_TCP);
			match_own(m);
			rules_goto(m, "tcp-error");
		}
}

/* Steered packets are not tracked by conntrack. Those of direct clients are. */
static void untracked(struct rules_ctx *m, const char *chain)
{
	nft_rule (m->b, chain, "answers of the cache") {
		rules_match_from(m, &m->pair->cache, IPPROTO_UDP);
		rules_match_pod(m, RULES_ANSWER);
		nft_goto(m->b, "untrack-answer");
	}
	nft_rule (m->b, chain, "errors that quote a query to the cache") {
		rules_match_error(m, IPPROTO_UDP);
		nft_goto(m->b, "untrack-error");
	}
	if (!m->s->tcp)
		return;
	nft_rule (m->b, chain, "TCP of the cache: it is not tracked") {
		rules_match_from(m, &m->pair->cache, IPPROTO_TCP);
		rules_load_client(m, RULES_ANSWER);
		nft_lookup(m->b, NFT_REG_1, "tcp-flows");
		nft_notrack(m->b);
	}
	nft_rule (m->b, chain, "errors that quote TCP to the cache: they are not tracked") {
		rules_match_error(m, IPPROTO_TCP);
		rules_load_client(m, RULES_ERROR);
		nft_lookup(m->b, NFT_REG_1, "tcp-flows");
		nft_notrack(m->b);
	}
}

static void untrack(struct rules_ctx *m, const char *chain, enum rules_side side)
{
	nft_chain(m->b, chain);
	rules_leave_direct(m, chain, side);
	nft_rule (m->b, chain, "it is not tracked")
		nft_notrack(m->b);
}

/*** chains ***/

/* In the pod its queries leave through output, and answers arrive at prerouting. */
static void pod_pair(struct rules_ctx *m)
{
	take_queries(m, "out");
	answers(m, "pre");
	if (!m->named)
		rules_later_fragments(m, "pre", &m->pair->cache,
				      "fragments of the cache's answers");
	if (m->s->tcp)
		tcp_answers(m, "pre");
	if (m->fallback)
		fallback_all(m, "pre");
	errors(m, "pre");
}

/*
 * On the node the pods' queries arrive and the cache's answers leave. Filters see both with the
 * cache's address. Behind the filters they are counted and rewritten.
 */
static void node_pair(struct rules_ctx *m)
{
	take_queries(m, "pre");
	if (m->s->fail_open)
		arrivals(m, "in");
	if (!m->named)
		untracked(m, "out");
	answers(m, "post");
	if (m->s->tcp)
		tcp_answers(m, "post");
	errors(m, "post");
	if (m->fallback)
		fallback_all(m, "post");
}

static void dnat_pair(struct rules_ctx *m)
{
	static const uint8_t protos[] = { IPPROTO_UDP, IPPROTO_TCP };

	for (size_t i = 0; i < (m->s->tcp ? 2 : 1); i++)
		nft_rule (m->b, "out", i ? "TCP to the cache" : "queries to the cache") {
			rules_match_to(m, &m->pair->cluster, protos[i]);
			if (!i)
				rules_count(m, RULES_TO_CACHE);
			nft_immediate(m->b, NFT_REG_1, rules_bytes(m, &m->pair->cache),
				      m->family->len);
			nft_dnat(m->b, NFT_REG_1);
		}
}

static void node_chains(struct rules_ctx *m)
{
	nft_base_chain(m->b, "pre", "filter", NF_INET_PRE_ROUTING, BEFORE_RAW);
	if (m->s->fail_open)
		nft_base_chain(m->b, "in", "filter", NF_INET_LOCAL_IN, LAST);
	nft_base_chain(m->b, "out", "filter", NF_INET_LOCAL_OUT, BEFORE_CONNTRACK);
	nft_base_chain(m->b, "post", "filter", NF_INET_POST_ROUTING, LAST);
	rules_direct_chains(m);
	untrack(m, "untrack-answer", RULES_ANSWER);
	untrack(m, "untrack-error", RULES_ERROR);
}

static void pod_chains(struct rules_ctx *m)
{
	nft_base_chain(m->b, "pre", "filter", NF_INET_PRE_ROUTING, BEFORE_CONNTRACK);
	if (m->s->postrouting[m->b->v6])
		nft_base_chain(m->b, "out", "filter", NF_INET_POST_ROUTING, BEHIND_NAT);
	else
		nft_base_chain(m->b, "out", "route", NF_INET_LOCAL_OUT, BEHIND_NAT);
}

void rules_base_chains(struct rules_ctx *m)
{
	if (m->s->mode == STEER_DNAT)
		nft_base_chain(m->b, "out", "nat", NF_INET_LOCAL_OUT, BEFORE_DNAT);
	else if (m->node)
		node_chains(m);
	else
		pod_chains(m);
}

void rules_pair(struct rules_ctx *m)
{
	if (m->s->mode == STEER_DNAT)
		dnat_pair(m);
	else if (m->node)
		node_pair(m);
	else
		pod_pair(m);
}
