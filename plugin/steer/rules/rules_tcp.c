/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules_tcp.c: a pair's chains for TCP: a connection stays where it began.
 *
 * The switch works as that of UDP, with other sets: a SYN is the query, the cache's SYN-ACK the
 * answer. TCP is not probed: if a SYN-ACK is due for too long, the cache is not asked for a minute;
 * then the next client tries it. Only `down` of UDP's sets is looked at.
 *
 * A repeated SYN may go to the cluster's DNS although the first went to the cache. Then the client
 * is put into the set `tcp-left`, which holds from the next packet on: nothing of the connection
 * goes to the cache any more, and what the cache still sends to it is dropped.
 */
#include "steer/rules/rules_private.h"

#include <netinet/in.h>
#include <linux/netfilter.h>

enum { FIN = 0x01, SYN = 0x02, RST = 0x04, ACK = 0x10 };

static void match_flags(struct rules_ctx *m, uint8_t mask, uint8_t flags)
{
	nft_payload_load(m->b, 1, NFT_PAYLOAD_TRANSPORT_HEADER, TCP_FLAGS, NFT_REG_1);
	rules_match_bits(m, &mask, &flags, sizeof(flags));
}

/* Matches if the client is in the set, and prolongs its element. */
static void match_client(struct rules_ctx *m, const char *set)
{
	rules_load_client(m, RULES_QUERY);
	nft_lookup(m->b, NFT_REG_1, set);
	nft_dynset_update(m->b, NFT_REG_1, set, 0);
}

static void always(struct rules_ctx *m)
{
	own_rule (m, "tcp", "to the cache, whatever its state") {
		rules_load_client(m, RULES_QUERY);
		nft_dynset_update(m->b, NFT_REG_1, "tcp-flows", 0);
		rules_to_cache(m);
		rules_accept(m);
	}
}

static void stay_with_cluster(struct rules_ctx *m, const char *chain)
{
	own_rule (m, chain, "it left for the cluster's DNS, and stays there") {
		match_client(m, "tcp-left");
		rules_to_fallback(m);
		nft_verdict(m->b, NF_ACCEPT);
	}
}

static void unless_out(struct rules_ctx *m)
{
	stay_with_cluster(m, "tcp");
	own_rule (m, "tcp", "a connection begins: where does it go?") {
		match_flags(m, FIN | SYN | RST | ACK, SYN);
		rules_goto(m, "tcp-begin");
	}
	own_rule (m, "tcp", "it began with the cache, and stays there") {
		match_client(m, "tcp-flows");
		rules_to_cache(m);
		rules_accept(m);
	}
	if (m->fallback)
		own_rule (m, "tcp", "it began with the cluster's DNS, and stays there") {
			rules_to_fallback(m);
		}
}

static void begin_tcp(struct rules_ctx *m)
{
	own_rule (m, "tcp-begin",
		  m->needs_socket ? "is a socket bound to the cache's address right now?"
				  : "to the cache, unless a rule that follows says otherwise") {
		rules_to_cache(m);
		if (m->needs_socket)
			rules_match_socket(m);
		rules_goto(m, "tcp-decide");
	}
	if (m->needs_socket)
		own_rule (m, "tcp-begin", "no: to the cluster's DNS") {
			rules_goto(m, "tcp-leave");
		}
}

static void go_if(struct rules_ctx *m, const char *set, const char *chain, const char *phrase)
{
	own_rule (m, "tcp-decide", phrase) {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup(m, set);
		rules_goto(m, chain);
	}
}

/*
 * A sequence number that ends in 255: its answer has other first bytes (rules_match_syn). So it
 * begins no time in which an answer is due.
 */
static void match_uncountable(struct rules_ctx *m)
{
	rules_match_byte(m, TCP_SEQUENCE + 3, 0xff);
}

static void decide_tcp(struct rules_ctx *m)
{
	go_if(m, "down", "tcp-leave", "the cache is out: to the cluster's DNS");
	go_if(m, "tcp-refused", "tcp-leave", "it refused one a moment ago: to the cluster's DNS");
	if (!m->node)
		own_rule (m, "tcp-decide",
			  "alive, and its answer cannot be recognised: to the cache") {
			match_uncountable(m);
			rules_load_switch(m, RULES_QUERY);
			rules_lookup(m, "tcp-alive");
			rules_goto(m, "tcp-keep");
		}
	own_rule (m, "tcp-decide", "it took one a moment ago: to the cache") {
		rules_load_switch(m, RULES_QUERY);
		rules_lookup(m, "tcp-alive");
		rules_update(m, "tcp-asked", 0);
		rules_goto(m, "tcp-keep");
	}
	go_if(m, "tcp-grace", "tcp-keep", "it owes a SYN-ACK, for a moment only: to the cache");
	go_if(m, "tcp-asked", "tcp-leave", "it owes one for too long: to the cluster's DNS");
	if (!m->node)
		own_rule (m, "tcp-decide",
			  "idle, and its answer cannot be recognised: to the cache") {
			match_uncountable(m);
			rules_goto(m, "tcp-keep");
		}
	own_rule (m, "tcp-decide", "idle: to the cache, and wait for it") {
		rules_load_switch(m, RULES_QUERY);
		rules_update(m, "tcp-asked", 0);
		rules_update(m, "tcp-grace", 0);
		rules_goto(m, "tcp-keep");
	}
	own_rule (m, "tcp-decide", "no room to note it") {
		rules_goto(m, "tcp-leave");
	}
}

