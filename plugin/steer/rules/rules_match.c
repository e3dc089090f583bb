/* SPDX-License-Identifier: Apache-2.0 */
/* rules_match.c: the matches, set keys and actions of which rules_*.c make rules. */
#include "steer/rules/rules_match.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <linux/netfilter.h>

enum { QUESTION = 16 }; /* the bytes of a question that are compared */

const uint8_t rules_dns_port[PORT] = { 0, 53 };
const uint8_t rules_probe_port[PORT] = { 1021 >> 8, 1021 & 0xff };

/* Offsets of RFC 791, 792; 8200, 4443. */
const struct rules_family rules_v4 = {
	.len = 4,
	.key_type = NFT_TYPE_IPV4,
	.source = 12,
	.destination = 16,
	.rewritten = { NFT_PAYLOAD_CSUM_INET, 10, NFT_PAYLOAD_L4CSUM_PSEUDOHDR },
	.rewritten_alone = { NFT_PAYLOAD_CSUM_INET, 10, 0 },
	.icmp = IPPROTO_ICMP,
	.unreachable = 3,
	.port_unreachable = { 3, 3 },
	.quoted_proto = 8 + 9,
	.quoted_destination = 8 + 16,
	.quoted_source_port = 8 + 20,
	.quoted_destination_port = 8 + 20 + 2,
	.quoted_dns_id = 8 + 20 + 8,
	.requoted = { NFT_PAYLOAD_CSUM_INET, 8 + 10, 0 },
};

const struct rules_family rules_v6 = {
	.len = 16,
	.key_type = NFT_TYPE_IPV6,
	.source = 8,
	.destination = 24,
	.rewritten = { NFT_PAYLOAD_CSUM_NONE, 0, NFT_PAYLOAD_L4CSUM_PSEUDOHDR },
	.rewritten_alone = { NFT_PAYLOAD_CSUM_NONE, 0, 0 },
	.icmp = IPPROTO_ICMPV6,
	.unreachable = 1,
	.port_unreachable = { 1, 4 },
	.quoted_proto = 8 + 6,
	.quoted_destination = 8 + 24,
	.quoted_source_port = 8 + 40,
	.quoted_destination_port = 8 + 40 + 2,
	.quoted_dns_id = 8 + 40 + 8,
	.requoted = { NFT_PAYLOAD_CSUM_INET, 2, 0 },
};

const void *rules_bytes(const struct rules_ctx *m, const struct addr *a)
{
	return a->byte + sizeof(a->byte) - m->family->len;
}

const char *rules_own(struct rules_ctx *m, const char *name)
{
	char *end = mempcpy(m->name, name, strlen(name));

	(void)mempcpy(end, m->suffix, sizeof(m->suffix));
	return m->name;
}

void rules_goto(struct rules_ctx *m, const char *chain)
{
	nft_goto(m->b, rules_own(m, chain));
}

void rules_jump(struct rules_ctx *m, const char *chain)
{
	nft_jump(m->b, rules_own(m, chain));
}

/*** matches ***/

static void load_network(struct rules_ctx *m, uint32_t which, uint32_t reg)
{
	nft_payload_load(m->b, m->family->len, NFT_PAYLOAD_NETWORK_HEADER, which, reg);
}

static void load_transport(struct rules_ctx *m, uint32_t len, uint32_t which, uint32_t reg)
{
	nft_payload_load(m->b, len, NFT_PAYLOAD_TRANSPORT_HEADER, which, reg);
}

void rules_match_address(struct rules_ctx *m, uint32_t which, const struct addr *a)
{
	load_network(m, which, NFT_REG_1);
	nft_cmp_eq(m->b, NFT_REG_1, rules_bytes(m, a), m->family->len);
}

void rules_match_proto(struct rules_ctx *m, uint8_t proto)
{
	nft_meta_load(m->b, NFT_META_L4PROTO, NFT_REG_1);
	nft_cmp_eq(m->b, NFT_REG_1, &proto, sizeof(proto));
}

