/* rules_tcp.c: a pair's own chains of TCP: a connection stays where it began. */
#include "steer/rules_private.h"

#include <netinet/in.h>
#include <linux/netfilter.h>

enum { FIN = 0x01, SYN = 0x02, RST = 0x04, ACK = 0x10 };

static void match_flow(struct rules_making *m)
{
	rules_load_asker(m);
	nft_lookup(m->b, NFT_REG_1, "tcp-flows");
}

static void match_flags(struct rules_making *m, uint8_t mask, uint8_t flags)
{
	nft_payload_load(m->b, 1, NFT_PAYLOAD_TRANSPORT_HEADER, 13, NFT_REG_1);
	rules_match_bits(m, &mask, &flags, sizeof(flags));
}

static void always(struct rules_making *m)
{
	own_rule (m, "tcp", "to the cache, whatever its state") {
		rules_load_asker(m);
		nft_dynset_update(m->b, NFT_REG_1, "tcp-flows", 0);
		rules_to_cache(m);
		rules_let_go(m);
	}
}

static void unless_out(struct rules_making *m)
{
	own_rule (m, "tcp", "a connection begins: where does it go?") {
		match_flags(m, FIN | SYN | RST | ACK, SYN);
		rules_go(m, "tcp-begin");
	}
	own_rule (m, "tcp", "it began with the cache, and stays there") {
		match_flow(m);
		nft_dynset_update(m->b, NFT_REG_1, "tcp-flows", 0);
		rules_to_cache(m);
		rules_let_go(m);
	}
	if (m->fallback)
		own_rule (m, "tcp", "it began with the cluster's DNS, and stays there") {
			rules_to_cluster(m);
		}
}

static void error(struct rules_making *m)
{
	own_rule (m, "tcp-error", "who connected to the cache itself is told of it") {
		rules_load_quoted(m);
		nft_lookup_inverted(m->b, NFT_REG_1, "tcp-flows");
		nft_verdict(m->b, NF_ACCEPT);
	}
	rules_pass_error(m, "tcp-error");
}

void rules_tcp(struct rules_making *m)
{
	if (m->s->fail_open)
		unless_out(m);
	else
		always(m);
	error(m);
}

static void leave_if(struct rules_making *m, const char *set, const char *phrase)
{
	own_rule (m, "tcp-begin", phrase) {
		nft_immediate(m->b, NFT_REG_1, rules_bytes(m, &m->pair->cache), m->family->len);
		nft_lookup(m->b, NFT_REG_1, set);
		rules_go(m, "tcp-leave");
	}
}

static void begin(struct rules_making *m)
{
	leave_if(m, "down", "the cache is out: to the cluster's DNS");
	if (!m->gate)
		leave_if(m, "tcp-refused", "it refused one a moment ago: to the cluster's DNS");
	own_rule (m, "tcp-begin", "as if to the cache") {
		rules_to_cache(m);
	}
	if (m->gate)
		rules_gate(m, "tcp-begin", "tcp-keep");
	own_rule (m, "tcp-begin", m->gate ? "no: to the cluster's DNS" : "to the cache") {
		rules_go(m, m->gate ? "tcp-leave" : "tcp-keep");
	}
}

static void keep_and_leave(struct rules_making *m)
{
	own_rule (m, "tcp-keep", "to the cache, and what follows too") {
		rules_load_asker(m);
		nft_dynset_update(m->b, NFT_REG_1, "tcp-flows", 0);
		rules_let_go(m);
	}
	own_rule (m, "tcp-keep", "no room to note it: to the cluster's DNS") {
		rules_to_cluster(m);
	}
	own_rule (m, "tcp-leave", "an earlier connection from this port is over") {
		match_flow(m);
		nft_dynset_update(m->b, NFT_REG_1, "tcp-flows", EXPIRE);
	}
	own_rule (m, "tcp-leave", "to the cluster's DNS") {
		rules_to_cluster(m);
	}
}

void rules_tcp_switch(struct rules_making *m)
{
	begin(m);
	keep_and_leave(m);
}

void rules_tcp_answers(struct rules_making *m, const char *chain)
{
	if (m->s->fail_open && !m->gate)
		nft_rule (m->b, chain, "the cache refuses a connection") {
			rules_match_from(m, &m->pair->cache, IPPROTO_TCP);
			rules_match_pod(m, m->family->destination);
			match_flags(m, RST, RST);
			rules_load_answering_cache(m);
			nft_dynset_update(m->b, NFT_REG_1, "tcp-refused", 0);
		}
	nft_rule (m->b, chain, "TCP that the cache sends: as if from the cluster's DNS") {
		rules_match_from(m, &m->pair->cache, IPPROTO_TCP);
		rules_load_answered(m);
		nft_lookup(m->b, NFT_REG_1, "tcp-flows");
		rules_notrack(m);
		rules_from_cluster(m);
	}
}
