/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules.c: the table that steers DNS to the node's cache, as messages to the kernel.
 *
 * Each function of rules_*.c makes one chain or some rules of one: in each rule first the matches,
 * then the actions. A rule's phrase is its comment, unique in its chain and pair. Some rules are as
 * they are because of the kernel:
 *
 * - No rule deletes an element. The kernel only marks it, and with many marked ones of one key new
 *   ones are refused. Instead an element that is there is refreshed to expire at once.
 * - Such an element lives for another tick or two. So a state that must hold for the next packet,
 * as `down` must, means being in a set, not being missing from one.
 * - A rule that cannot add an element for lack of room ends there. The rule behind it goes on to
 *   the cluster's DNS.
 * - Without conntrack a pod reassembles fragments behind prerouting. So they are rewritten one by
 *   one, and those behind the first without the transport's checksum, which they do not have.
 * - An ICMP error quotes the packet as it was sent. For IPv4 the checksum of the quoted header is
 *   updated, which keeps the sum over the whole message. For IPv6 ICMP's own checksum is.
 */
#include "steer/rules/rules.h"
#include "steer/rules/rules_private.h"

#include <stdio.h>
#include <string.h>

/* Pairs. */

/* A pair's own chains. They go to each other: all come before any rule. */
static void own_chains(struct rules_ctx *m)
{
	const bool fail_open = m->s->fail_open, tcp = m->s->tcp, copies = m->features.dup;
	const struct {
		const char *name;
		bool made;
	} chains[] = {
		{ "direct-query", m->node },
		{ "query", true },
		{ "switch", m->needs_socket },
		{ "decide", fail_open },
		{ "probe", fail_open && m->node },
		{ "arrive", fail_open && m->node },
		{ "answer", true },
		{ "probed", fail_open && copies },
		{ "error", true },
		{ "tcp", tcp },
		{ "tcp-begin", tcp && fail_open },
		{ "tcp-decide", tcp && fail_open },
		{ "tcp-keep", tcp && fail_open },
		{ "tcp-leave", tcp && fail_open },
		{ "tcp-answer", tcp },
		{ "tcp-error", tcp },
	};

	for (size_t i = 0; i < LEN(chains); i++)
		if (chains[i].made)
			nft_chain(m->b, rules_own(m, chains[i].name));
}

static void own_rules(struct rules_ctx *m)
{
	rules_query(m);
	rules_answer(m);
	if (m->s->tcp)
		rules_tcp(m);
}

static void each_pair(struct rules_ctx *m, void (*put)(struct rules_ctx *))
{
	unsigned number = 0;

	for (size_t i = 0; i < m->s->n; i++) {
		m->pair = &m->s->at[i];
		if (!steering_is_of(m->pair, m->b->v6))
			continue;
		(void)snprintf(m->suffix, sizeof(m->suffix), "-%u", ++number);
		m->fallback = steering_has_fallback(m->s, m->pair);
		m->named = steering_is_named(m->pair);
		put(m);
	}
}

void rules_table(struct nft *b, const struct steering *s, const char *comment)
{
	bool node = s->mode == STEER_NODE, dnat = s->mode == STEER_DNAT;
	struct rules_ctx m = {
		.b = b,
		.s = s,
		.family = b->v6 ? &rules_v6 : &rules_v4,
		.features = s->features[b->v6],
		.node = node,
		.needs_socket = node && s->features[b->v6].socket && s->fail_open,
	};

	nft_table(b, comment);
	if (!dnat)
		rules_sets(&m);
	each_pair(&m, rules_counters);
	rules_base_chains(&m);
	if (dnat) {
		each_pair(&m, rules_pair);
		return;
	}
	if (s->fail_open)
		each_pair(&m, rules_switch_sets);
	each_pair(&m, own_chains);
	each_pair(&m, rules_pair);
	each_pair(&m, own_rules);
	if (s->fail_open)
		each_pair(&m, rules_begin_down);
}

/* Pods. */

size_t rules_pod_key(uint8_t key[static NFT_KEY], const struct addr *pod)
{
	size_t len = addr_is_v4(pod) ? rules_v4.len : rules_v6.len;

	memcpy(key, pod->byte + sizeof(pod->byte) - len, len);
	return len;
}

size_t rules_switch_key(uint8_t key[static NFT_KEY], const struct addr *pod)
{
	if (pod)
		return rules_pod_key(key, pod);
	memcpy(key, rules_dns_port, PORT);
	return PORT;
}

bool rules_pod_of_key(struct addr *pod, const struct nft_element_found *found)
{
	static const struct addr any = { .byte = { [10] = 0xff, [11] = 0xff } };

	if (found->len != rules_v4.len && found->len != rules_v6.len)
		return false;
	*pod = any;
	memcpy(pod->byte + sizeof(pod->byte) - found->len, found->key, found->len);
	return true;
}

void rules_pod_element(struct nft *b, const struct addr *pod, const char *comment)
{
	uint8_t key[NFT_KEY];
	size_t len = rules_pod_key(key, pod);

	nft_element(b, RULES_PODS, key, len, 0, comment);
}
