/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules_direct.c: clients that ask the cache, or the fallback, by its own address. Their answers
 * are not rewritten.
 *
 * A client is a port; on the node, a pod's address and port. All pods share that set, and only the
 * packets of pods in `special` are looked up in it. If the set is full, all packets of the port's
 * pod are left as they are until it is quiet.
 */
#include "steer/rules/rules_private.h"

#include <linux/netfilter.h>

static const char *const chain_of[] = { "direct-query", "direct-answer", "direct-error" };

void rules_note_special(struct rules_ctx *m, enum rules_side side)
{
	if (!m->node && !m->s->fail_open)
		return;
	rules_load_switch(m, side);
	nft_dynset_update(m->b, NFT_REG_1, "special", 0);
}

/* The keys in a pod are the two ports that were matched. */
static void note_in_pod(struct rules_ctx *m)
{
	if (m->s->fail_open)
		nft_dynset_update(m->b, NFT_REG_1, "special", 0);
	nft_dynset_update(m->b, NFT_REG_2, "direct", 0);
}

void rules_note_direct(struct rules_ctx *m, const char *chain, const struct addr *to, uint8_t proto,
		       const char *phrase)
{
	nft_rule (m->b, chain, phrase) {
		rules_match_to(m, to, proto);
		rules_match_no_probe(m);
		rules_match_pod(m, RULES_QUERY);
		if (m->node) {
			nft_goto(m->b, "note-direct");
		} else {
			note_in_pod(m);
		}
	}
}

/* The client's key begins with the pod's. */
static void note_on_node(struct rules_ctx *m)
{
	static const char chain[] = "note-direct";

	nft_chain(m->b, chain);
	nft_rule (m->b, chain, "this pod asks a server itself, from this port") {
		rules_load_client(m, RULES_QUERY);
		nft_dynset_update(m->b, NFT_REG_1, "special", 0);
		nft_dynset_update(m->b, NFT_REG_1, "direct", 0);
		nft_verdict(m->b, NF_ACCEPT);
	}
	nft_rule (m->b, chain, "no room to note the port: from any") {
		rules_load_pod(m, RULES_QUERY);
		nft_dynset_update(m->b, NFT_REG_1, "direct-full", 0);
	}
}

/*
 * Queries of this port to the cluster's address stay with the cluster. (Forgetting the port then
 * lost answers: an expiring element lives on for a tick, and an answer can be faster.)
 */
static void leave(struct rules_ctx *m, enum rules_side side)
{
	if (side == RULES_QUERY && !m->named)
		rules_fall_back(m);
	nft_verdict(m->b, NF_ACCEPT);
}

/* If failOpen is false, queries to the cluster's address go to the cache: the port is forgotten. */
static void no_longer(struct rules_ctx *m, const char *chain)
{
	nft_rule (m->b, chain, "this port no longer asks the cache itself") {
		rules_load_client(m, RULES_QUERY);
		rules_expire(m, "direct");
	}
}

static const char *const phrases[] = {
	"this port asks the cache itself: leave the rest to the cluster's DNS",
	"who asked a server itself gets it from there",
	"who asked the cache itself is told of it",
};

static void of_this_port(struct rules_ctx *m, const char *chain, enum rules_side side)
{
	if (side == RULES_QUERY && !m->s->fail_open) {
		no_longer(m, chain);
		return;
	}
	nft_rule (m->b, chain, phrases[side]) {
		rules_load_client(m, side);
		nft_lookup(m->b, NFT_REG_1, "direct");
		leave(m, side);
	}
}

void rules_to_direct(struct rules_ctx *m, enum rules_side side)
{
	rules_load_pod(m, side);
	nft_lookup(m->b, NFT_REG_1, "special");
	nft_jump(m->b, side == RULES_QUERY ? rules_own(m, chain_of[side]) : chain_of[side]);
}

void rules_leave_direct(struct rules_ctx *m, const char *chain, enum rules_side side)
{
	if (m->node)
		nft_rule (m->b, chain, "this pod is special: does this port ask a server itself?")
			rules_to_direct(m, side);
	else if (side == RULES_QUERY)
		of_this_port(m, chain, side);
}

void rules_match_not_direct(struct rules_ctx *m, enum rules_side side)
{
	if (m->node)
		return;
	rules_load_client(m, side);
	nft_lookup_inverted(m->b, NFT_REG_1, "direct");
}

void rules_restore(struct rules_ctx *m)
{
	rules_from_cluster(m);
	if (!m->node)
		nft_verdict(m->b, NF_ACCEPT);
}

static void on_node(struct rules_ctx *m, const char *chain, enum rules_side side)
{
	of_this_port(m, chain, side);
	nft_rule (m->b, chain, "a port that was not noted may have asked") {
		rules_load_pod(m, side);
		nft_lookup(m->b, NFT_REG_1, "direct-full");
		leave(m, side);
	}
}

void rules_direct_chains(struct rules_ctx *m)
{
	note_on_node(m);
	for (enum rules_side side = RULES_ANSWER; side <= RULES_ERROR; side++) {
		nft_chain(m->b, chain_of[side]);
		on_node(m, chain_of[side], side);
	}
}

void rules_direct_query(struct rules_ctx *m)
{
	on_node(m, rules_own(m, chain_of[RULES_QUERY]), RULES_QUERY);
}
