/* rules_udp.c: a pair's own chains of UDP: where a query goes, and what its answer says. */
#include "steer/rules_private.h"

#include <linux/netfilter.h>

enum { UNASK = 2 }; /* per second: how often answers take back `asked` */

/* Queries. */

static void no_longer_direct(struct rules_making *m)
{
	own_rule (m, "query", "this port no longer asks the cache itself") {
		rules_load_asker(m);
		nft_lookup(m->b, NFT_REG_1, "direct");
		nft_dynset_update(m->b, NFT_REG_1, "direct", EXPIRE);
	}
}

static void query_always(struct rules_making *m)
{
	no_longer_direct(m);
	own_rule (m, "query", "to the cache, whatever its state") {
		rules_to_cache(m);
		rules_let_go(m);
	}
}

/*
 * A port that asks the cache by its own address too must get those answers as they are: what it
 * asks the cluster meanwhile stays with the cluster. (To take the mark back instead lost answers:
 * an element that expires lives on for a tick, an answer takes less.)
 */
static void leave_direct(struct rules_making *m)
{
	own_rule (m, "query",
		  "this port asks the cache itself: leave the rest to the cluster's DNS") {
		rules_load_asker(m);
		nft_lookup(m->b, NFT_REG_1, "direct");
		rules_to_cluster(m);
		nft_verdict(m->b, NF_ACCEPT);
	}
}

static void query(struct rules_making *m)
{
	if (!m->s->fail_open) {
		query_always(m);
		return;
	}
	leave_direct(m);
	own_rule (m, "query", "as if to the cache: from here on the cache's address is the key") {
		rules_to_cache(m);
	}
	if (!m->gate) {
		own_rule (m, "query", "is it in a state to answer?") {
			rules_go(m, "decide");
		}
		return;
	}
	rules_gate(m, "query", "decide");
	own_rule (m, "query", "no: to the cluster's DNS") {
		rules_to_cluster(m);
	}
}

static void decide_alive(struct rules_making *m)
{
	own_rule (m, "decide", "out: ask the cluster's DNS") {
		rules_load_asked_cache(m);
		nft_lookup(m->b, NFT_REG_1, "down");
		rules_go(m, "fall-back");
	}
	own_rule (m, "decide", "alive: note that a query is under way") {
		rules_load_asked_cache(m);
		nft_lookup(m->b, NFT_REG_1, "alive");
		nft_lookup_inverted(m->b, NFT_REG_1, "asked");
		nft_dynset_update(m->b, NFT_REG_1, "asked", 0);
	}
	own_rule (m, "decide", "alive: ask the cache") {
		rules_load_asked_cache(m);
		nft_lookup(m->b, NFT_REG_1, "alive");
		rules_let_go(m);
	}
}

static void decide(struct rules_making *m)
{
	decide_alive(m);
	own_rule (m, "decide", "it owes an answer for too long: take it out") {
		rules_load_asked_cache(m);
		nft_lookup(m->b, NFT_REG_1, "asked");
		rules_go(m, "give-up");
	}
	own_rule (m, "decide", "it owes an answer: for how long?") {
		rules_load_asked_cache(m);
		nft_lookup(m->b, NFT_REG_1, "wait");
		rules_go(m, "suspect");
	}
	own_rule (m, "decide", "idle: ask the cache, and wait for it") {
		rules_load_asked_cache(m);
		nft_dynset_update(m->b, NFT_REG_1, "wait", 0);
		nft_dynset_update(m->b, NFT_REG_1, "grace", 0);
		rules_let_go(m);
	}
	own_rule (m, "decide", "no room to note it") {
		rules_go(m, "fall-back");
	}
}

static void suspect(struct rules_making *m)
{
	own_rule (m, "suspect", "for a moment only: ask the cache") {
		rules_load_asked_cache(m);
		nft_lookup(m->b, NFT_REG_1, "grace");
		rules_let_go(m);
	}
	own_rule (m, "suspect", "for too long: take it out") {
		rules_go(m, "give-up");
	}
}

static void give_up(struct rules_making *m)
{
	own_rule (m, "give-up", "the cache is out") {
		rules_load_asked_cache(m);
		rules_mark_down(m);
		nft_counter(m->b);
	}
	own_rule (m, "give-up", "ask the cluster's DNS") {
		rules_go(m, "fall-back");
	}
}

/*
 * A query over IPv4 may have no checksum, and must not get one. As the one of the same header it
 * would be mended even so; as the transport's only where there is one.
 */
static void write_source_port(struct rules_making *m, uint32_t sreg)
{
	nft_payload_write(m->b, sreg, PORT, NFT_PAYLOAD_TRANSPORT_HEADER, SOURCE_PORT,
			  (struct nft_csum){ NFT_PAYLOAD_CSUM_NONE, 0,
					     NFT_PAYLOAD_L4CSUM_PSEUDOHDR });
}

