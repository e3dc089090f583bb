/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules_genuine.c: what counts as an answer or as an ICMP error. Anybody may send packets that have
 * the cache's address, or that quote a query.
 *
 * In a pod they count if they fit a query that is under way, on the node if the node made them.
 */
#include "steer/rules/rules_private.h"

#include <linux/netfilter.h>

/*** in a pod ***/

static void load(struct rules_ctx *m, uint32_t len, uint32_t which, uint32_t reg)
{
	nft_payload_load(m->b, len, NFT_PAYLOAD_TRANSPORT_HEADER, which, reg);
}

static void load_id(struct rules_ctx *m, enum rules_side side)
{
	load(m, PORT, side == RULES_ERROR ? m->family->quoted_dns_id : DNS_ID, NFT_REG32_05);
}

static void update_under_way(struct rules_ctx *m, uint64_t timeout)
{
	nft_dynset_update(m->b, NFT_REG_2, rules_own(m, "under-way"), timeout);
}

void rules_note_under_way(struct rules_ctx *m)
{
	if (m->node)
		return;
	load(m, PORT, SOURCE_PORT, NFT_REG_2);
	load_id(m, RULES_QUERY);
	update_under_way(m, 0);
}

void rules_note_copy_under_way(struct rules_ctx *m)
{
	if (m->node)
		return;
	nft_immediate(m->b, NFT_REG_2, rules_probe_port, PORT);
	load_id(m, RULES_QUERY);
	update_under_way(m, 0);
}

void rules_match_under_way(struct rules_ctx *m, enum rules_side side)
{
	if (m->node)
		return;
	load(m, PORT, side == RULES_ERROR ? m->family->quoted_source_port : DESTINATION_PORT,
	     NFT_REG_2);
	load_id(m, side);
	nft_lookup(m->b, NFT_REG_2, rules_own(m, "under-way"));
}

/*
 * A client that asks again and again from one port with one ID finds the element, or one of the few
 * that have expired and are not collected yet: the kernel refuses a key of which there are many.
 */
void rules_end_under_way(struct rules_ctx *m, enum rules_side side)
{
	enum { ANSWERED = 100 }; /* ms */

	rules_match_under_way(m, side);
	if (!m->node)
		update_under_way(m, ANSWERED);
}

/*
 * A SYN-ACK, and a refusal, acknowledge the SYN's sequence number and one more. The rules cannot
 * add. So they compare the first three of its four bytes.
 */
static void load_syn(struct rules_ctx *m, enum rules_side side)
{
	enum { COMPARED = 3 };
	const uint32_t port[] = { SOURCE_PORT, DESTINATION_PORT, m->family->quoted_source_port };
	const uint32_t number[] = { TCP_SEQUENCE, TCP_ACKNOWLEDGED,
				    m->family->quoted_source_port + TCP_SEQUENCE };

	load(m, PORT, port[side], NFT_REG_2);
	load(m, COMPARED, number[side], NFT_REG32_05);
}

void rules_note_syn(struct rules_ctx *m)
{
	if (m->node)
		return;
	load_syn(m, RULES_QUERY);
	nft_dynset_update(m->b, NFT_REG_2, rules_own(m, "tcp-under-way"), 0);
}

void rules_match_syn(struct rules_ctx *m, enum rules_side side)
{
	if (m->node)
		return;
	load_syn(m, side);
	nft_lookup(m->b, NFT_REG_2, rules_own(m, "tcp-under-way"));
}

/*** on the node ***/

void rules_match_not_routed(struct rules_ctx *m)
{
	static const uint32_t no_interface;

	nft_meta_load(m->b, NFT_META_IIF, NFT_REG_1);
	nft_cmp_eq(m->b, NFT_REG_1, &no_interface, sizeof(no_interface));
}

void rules_leave_bridged(struct rules_ctx *m, const char *chain)
{
	own_rule (m, chain, "it has a frame's header: a bridge passes it on, leave it alone") {
		nft_payload_load(m->b, 1, NFT_PAYLOAD_LL_HEADER, 0, NFT_REG_1);
		nft_verdict(m->b, NF_ACCEPT);
	}
}
