/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules_fragments.c: fragmented packets. Only the first fragment has ports: the others are
 * recognised by their addresses and by what was noted of the first.
 *
 * A pod without conntrack sees the fragments one by one. On the node only answers of the fallback
 * can be in fragments where they are rewritten.
 */
#include "steer/rules/rules_private.h"

#include <netinet/in.h>
#include <linux/netfilter.h>

void rules_fragment_set(struct rules_ctx *m)
{
	if (!m->node)
		nft_set(m->b,
			&(struct nft_set){ .name = "direct-fragments",
					   .comment = "answers to them that come in fragments",
					   .key_type = m->b->v6 ? NFT_TYPE_MARK : NFT_TYPE_INTEGER,
					   .key_len = m->b->v6 ? 4 : 2,
					   .timeout = DIRECT,
					   .gc = GC_SLOW });
}

static void load_fragment_number(struct rules_ctx *m)
{
	if (m->b->v6)
		nft_exthdr_load(m->b, 4, IPPROTO_FRAGMENT, 4, NFT_REG_1);
	else
		nft_payload_load(m->b, 2, NFT_PAYLOAD_NETWORK_HEADER, 4, NFT_REG_1);
}

/* IPv6: the fragment header is there or not. IPv4: its bits are set, for more fragments or an
 * offset. */
static void match_fragment(struct rules_ctx *m)
{
	static const uint8_t more_or_offset[2] = { 0x3f, 0xff };

	if (m->b->v6)
		return;
	nft_payload_load(m->b, 2, NFT_PAYLOAD_NETWORK_HEADER, 6, NFT_REG_1);
	rules_match_bits(m, more_or_offset, NULL, sizeof(more_or_offset));
}

void rules_note_direct_fragment(struct rules_ctx *m)
{
	match_fragment(m);
	load_fragment_number(m);
	nft_dynset_update(m->b, NFT_REG_1, "direct-fragments", 0);
}

static void match_later_fragment(struct rules_ctx *m)
{
	static const uint8_t v4_offset[2] = { 0x1f, 0xff }, v6_offset[2] = { 0xff, 0xf8 };

	if (m->b->v6)
		nft_exthdr_load(m->b, 2, IPPROTO_FRAGMENT, 2, NFT_REG_1);
	else
		nft_payload_load(m->b, 2, NFT_PAYLOAD_NETWORK_HEADER, 6, NFT_REG_1);
	rules_match_bits(m, m->b->v6 ? v6_offset : v4_offset, NULL, 2);
}

void rules_later_fragments(struct rules_ctx *m, const char *chain, const struct addr *from,
			   const char *phrase)
{
	nft_rule (m->b, chain, phrase) {
		rules_match_address(m, m->family->source, from);
		rules_match_proto(m, IPPROTO_UDP);
		match_later_fragment(m);
		rules_match_pod(m, RULES_ANSWER);
		if (!m->node) {
			load_fragment_number(m);
			nft_lookup_inverted(m->b, NFT_REG_1, "direct-fragments");
		}
		rules_fragment_from_cluster(m);
	}
}