static void keep_tcp(struct rules_ctx *m)
{
	own_rule (m, "tcp-keep", "to the cache, and what follows too") {
		rules_load_client(m, RULES_QUERY);
		nft_dynset_update(m->b, NFT_REG_1, "tcp-flows", 0);
		rules_note_syn(m);
		rules_accept(m);
	}
	own_rule (m, "tcp-keep", "no room to note it: to the cluster's DNS") {
		rules_to_fallback(m);
	}
}

static void leave_tcp(struct rules_ctx *m)
{
	own_rule (m, "tcp-leave", "an earlier SYN went to the cache: what follows goes not") {
		rules_load_client(m, RULES_QUERY);
		nft_lookup(m->b, NFT_REG_1, "tcp-flows");
		nft_dynset_update(m->b, NFT_REG_1, "tcp-left", 0);
		rules_to_fallback(m);
		nft_verdict(m->b, NF_ACCEPT);
	}
	own_rule (m, "tcp-leave", "no room to note that: it is not cut in two") {
		rules_load_client(m, RULES_QUERY);
		nft_lookup(m->b, NFT_REG_1, "tcp-flows");
		nft_verdict(m->b, NF_DROP);
	}
	own_rule (m, "tcp-leave", "to the cluster's DNS") {
		rules_to_fallback(m);
	}
}

/* A refusal (RST) is an answer too: the cache lives. */
static void refuse_tcp(struct rules_ctx *m, enum rules_side side)
{
	rules_load_switch(m, side);
	rules_update(m, "tcp-refused", 0);
	rules_update(m, "tcp-asked", m->s->alive / 2);
}

static void error_tcp(struct rules_ctx *m)
{
	own_rule (m, "tcp-error",
		  m->s->fail_open ? "as if from the cluster's DNS; not just too big: it cannot be "
				    "connected to"
				  : "as if from the cluster's DNS") {
		rules_load_client(m, RULES_ERROR);
		nft_lookup(m->b, NFT_REG_1, "tcp-flows");
		rules_pass_error(m);
		if (m->s->fail_open) {
			rules_match_not_too_big(m);
			rules_match_syn(m, RULES_ERROR);
			refuse_tcp(m, RULES_ERROR);
		}
	}
}

/*** answers ***/

static void answered_in(struct rules_ctx *m, const char *set)
{
	rules_load_client(m, RULES_ANSWER);
	nft_lookup(m->b, NFT_REG_1, set);
}

static void count_tcp(struct rules_ctx *m)
{
	own_rule (m, "tcp-answer", "to a connection that left: it is nobody's") {
		answered_in(m, "tcp-left");
		nft_verdict(m->b, NF_DROP);
	}
	own_rule (m, "tcp-answer", "the cache takes a connection") {
		answered_in(m, "tcp-flows");
		match_flags(m, SYN | ACK | RST, SYN | ACK);
		rules_match_syn(m, RULES_ANSWER);
		rules_load_switch(m, RULES_ANSWER);
		rules_update(m, "tcp-alive", 0);
		rules_update(m, "tcp-asked", m->s->alive / 2);
	}
	if (m->needs_socket)
		return;
	own_rule (m, "tcp-answer", "the cache refuses a connection") {
		answered_in(m, "tcp-flows");
		match_flags(m, RST, RST);
		rules_match_syn(m, RULES_ANSWER);
		refuse_tcp(m, RULES_ANSWER);
	}
}

static void answer_tcp(struct rules_ctx *m)
{
	if (m->s->fail_open)
		count_tcp(m);
	if (m->named)
		return;
	own_rule (m, "tcp-answer", "as if from the cluster's DNS") {
		answered_in(m, "tcp-flows");
		rules_from_cluster(m);
	}
}

void rules_tcp(struct rules_ctx *m)
{
	if (m->node && m->s->fail_open) {
		rules_leave_bridged(m, "tcp-answer");
		rules_leave_bridged(m, "tcp-error");
	}
	answer_tcp(m);
	error_tcp(m);
	if (!m->s->fail_open) {
		always(m);
		return;
	}
	unless_out(m);
	begin_tcp(m);
	decide_tcp(m);
	keep_tcp(m);
	leave_tcp(m);
}