void rules_match_byte(struct rules_ctx *m, uint32_t which, uint8_t byte)
{
	load_transport(m, 1, which, NFT_REG_1);
	nft_cmp_eq(m->b, NFT_REG_1, &byte, sizeof(byte));
}

void rules_match_port(struct rules_ctx *m, uint32_t which, const uint8_t port[static PORT])
{
	load_transport(m, PORT, which, NFT_REG_1);
	nft_cmp_eq(m->b, NFT_REG_1, port, PORT);
}

void rules_match_no_probe(struct rules_ctx *m)
{
	load_transport(m, PORT, SOURCE_PORT, NFT_REG_2);
	nft_cmp_neq(m->b, NFT_REG_2, rules_probe_port, PORT);
}

void rules_match_bits(struct rules_ctx *m, const void *mask, const void *bits, size_t len)
{
	static const uint8_t none[NFT_KEY];

	nft_bitwise_and(m->b, NFT_REG_1, mask, len);
	if (bits)
		nft_cmp_eq(m->b, NFT_REG_1, bits, len);
	else
		nft_cmp_neq(m->b, NFT_REG_1, none, len);
}

void rules_match_to(struct rules_ctx *m, const struct addr *to, uint8_t proto)
{
	rules_match_address(m, m->family->destination, to);
	rules_match_proto(m, proto);
	rules_match_port(m, DESTINATION_PORT, rules_dns_port);
}

void rules_match_from(struct rules_ctx *m, const struct addr *from, uint8_t proto)
{
	rules_match_address(m, m->family->source, from);
	rules_match_proto(m, proto);
	rules_match_port(m, SOURCE_PORT, rules_dns_port);
}

static const uint8_t servfail = 2;

static void load_rcode(struct rules_ctx *m)
{
	static const uint8_t rcode = 0x0f;

	load_transport(m, 1, DNS_RCODE, NFT_REG_1);
	nft_bitwise_and(m->b, NFT_REG_1, &rcode, sizeof(rcode));
}

void rules_match_servfail(struct rules_ctx *m)
{
	load_rcode(m);
	nft_cmp_eq(m->b, NFT_REG_1, &servfail, sizeof(servfail));
}

void rules_match_no_servfail(struct rules_ctx *m)
{
	load_rcode(m);
	nft_cmp_neq(m->b, NFT_REG_1, &servfail, sizeof(servfail));
}

/*
 * ICMP "destination unreachable" that quotes a packet to the cache's port 53. The quoted IP header
 * is expected without options (20 bytes) or extension headers (40). With them port 53 does not
 * match, and the error stays as it is.
 */
void rules_match_error(struct rules_ctx *m, uint8_t proto)
{
	rules_match_proto(m, m->family->icmp);
	rules_match_byte(m, ICMP_TYPE, m->family->unreachable);
	rules_match_pod(m, RULES_ERROR);
	load_transport(m, m->family->len, m->family->quoted_destination, NFT_REG_1);
	nft_cmp_eq(m->b, NFT_REG_1, rules_bytes(m, &m->pair->cache), m->family->len);
	rules_match_byte(m, m->family->quoted_proto, proto);
	rules_match_port(m, m->family->quoted_destination_port, rules_dns_port);
}

/* IPv4 has the same type for "too big". */
void rules_match_not_too_big(struct rules_ctx *m)
{
	static const uint8_t too_big = 4;

	if (m->b->v6)
		return;
	load_transport(m, 1, ICMP_CODE, NFT_REG_1);
	nft_cmp_neq(m->b, NFT_REG_1, &too_big, sizeof(too_big));
}

/*** keys of sets ***/

void rules_load_pod(struct rules_ctx *m, enum rules_side side)
{
	load_network(m, side == RULES_QUERY ? m->family->source : m->family->destination,
		     NFT_REG_1);
}

void rules_match_pod(struct rules_ctx *m, enum rules_side side)
{
	if (!m->node)
		return;
	rules_load_pod(m, side);
	nft_lookup(m->b, NFT_REG_1, RULES_PODS);
}

