/* SPDX-License-Identifier: Apache-2.0 */
/* health_table.c: the table that measures a pod's DNS, as messages to the kernel. */
#include "steer/rules/health_table.h"
#include "nft/expr.h"
#include "steer/rules/rules_match.h"

#include <netinet/in.h>
#include <stdio.h>
#include <linux/netfilter.h>

const char *const health_counters[HEALTH_COUNTERS] = {
	"queries",    "noerror",     "nxdomain", "servfail",   "refused",
	"other",      "truncated",   "within-8", "within-32",  "within-128",
	"within-512", "within-2048", "later",	 "unmeasured", "tcp",
};
const unsigned health_times[HEALTH_TIMES] = { 8, 32, 128, 512, 2048 };

/* In the header of DNS, counted from that of UDP (RFC 1035, 4.1.1). */
enum { DNS_FLAGS = 8 + 2 };
static const uint8_t is_answer = 0x80, is_cut = 0x02, rcode_mask = 0x0f;

/* Before all other chains of the pod, and behind them. */
enum { FIRST = -400, BEHIND_ALL = 400 };

/*** expressions ***/

static void match_proto(struct nft *b, uint8_t proto)
{
	nft_meta_load(b, NFT_META_L4PROTO, NFT_REG_1);
	nft_cmp_eq(b, NFT_REG_1, &proto, sizeof(proto));
}

static void load_field(struct nft *b, uint32_t len, uint32_t offset, uint32_t reg)
{
	nft_payload_load(b, len, NFT_PAYLOAD_TRANSPORT_HEADER, offset, reg);
}

static void match_port(struct nft *b, uint32_t offset)
{
	load_field(b, PORT, offset, NFT_REG_1);
	nft_cmp_eq(b, NFT_REG_1, rules_dns_port, PORT);
}

/* Copies of queries probe a cache: they are not the pod's. */
static void match_no_probe(struct nft *b, uint32_t offset)
{
	load_field(b, PORT, offset, NFT_REG_1);
	nft_cmp_neq(b, NFT_REG_1, rules_probe_port, PORT);
}

/* A byte of which the bits in `mask` are `want`. */
static void match_bits(struct nft *b, uint32_t offset, uint8_t mask, uint8_t want)
{
	load_field(b, 1, offset, NFT_REG_1);
	nft_bitwise_and(b, NFT_REG_1, &mask, sizeof(mask));
	nft_cmp_eq(b, NFT_REG_1, &want, sizeof(want));
}

/* The client's port and the query's ID, in register 2. */
static void load_query(struct nft *b, uint32_t port)
{
	load_field(b, PORT, port, NFT_REG_2);
	load_field(b, PORT, DNS_ID, NFT_REG32_05);
}

static void count(struct nft *b, enum health_counter counter)
{
	nft_count(b, health_counters[counter]);
}

/*** queries ***/

static void hear_queries(struct nft *b)
{
	nft_rule (b, "query", "queries") {
		match_proto(b, IPPROTO_UDP);
		match_port(b, DESTINATION_PORT);
		match_no_probe(b, SOURCE_PORT);
		match_bits(b, DNS_FLAGS, is_answer, 0);
		nft_goto(b, "ask");
	}
	nft_rule (b, "query", "a new TCP connection") {
		const uint8_t syn = 0x02, ack = 0x10;

		match_proto(b, IPPROTO_TCP);
		match_port(b, DESTINATION_PORT);
		match_bits(b, TCP_FLAGS, syn | ack, syn);
		load_field(b, PORT, SOURCE_PORT, NFT_REG_2);
		load_field(b, 4, TCP_SEQUENCE, NFT_REG32_05);
		nft_lookup_inverted(b, NFT_REG_2, "tcp-seen");
		nft_dynset_update(b, NFT_REG_2, "tcp-seen", 0);
		count(b, HEALTH_TCP);
	}
}

static void ask(struct nft *b)
{
	nft_rule (b, "ask", "sent again") {
		load_query(b, SOURCE_PORT);
		nft_lookup(b, NFT_REG_2, "open");
		nft_lookup_inverted(b, NFT_REG_2, "answered");
		nft_verdict(b, NF_ACCEPT);
	}
	nft_rule (b, "ask", "the same port and ID as one that was answered a moment ago") {
		load_query(b, SOURCE_PORT);
		nft_lookup(b, NFT_REG_2, "answered");
		count(b, HEALTH_UNMEASURED);
		nft_verdict(b, NF_ACCEPT);
	}
	nft_rule (b, "ask", "a query") {
		load_query(b, SOURCE_PORT);
		for (size_t i = HEALTH_TIMES; i--;)
			nft_dynset_update(b, NFT_REG_2, health_counters[HEALTH_WITHIN + i], 0);
		nft_dynset_update(b, NFT_REG_2, "open", 0);
		count(b, HEALTH_QUERIES);
		nft_verdict(b, NF_ACCEPT);
	}
	nft_rule (b, "ask", "a set is full")
		count(b, HEALTH_UNMEASURED);
}

