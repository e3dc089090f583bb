/*
 * rules.c: the table that steers DNS to the node's cache, as messages to the kernel.
 *
 * Each function of rules_*.c puts one chain, or some rules of one; each rule is a line of matches
 * and a line of what follows. A phrase is unique in its chain and pair. What was learned the hard
 * way:
 *
 * - No rule deletes an element: the kernel only marks it, and too many marked ones of one key
 *   refuse new ones. It is refreshed to expire at once instead, and only when it is there.
 * - "At once" is a tick or two: so `down`, which must hold for the very next packet, is a set to be
 *   in and not one to be missing from.
 * - A chain that could not add an element goes on, and ends at the cluster's DNS.
 * - A pod without conntrack puts fragments of IPv4 together behind prerouting, those of IPv6 behind
 *   input: so answers of IPv4 are rewritten in input too, and fragments of IPv6 one by one.
 * - An ICMP error quotes the packet as it was sent. IPv4: the quoted header's own checksum is
 *   mended, so that the sum over all of it stays. IPv6: ICMP's own.
 */
#include "steer/rules.h"
#include "nft/nftdiff.h"
#include "steer/rules_private.h"

#include <string.h>

enum {
	FLOW = 120000,	    /* ms: how long a TCP connection may rest */
	TCP_REFUSED = 2000, /* ms */
	GC = 1000,
};

/* Sets. */

static void address_set(struct rules_making *m, const char *name, uint64_t timeout,
			const char *comment)
{
	nft_set(m->b, &(struct nft_set){ .name = name,
					 .comment = comment,
					 .key_type = m->family->key_type,
					 .key_len = m->family->len,
					 .timeout = timeout,
					 .gc = GC });
}

/* A concatenation pads each of its fields to four bytes. */
static void client_set(struct rules_making *m, const char *name, uint64_t timeout,
		       const char *comment)
{
	struct nft_set set = { .name = name,
			       .comment = comment,
			       .key_type = NFT_TYPE_PORT,
			       .key_len = 2,
			       .timeout = timeout,
			       .gc = GC_SLOW };

	if (m->node) {
		set.key_type = NFT_CONCAT(m->family->key_type, NFT_TYPE_PORT);
		set.key_len = m->family->len + 4;
	}
	nft_set(m->b, &set);
}

static void switch_sets(struct rules_making *m)
{
	const struct steering *s = m->s;

	address_set(m, "alive", s->alive, "caches that answered a moment ago");
	address_set(m, "asked", s->down, "caches asked while alive, and no answer since");
	address_set(m, "wait", s->down,
		    "caches asked while not known to live, and no answer since");
	address_set(m, "grace", s->grace, "such that were asked a moment ago");
	address_set(m, "down", s->down, "caches that are out: only an answer brings one back");
	if (s->tcp && !m->gate)
		address_set(m, "tcp-refused", TCP_REFUSED,
			    "caches that refused a connection a moment ago");
}

static void sets(struct rules_making *m)
{
	if (m->node)
		address_set(m, RULES_PODS, 0, "whom to steer");
	if (m->s->fail_open)
		switch_sets(m);
	client_set(m, "direct", DIRECT, "who asked by the true address: answers stay as they are");
	rules_fragment_set(m);
	if (m->s->tcp)
		client_set(m, "tcp-flows", FLOW, "connections that go to the cache");
}

/* A pod begins as if the cache were out. */
static void begin_down(struct rules_making *m)
{
	nft_element(m->b, "down", rules_bytes(m, &m->pair->cache), m->family->len, 0, NULL);
}

/* Pairs. */

/* A pair's own chains, those it goes to before those it goes from. */
static void own_chains(struct rules_making *m)
{
	static const struct {
		const char *name;
		bool of_switch, of_tcp;
	} chains[] = {
		{ "query", false, false },    { "decide", true, false },
		{ "suspect", true, false },   { "give-up", true, false },
		{ "fall-back", true, false }, { "answer", true, false },
		{ "restore", false, false },  { "error", false, false },
		{ "tcp", false, true },	      { "tcp-begin", true, true },
		{ "tcp-keep", true, true },   { "tcp-leave", true, true },
		{ "tcp-error", false, true },
	};

	for (size_t i = 0; i < LEN(chains); i++)
		if ((!chains[i].of_switch || m->s->fail_open) && (!chains[i].of_tcp || m->s->tcp))
			nft_chain(m->b, rules_own(m, chains[i].name));
}

static void own_rules(struct rules_making *m)
{
	rules_udp(m);
	if (m->s->tcp)
		rules_tcp(m);
	if (!m->s->fail_open)
		return;
	rules_udp_switch(m);
	if (m->s->tcp)
		rules_tcp_switch(m);
}

bool rules_is_of(const struct steer_pair *pair, bool v6)
{
	return addr_is_v4(&pair->cluster) != v6;
}

bool rules_has_fallback(const struct steering *s, const struct steer_pair *pair)
{
	return s->fail_open && !addr_same(&pair->cluster, &pair->fallback);
}

static void each_pair(struct rules_making *m, void (*put)(struct rules_making *))
{
	m->number = 0;
	for (size_t i = 0; i < m->s->n; i++) {
		m->pair = &m->s->at[i];
		if (!rules_is_of(m->pair, m->b->v6))
			continue;
		m->number++;
		m->fallback = rules_has_fallback(m->s, m->pair);
		put(m);
	}
}

bool rules_has(const struct steering *s, bool v6)
{
	for (size_t i = 0; i < s->n; i++)
		if (rules_is_of(&s->at[i], v6))
			return true;
	return false;
}

void rules_table(struct nft *b, const struct steering *s, const char *comment)
{
	bool node = s->mode == STEER_NODE, dnat = s->mode == STEER_DNAT;
	struct rules_making m = {
		.b = b,
		.s = s,
		.family = b->v6 ? &rules_v6 : &rules_v4,
		.rung = s->rung[b->v6],
		.node = node,
		.gate = node && s->rung[b->v6].socket && s->fail_open,
	};

	nft_table(b, comment);
	if (!dnat)
		sets(&m);
	rules_base_chains(&m);
	if (dnat) {
		each_pair(&m, rules_pair);
		return;
	}
	each_pair(&m, own_chains);
	each_pair(&m, rules_pair);
	each_pair(&m, own_rules);
	if (s->fail_open)
		each_pair(&m, begin_down);
}

/* Pods. */

size_t rules_pod_key(uint8_t key[static NFT_KEY], const struct addr *pod)
{
	size_t len = addr_is_v4(pod) ? rules_v4.len : rules_v6.len;

	memcpy(key, pod->byte + sizeof(pod->byte) - len, len);
	return len;
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

void rules_delete_pod_element(struct nft *b, const struct addr *pod)
{
	uint8_t key[NFT_KEY];
	size_t len = rules_pod_key(key, pod);

	nft_delete_element(b, RULES_PODS, key, len);
}

bool rules_compare(const struct nl *nl, const struct nft *built,
		   char difference[static RULES_DIFFERENCE], int *refused, struct err *e)
{
	return nftdiff(nl, built, difference, RULES_DIFFERENCE, refused, e);
}