/* Loads the pod's address on the node. Returns the next free register. */
static uint32_t begin_key(struct rules_ctx *m, enum rules_side side)
{
	if (!m->node)
		return NFT_REG_1;
	rules_load_pod(m, side);
	return m->b->v6 ? NFT_REG_2 : NFT_REG32_01;
}

void rules_load_client(struct rules_ctx *m, enum rules_side side)
{
	const uint32_t port[] = { SOURCE_PORT, DESTINATION_PORT, m->family->quoted_source_port };

	load_transport(m, PORT, port[side], begin_key(m, side));
}

void rules_load_switch(struct rules_ctx *m, enum rules_side side)
{
	const uint32_t dns_port[] = { DESTINATION_PORT, SOURCE_PORT,
				      m->family->quoted_destination_port };

	if (m->node)
		rules_load_pod(m, side);
	else
		load_transport(m, PORT, dns_port[side], NFT_REG_1);
}

void rules_load_question(struct rules_ctx *m, enum rules_side side)
{
	load_transport(m, QUESTION, DNS_QUESTION, begin_key(m, side));
}

uint32_t rules_question_len(const struct rules_ctx *m)
{
	return (m->node ? m->family->len : 0) + QUESTION;
}

/*** actions ***/

static void rewrite_address(struct rules_ctx *m, uint32_t which, const struct addr *a,
			    struct nft_csum sums)
{
	nft_immediate(m->b, NFT_REG_3, rules_bytes(m, a), m->family->len);
	nft_payload_write(m->b, NFT_REG_3, m->family->len, NFT_PAYLOAD_NETWORK_HEADER, which, sums);
}

void rules_to_cache(struct rules_ctx *m)
{
	if (m->named)
		return;
	rewrite_address(m, m->family->destination, &m->pair->cache, m->family->rewritten);
}

void rules_to_fallback(struct rules_ctx *m)
{
	rewrite_address(m, m->family->destination, &m->pair->fallback, m->family->rewritten);
}

void rules_from_cluster(struct rules_ctx *m)
{
	rewrite_address(m, m->family->source, &m->pair->cluster, m->family->rewritten);
}

void rules_fragment_from_cluster(struct rules_ctx *m)
{
	rewrite_address(m, m->family->source, &m->pair->cluster, m->family->rewritten_alone);
}

void rules_notrack(struct rules_ctx *m)
{
	if (m->node && !m->named)
		nft_notrack(m->b);
}

void rules_count(struct rules_ctx *m, const char *counter)
{
	char name[sizeof(m->name)];

	(void)snprintf(name, sizeof(name), "%s%s", counter, m->suffix);
	nft_count(m->b, name);
}

void rules_accept(struct rules_ctx *m)
{
	rules_notrack(m);
	nft_verdict(m->b, NF_ACCEPT);
}

void rules_lookup(struct rules_ctx *m, const char *set)
{
	nft_lookup(m->b, NFT_REG_1, rules_own(m, set));
}

void rules_lookup_inverted(struct rules_ctx *m, const char *set)
{
	nft_lookup_inverted(m->b, NFT_REG_1, rules_own(m, set));
}

void rules_update(struct rules_ctx *m, const char *set, uint64_t timeout)
{
	nft_dynset_update(m->b, NFT_REG_1, rules_own(m, set), timeout);
}

void rules_expire(struct rules_ctx *m, const char *set)
{
	nft_lookup(m->b, NFT_REG_1, set);
	nft_dynset_update(m->b, NFT_REG_1, set, EXPIRE);
}

void rules_expire_own(struct rules_ctx *m, const char *set)
{
	rules_lookup(m, set);
	rules_update(m, set, EXPIRE);
}

void rules_match_socket(struct rules_ctx *m)
{
	static const uint8_t exact;

	nft_socket_load(m->b, NFT_SOCKET_WILDCARD, NFT_REG_3);
	nft_cmp_eq(m->b, NFT_REG_3, &exact, sizeof(exact));
}
