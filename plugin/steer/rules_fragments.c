/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules_fragments.c: fragmented packets. Only the first fragment has ports: the others are
 * recognised by their addresses and by what was noted of the first.
 */
#include "steer/rules_private.h"

#include <netinet/in.h>
#include <linux/netfilter.h>

/* Whether fragments must be recognised by their identification: those of IPv6 in a pod. */
static bool notes_fragments(const struct rules_making *m)
{
	return !m->node && m->b->v6;
}

void rules_fragment_set(struct rules_making *m)
{
	if (notes_fragments(m))
		nft_set(m->b,
			&(struct nft_set){ .name = "direct-fragments",
					   .comment = "answers to them that come in fragments",
					   .key_type = NFT_TYPE_MARK,
					   .key_len = 4,
					   .timeout = DIRECT,
					   .gc = GC_SLOW });
}

static void load_fragment_number(struct rules_making *m)
{
	nft_exthdr_load(m->b, 4, IPPROTO_FRAGMENT, 4, NFT_REG_1);
}

void rules_note_direct_fragment(struct rules_making *m, const char *chain, const struct addr *from,
				const char *phrase)
{
	nft_rule (m->b, chain, phrase) {
		rules_match_from(m, from, IPPROTO_UDP);
		rules_load_client(m, RULES_ANSWER);
		nft_lookup(m->b, NFT_REG_1, "direct");
		load_fragment_number(m);
		nft_dynset_update(m->b, NFT_REG_1, "direct-fragments", 0);
	}
}

static void match_later_fragment(struct rules_making *m)
{
	static const uint8_t v4_offset[2] = { 0x1f, 0xff }, v6_offset[2] = { 0xff, 0xf8 };

	if (m->b->v6)
		nft_exthdr_load(m->b, 2, IPPROTO_FRAGMENT, 2, NFT_REG_1);
	else
		nft_payload_load(m->b, 2, NFT_PAYLOAD_NETWORK_HEADER, 6, NFT_REG_1);
	rules_match_bits(m, m->b->v6 ? v6_offset : v4_offset, NULL, 2);
}

void rules_later_fragments(struct rules_making *m, const char *chain, const struct addr *from,
			   const char *phrase)
{
	nft_rule (m->b, chain, phrase) {
		rules_match_address(m, m->family->source, from);
		match_later_fragment(m);
		rules_match_pod(m, RULES_ANSWER);
		if (notes_fragments(m)) {
			load_fragment_number(m);
			nft_lookup_inverted(m->b, NFT_REG_1, "direct-fragments");
		}
		rules_from_cluster(m);
	}
}

void rules_leave_fragments(struct rules_making *m)
{
	static const uint8_t more_or_offset[2] = { 0x3f, 0xff };

	nft_rule (m->b, "pre", "fragments: in chain in, once they are whole") {
		nft_payload_load(m->b, 2, NFT_PAYLOAD_NETWORK_HEADER, 6, NFT_REG_1);
		rules_match_bits(m, more_or_offset, NULL, sizeof(more_or_offset));
		nft_verdict(m->b, NF_ACCEPT);
	}
}
