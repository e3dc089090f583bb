/* SPDX-License-Identifier: Apache-2.0 */
/* rules_sets.c: the sets in which the rules keep state. */
#include "steer/rules_private.h"

enum {
	KNOWN = 86400000,   /* ms; each rest of the pod begins it anew */
	CLOSED = 60000,	    /* ms: how long a closed path is not tried again */
	COPIED_NOW = 500,   /* ms: most answers take less, also those the cache must fetch */
	PROBED = 60000,	    /* ms: longer than between two probes */
	FAILED = 5000,	    /* ms: within this a client repeats its question */
	FLOW = 120000,	    /* ms: how long a TCP connection may be idle */
	TCP_OUT = 60000,    /* ms */
	TCP_REFUSED = 2000, /* ms */
	GC = 1000,	    /* ms */
};

/* A set of cache addresses; on the node each follows a pod's address. */
static void switch_set(struct rules_making *m, const char *name, uint64_t timeout,
		       const char *comment)
{
	const struct rules_family *f = m->family;

	nft_set(m->b, &(struct nft_set){ .name = name,
					 .comment = comment,
					 .key_type = m->node ? NFT_CONCAT(f->key_type, f->key_type)
							     : f->key_type,
					 .key_len = m->node ? 2 * f->len : f->len,
					 .timeout = timeout,
					 .gc = GC });
}

static void pod_set(struct rules_making *m, const char *name, uint64_t timeout, const char *comment)
{
	nft_set(m->b, &(struct nft_set){ .name = name,
					 .comment = comment,
					 .key_type = m->family->key_type,
					 .key_len = m->family->len,
					 .timeout = timeout,
					 .gc = GC_SLOW });
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

	switch_set(m, "alive", s->alive, "caches that answered a moment ago");
	switch_set(m, "grace", s->grace, "caches asked a moment ago, not known to live");
	switch_set(m, "asked", s->down, "caches that owe an answer");
	switch_set(m, "down", s->down, "caches that are out: only an answer brings one back");
	if (!m->node)
		return;
	switch_set(m, "sent", CLOSED, "queries that did not get to the cache yet");
	switch_set(m, "probed", PROBED, "caches that are probed, and how often");
	if (!m->features.dup)
		return;
	switch_set(m, "known", KNOWN, "caches that answered a probe of this pod ever");
	switch_set(m, "copied", s->down, "caches that owe an answer to copies");
	switch_set(m, "copied-now", COPIED_NOW, "such that owe one for a while only");
}

static void failed_set(struct rules_making *m)
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

static void tcp_sets(struct rules_making *m)
{
	client_set(m, "tcp-flows", FLOW, "connections that go to the cache");
	if (!m->s->fail_open)
		return;
	client_set(m, "tcp-left", FLOW, "such that went to the cluster's DNS before they stood");
	switch_set(m, "tcp-alive", m->s->alive, "caches that took a connection a moment ago");
	switch_set(m, "tcp-grace", m->s->grace, "caches asked for one a moment ago");
	switch_set(m, "tcp-asked", TCP_OUT, "caches that owe an answer to that");
	switch_set(m, "tcp-refused", TCP_REFUSED, "caches that refused one a moment ago");
}

void rules_sets(struct rules_making *m)
{
	if (m->node)
		nft_set(m->b, &(struct nft_set){ .name = RULES_PODS,
						 .comment = "whom to steer",
						 .key_type = m->family->key_type,
						 .key_len = m->family->len });
	if (m->s->fail_open)
		switch_sets(m);
	if (m->s->servfail_falls_back)
		failed_set(m);
	client_set(m, "direct", DIRECT, "who asked by the true address: answers stay as they are");
	if (m->node) {
		pod_set(m, "direct-pods", DIRECT, "pods of which one is in direct");
		pod_set(m, "direct-full", DIRECT, "pods of which one found no room in direct");
	}
	rules_fragment_set(m);
	if (m->s->tcp)
		tcp_sets(m);
}

void rules_begin_down(struct rules_making *m)
{
	if (!m->node)
		nft_element(m->b, "down", rules_bytes(m, &m->pair->cache), m->family->len, 0, NULL);
}