/* The client's port waits in register 2 while the copy leaves with another. */
static void send_copy(struct rules_making *m)
{
	nft_counter(m->b);
	nft_payload_load(m->b, PORT, NFT_PAYLOAD_TRANSPORT_HEADER, SOURCE_PORT, NFT_REG_2);
	nft_immediate(m->b, NFT_REG_1, rules_probe_port, PORT);
	write_source_port(m, NFT_REG_1);
	nft_immediate(m->b, NFT_REG_1, rules_bytes(m, &m->pair->cache), m->family->len);
	nft_dup(m->b, NFT_REG_1);
	write_source_port(m, NFT_REG_2);
}

static void not_after_a_probe(struct rules_making *m)
{
	own_rule (m, "fall-back", "the query behind a probe is none: to the cluster's DNS") {
		rules_load_asked_cache(m);
		nft_lookup(m->b, NFT_REG_1, "asked");
		nft_dynset_update(m->b, NFT_REG_1, "asked", EXPIRE);
		rules_to_cluster(m);
		nft_verdict(m->b, NF_ACCEPT);
	}
}

static void fall_back(struct rules_making *m)
{
	bool copy = m->rung.dup;

	if (!copy)
		not_after_a_probe(m);
	own_rule (m, "fall-back",
		  copy ? "probe the cache with a copy of the query"
		       : "probe the cache with the query itself") {
		nft_limit(m->b, m->s->probes, 1);
		rules_load_asked_cache(m);
		rules_mark_down(m);
		if (copy)
			send_copy(m);
		else
			rules_let_go(m);
	}
	own_rule (m, "fall-back", "to the cluster's DNS") {
		rules_to_cluster(m);
	}
}

/* Answers. */

static void take_back(struct rules_making *m, const char *set, uint64_t per_second,
		      const char *phrase)
{
	own_rule (m, "answer", phrase) {
		rules_load_answering_cache(m);
		nft_lookup(m->b, NFT_REG_1, set);
		if (per_second)
			nft_limit(m->b, per_second, 1);
		nft_dynset_update(m->b, NFT_REG_1, set, EXPIRE);
	}
}

static void answer(struct rules_making *m)
{
	static const uint8_t rcode = 0x0f, servfail = 2;

	own_rule (m, "answer", "SERVFAIL is no sign of life") {
		nft_payload_load(m->b, 1, NFT_PAYLOAD_TRANSPORT_HEADER, 8 + 3, NFT_REG_1);
		rules_match_bits(m, &rcode, &servfail, sizeof(servfail));
		rules_go(m, "restore");
	}
	own_rule (m, "answer", "the cache is alive") {
		rules_load_answering_cache(m);
		nft_dynset_update(m->b, NFT_REG_1, "alive", 0);
	}
	take_back(m, "down", 0, "it is back");
	take_back(m, "wait", 0, "it is not waited for");
	take_back(m, "asked", UNASK, "it owes no answer");
	own_rule (m, "answer", "as if from the cluster's DNS") {
		rules_go(m, "restore");
	}
}

static void restore(struct rules_making *m)
{
	if (m->s->fail_open)
		own_rule (m, "restore", "the answer to a probe is nobody's") {
			rules_match_port(m, DESTINATION_PORT, rules_probe_port);
			nft_counter(m->b);
			nft_verdict(m->b, NF_DROP);
		}
	own_rule (m, "restore", "who asked the cache itself gets it from there") {
		rules_load_answered(m);
		nft_lookup(m->b, NFT_REG_1, "direct");
		nft_verdict(m->b, NF_ACCEPT);
	}
	own_rule (m, "restore", "as if from the cluster's DNS") {
		rules_notrack(m);
		rules_from_cluster(m);
	}
}

/* Errors. */

static void probes_error(struct rules_making *m)
{
	own_rule (m, "error", "what a probe's error says is nobody's") {
		rules_match_port(m, m->family->quoted_source_port, rules_probe_port);
		nft_counter(m->b);
		nft_verdict(m->b, NF_DROP);
	}
}

/*
 * Without IP_RECVERR a socket is told at once of a closed port only: where the host, the network or
 * the way cannot be reached, its owner would wait for an answer while it is known that none comes.
 * The type is written with the code, for the checksum's sake: nft shows them as `th sport`.
 */
static void tell_at_once(struct rules_making *m)
{
	own_rule (m, "error",
		  "whatever cannot be reached, the application is told of a closed port") {
		rules_match_not_too_big(m);
		nft_immediate(m->b, NFT_REG_1, m->family->port_unreachable, 2);
		nft_payload_write(m->b, NFT_REG_1, 2, NFT_PAYLOAD_TRANSPORT_HEADER, ICMP_TYPE,
				  (struct nft_csum){ NFT_PAYLOAD_CSUM_INET, 2, 0 });
	}
}

static void error(struct rules_making *m)
{
	if (m->s->fail_open)
		probes_error(m);
	own_rule (m, "error", "who asked the cache itself is told of it") {
		rules_load_quoted(m);
		nft_lookup(m->b, NFT_REG_1, "direct");
		nft_verdict(m->b, NF_ACCEPT);
	}
	if (m->s->fail_open)
		tell_at_once(m);
	rules_pass_error(m, "error");
}

void rules_udp(struct rules_making *m)
{
	query(m);
	restore(m);
	error(m);
}

void rules_udp_switch(struct rules_making *m)
{
	decide(m);
	suspect(m);
	give_up(m);
	fall_back(m);
	answer(m);
}