/*** answers ***/

static void hear_answers(struct nft *b)
{
	nft_rule (b, "answer", "answers") {
		match_proto(b, IPPROTO_UDP);
		match_port(b, SOURCE_PORT);
		match_no_probe(b, DESTINATION_PORT);
		match_bits(b, DNS_FLAGS, is_answer, is_answer);
		nft_goto(b, "hear");
	}
	nft_rule (b, "hear", "nothing was asked") {
		load_query(b, DESTINATION_PORT);
		nft_lookup_inverted(b, NFT_REG_2, "open");
		nft_verdict(b, NF_ACCEPT);
	}
	nft_rule (b, "hear", "a second answer") {
		load_query(b, DESTINATION_PORT);
		nft_lookup(b, NFT_REG_2, "answered");
		nft_verdict(b, NF_ACCEPT);
	}
	nft_rule (b, "hear", "the first answer") {
		load_query(b, DESTINATION_PORT);
		nft_dynset_update(b, NFT_REG_2, "answered", 0);
		nft_goto(b, "rcode");
	}
	nft_rule (b, "hear", "the set is full")
		count(b, HEALTH_UNMEASURED);
}

static void rcodes(struct nft *b)
{
	static const struct {
		uint8_t rcode;
		enum health_counter counter;
	} known[] = { { 0, HEALTH_NOERROR },
		      { 3, HEALTH_NXDOMAIN },
		      { 2, HEALTH_SERVFAIL },
		      { 5, HEALTH_REFUSED } };

	nft_rule (b, "rcode", "truncated") {
		match_bits(b, DNS_FLAGS, is_cut, is_cut);
		count(b, HEALTH_TRUNCATED);
	}
	for (size_t i = 0; i < LEN(known); i++)
		nft_rule (b, "rcode", health_counters[known[i].counter]) {
			match_bits(b, DNS_RCODE, rcode_mask, known[i].rcode);
			count(b, known[i].counter);
			nft_goto(b, "time");
		}
	nft_rule (b, "rcode", "another") {
		count(b, HEALTH_OTHER);
		nft_goto(b, "time");
	}
}

static void times(struct nft *b)
{
	for (size_t i = 0; i < HEALTH_TIMES; i++)
		nft_rule (b, "time", health_counters[HEALTH_WITHIN + i]) {
			load_query(b, DESTINATION_PORT);
			nft_lookup(b, NFT_REG_2, health_counters[HEALTH_WITHIN + i]);
			count(b, (enum health_counter)(HEALTH_WITHIN + i));
			nft_verdict(b, NF_ACCEPT);
		}
	nft_rule (b, "time", "later")
		count(b, HEALTH_WITHIN + HEALTH_TIMES);
}

/*** the table ***/

static void query_set(struct nft *b, const char *name, uint64_t timeout, const char *comment)
{
	nft_set(b, &(struct nft_set){ .name = name,
				      .comment = comment,
				      .key_type = NFT_CONCAT(NFT_TYPE_PORT, NFT_TYPE_PORT),
				      .key_len = 8,
				      .timeout = timeout,
				      .gc = 1000 });
}

static void sets(struct nft *b)
{
	enum { OPEN = 10 * 1000, TCP_SEEN = 60 * 1000 }; /* ms */

	query_set(b, "open", OPEN, "queries of the last seconds: port and ID");
	query_set(b, "answered", OPEN, "those that were answered");
	for (size_t i = 0; i < HEALTH_TIMES; i++)
		query_set(b, health_counters[HEALTH_WITHIN + i], health_times[i],
			  "queries that are so young");
	nft_set(b, &(struct nft_set){ .name = "tcp-seen",
				      .comment = "new connections: port and sequence number",
				      .key_type = NFT_CONCAT(NFT_TYPE_PORT, NFT_TYPE_MARK),
				      .key_len = 8,
				      .timeout = TCP_SEEN,
				      .gc = 1000 });
}

void health_table(struct nft *b, const char *comment)
{
	static const char *const chains[] = { "ask", "hear", "rcode", "time" };

	nft_table(b, comment);
	sets(b);
	for (size_t i = 0; i < HEALTH_COUNTERS; i++)
		nft_counter_object(b, health_counters[i]);
	for (size_t i = 0; i < LEN(chains); i++)
		nft_chain(b, chains[i]);
	nft_base_chain(b, "query", "filter", NF_INET_LOCAL_OUT, FIRST);
	nft_base_chain(b, "answer", "filter", NF_INET_LOCAL_IN, BEHIND_ALL);
	hear_queries(b);
	ask(b);
	hear_answers(b);
	rcodes(b);
	times(b);
}
