/* SPDX-License-Identifier: Apache-2.0 */
/* rules_sets.c: the sets in which the rules keep state. */
#include "steer/rules/rules_private.h"

enum {
	KNOWN = 86400000,    /* ms; each rest of the pod begins it anew */
	KNOWN_LATE = 600000, /* ms: no node begins so many pods meanwhile as a set has room for */
	CLOSED = 60000,	     /* ms: how long a closed path is not tried again */
	COPIED_NOW = 500,    /* ms: most answers take less, also those the cache must fetch */
	PROBED = 60000,	     /* ms: longer than between two probes */
	FAILED = 5000,	     /* ms: within this a client repeats its question */
	FLOW = 120000,	     /* ms: how long a TCP connection may be idle */
	TCP_OUT = 60000,     /* ms */
	TCP_REFUSED = 2000,  /* ms */
	GC = 1000,	     /* ms */
};

/* A set of pods. In a pod's own namespace it has one element or none, port 53. */
static struct nft_set set_of_pods(const struct rules_ctx *m, const char *name, uint64_t timeout,
				  const char *comment)
{
	return (struct nft_set){ .name = name,
				 .comment = comment,
				 .key_type = m->node ? m->family->key_type : NFT_TYPE_PORT,
				 .key_len = m->node ? m->family->len : PORT,
				 .timeout = timeout,
				 .gc = GC_SLOW };
}

static void pod_set(struct rules_ctx *m, const char *name, uint64_t timeout, const char *comment)
{
	const struct nft_set set = set_of_pods(m, name, timeout, comment);

	nft_set(m->b, &set);
}

static void switch_set(struct rules_ctx *m, const char *name, uint64_t timeout, const char *comment)
{
	struct nft_set set = set_of_pods(m, rules_own(m, name), timeout, comment);

	set.gc = GC;
	nft_set(m->b, &set);
}

/* A concatenation pads each of its fields to four bytes. */
static void client_set(struct rules_ctx *m, const char *name, uint64_t timeout, const char *comment)
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

/* Packets under way. Two fields: a port and a number. */
static void under_way_set(struct rules_ctx *m, const char *name, uint32_t type_of_number,
			  const char *comment)
{
	nft_set(m->b, &(struct nft_set){ .name = rules_own(m, name),
					 .comment = comment,
					 .key_type = NFT_CONCAT(NFT_TYPE_PORT, type_of_number),
					 .key_len = 2 * 4,
					 .timeout = DIRECT,
					 .gc = GC });
}

static void tcp_switch_sets(struct rules_ctx *m)
{
	switch_set(m, "tcp-alive", m->s->alive, "a connection was taken a moment ago");
	switch_set(m, "tcp-grace", m->s->grace, "asked for one a moment ago");
	switch_set(m, "tcp-asked", TCP_OUT, "owes an answer to that");
	switch_set(m, "tcp-refused", TCP_REFUSED, "refused one a moment ago");
}

void rules_switch_sets(struct rules_ctx *m)
{
	const struct steering *s = m->s;

	switch_set(m, "alive", s->alive, "an answer came a moment ago");
	switch_set(m, "grace", s->grace, "asked a moment ago, not known to live");
	switch_set(m, "asked", s->down, "owes an answer");
	switch_set(m, "down", s->down, "out: only an answer leads back");
	if (s->tcp)
		tcp_switch_sets(m);
	if (!m->node) {
		under_way_set(m, "under-way", NFT_TYPE_PORT, "queries that the cache got, by ID");
		if (s->tcp)
			under_way_set(m, "tcp-under-way", NFT_TYPE_MARK,
				      "SYNs that the cache got, by sequence number");
		return;
	}
	switch_set(m, "sent", CLOSED, "a query did not get to the cache yet");
	switch_set(m, "probed", PROBED, "probed, and how often");
	if (!m->features.dup)
		return;
	switch_set(m, "known", KNOWN, "a probe of this pod was answered ever");
	switch_set(m, "known-lately", KNOWN_LATE, "the same of late, where known is full");
	switch_set(m, "copied", s->down, "owes an answer to copies");
	switch_set(m, "copied-now", COPIED_NOW, "owes one for a while only");
}

static void failed_set(struct rules_ctx *m)
{
	nft_set(m->b, &(struct nft_set){ .name = "failed",
					 .comment = "questions that the cache failed a moment ago",
					 .key_type = m->node ? NFT_CONCAT(m->family->key_type,
									  NFT_TYPE_INTEGER)
							     : NFT_TYPE_INTEGER,
					 .key_len = rules_question_len(m),
					 .timeout = FAILED,
					 .gc = GC });
}

static void tcp_sets(struct rules_ctx *m)
{
	client_set(m, "tcp-flows", FLOW, "connections that go to the cache");
	if (m->s->fail_open)
		client_set(m, "tcp-left", FLOW,
			   "such that went to the cluster's DNS before they stood");
}

/*
 * Longer than `direct` and `failed`. And longer than `alive`, which an error leaves as it is, and
 * which an answer on its way may refresh once more: so who is alive and not special is not down,
 * unless there was no room to note a query.
 */
static uint64_t time_of_special(const struct steering *s)
{
	enum { MORE = 5000 };

	return (s->alive > DIRECT ? s->alive : DIRECT) + MORE;
}

void rules_sets(struct rules_ctx *m)
{
	if (m->node)
		nft_set(m->b, &(struct nft_set){ .name = RULES_PODS,
						 .comment = "whom to steer",
						 .key_type = m->family->key_type,
						 .key_len = m->family->len });
	if (m->s->servfail_falls_back)
		failed_set(m);
	client_set(m, "direct", DIRECT, "who asked by the true address: answers stay as they are");
	if (m->node)
		pod_set(m, "direct-full", DIRECT, "pods of which one found no room in direct");
	if (m->node || m->s->fail_open)
		pod_set(m, "special", time_of_special(m->s),
			"of late a client of the true address, an error, a SERVFAIL");
	rules_fragment_set(m);
	if (m->s->tcp)
		tcp_sets(m);
}

void rules_begin_down(struct rules_ctx *m)
{
	if (!m->node)
		nft_element(m->b, rules_own(m, "down"), rules_dns_port, PORT, 0, NULL);
}

void rules_counters(struct rules_ctx *m)
{
	nft_counter_object(m->b, rules_own(m, RULES_TO_CACHE));
	if (m->s->mode == STEER_DNAT)
		return;
	if (m->s->fail_open || m->node)
		nft_counter_object(m->b, rules_own(m, RULES_TO_FALLBACK));
	nft_counter_object(m->b, rules_own(m, RULES_ANSWERS));
}
