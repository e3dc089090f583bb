/* rules_base.c: the base chains: who goes to a pair's own chains, and what comes back. */
#include "steer/rules_private.h"

#include <netinet/in.h>
#include <linux/netfilter.h>

enum { BEFORE_CONNTRACK = -300, BEHIND_NAT = 200, BEFORE_DNAT = -110 };

/* Queries. */

static void queries_to_cluster(struct rules_making *m, const char *chain, uint8_t proto)
{
	bool udp = proto == IPPROTO_UDP;

	nft_rule (m->b, chain, udp ? "queries to the cluster's DNS" : "TCP to the cluster's DNS") {
		rules_match_to(m, &m->pair->cluster, proto);
		rules_match_pod(m, m->family->source);
		rules_go(m, udp ? "query" : "tcp");
	}
}

static void note_direct(struct rules_making *m, const char *chain, const struct addr *to,
			uint8_t proto, const char *phrase)
{
	nft_rule (m->b, chain, phrase) {
		rules_match_to(m, to, proto);
		rules_load_port(m, SOURCE_PORT);
		nft_cmp_neq(m->b, NFT_REG_1, rules_probe_port, PORT);
		rules_match_pod(m, m->family->source);
		rules_load_asker(m);
		nft_dynset_update(m->b, NFT_REG_1, "direct", 0);
	}
}

static void queries(struct rules_making *m, const char *chain)
{
	queries_to_cluster(m, chain, IPPROTO_UDP);
	if (m->s->tcp)
		queries_to_cluster(m, chain, IPPROTO_TCP);
	note_direct(m, chain, &m->pair->cache, IPPROTO_UDP, "who asks the cache itself");
	if (!m->fallback)
		return;
	note_direct(m, chain, &m->pair->fallback, IPPROTO_UDP, "who asks the fallback itself");
	if (m->s->tcp)
		note_direct(m, chain, &m->pair->fallback, IPPROTO_TCP,
			    "who asks the fallback itself by TCP");
}

/* Answers. */

static void answers(struct rules_making *m, const char *chain)
{
	nft_rule (m->b, chain, "answers of the cache") {
		rules_match_from(m, &m->pair->cache, IPPROTO_UDP);
		rules_match_pod(m, m->family->destination);
		rules_go(m, m->s->fail_open ? "answer" : "restore");
	}
}

static void match_direct_not(struct rules_making *m)
{
	rules_load_answered(m);
	nft_lookup_inverted(m->b, NFT_REG_1, "direct");
}

static void fallback_answers(struct rules_making *m, const char *chain, uint8_t proto)
{
	nft_rule (m->b, chain,
		  proto == IPPROTO_UDP ? "answers of the fallback: as if from the cluster's DNS"
				       : "TCP of the fallback: as if from the cluster's DNS") {
		rules_match_from(m, &m->pair->fallback, proto);
		rules_match_pod(m, m->family->destination);
		match_direct_not(m);
		rules_from_cluster(m);
	}
}

static void fallback_all(struct rules_making *m, const char *chain, bool fragments)
{
	fallback_answers(m, chain, IPPROTO_UDP);
	if (m->s->tcp)
		fallback_answers(m, chain, IPPROTO_TCP);
	if (fragments)
		rules_later_fragments(m, chain, &m->pair->fallback,
				      "fragments of the fallback's answers");
}

/*
 * Errors: ICMP's "destination unreachable" that quotes what was sent to the cache's port 53. The
 * quoted header is taken to have no options (20 bytes) and no extension headers (40): with them
 * port 53 is not found, and the error is left as it is.
 */

static void errors(struct rules_making *m, const char *chain, uint8_t proto)
{
	bool udp = proto == IPPROTO_UDP;

	nft_rule (m->b, chain,
		  udp ? "errors that quote a query to the cache"
		      : "errors that quote TCP to the cache") {
		rules_match_proto(m, m->family->icmp);
		rules_match_byte(m, ICMP_TYPE, m->family->unreachable);
		rules_match_pod(m, m->family->destination);
		rules_load_quoted_cache(m);
		nft_cmp_eq(m->b, NFT_REG_1, rules_bytes(m, &m->pair->cache), m->family->len);
		rules_match_byte(m, m->family->quoted_proto, proto);
		rules_match_port(m, m->family->quoted_destination_port, rules_dns_port);
		rules_go(m, udp ? "error" : "tcp-error");
	}
}

static void all_errors(struct rules_making *m, const char *chain)
{
	errors(m, chain, IPPROTO_UDP);
	if (m->s->tcp)
		errors(m, chain, IPPROTO_TCP);
}

/* Chains. */

/* In the pod: its queries leave through output, and all answers arrive at prerouting. */
static void pod_pair(struct rules_making *m)
{
	bool v4 = !m->b->v6;

	queries(m, "out");
	if (!v4)
		rules_note_direct_fragment(m, "pre", &m->pair->cache,
					   "a fragmented answer to who asked the cache itself");
	if (!v4 && m->fallback)
		rules_note_direct_fragment(m, "pre", &m->pair->fallback,
					   "a fragmented answer to who asked the fallback itself");
	answers(m, "pre");
	if (!v4)
		rules_later_fragments(m, "pre", &m->pair->cache,
				      "fragments of the cache's answers");
	if (m->s->tcp)
		rules_tcp_answers(m, "pre");
	if (m->fallback)
		fallback_all(m, "pre", !v4);
	all_errors(m, "pre");
	if (v4)
		answers(m, "in");
	if (v4 && m->fallback)
		fallback_answers(m, "in", IPPROTO_UDP);
}

/* On the node: queries of pods arrive, and the cache's answers leave. */
static void node_pair(struct rules_making *m)
{
	queries(m, "pre");
	answers(m, "out");
	if (m->s->tcp)
		rules_tcp_answers(m, "out");
	all_errors(m, "out");
	if (m->fallback)
		fallback_all(m, "post", true);
}

static void dnat_pair(struct rules_making *m)
{
	static const uint8_t protos[] = { IPPROTO_UDP, IPPROTO_TCP };

	for (size_t i = 0; i < (m->s->tcp ? 2 : 1); i++)
		nft_rule (m->b, "out", i ? "TCP to the cache" : "queries to the cache") {
			rules_match_to(m, &m->pair->cluster, protos[i]);
			nft_counter(m->b);
			nft_immediate(m->b, NFT_REG_1, rules_bytes(m, &m->pair->cache),
				      m->family->len);
			nft_dnat(m->b, NFT_REG_1);
		}
}

static bool any_fallback(const struct rules_making *m, bool v6)
{
	for (size_t i = 0; i < m->s->n; i++)
		if (rules_is_of(&m->s->at[i], v6) && rules_has_fallback(m->s, &m->s->at[i]))
			return true;
	return false;
}

void rules_base_chains(struct rules_making *m)
{
	struct nft *b = m->b;

	if (m->s->mode == STEER_DNAT) {
		nft_base_chain(b, "out", "nat", NF_INET_LOCAL_OUT, BEFORE_DNAT);
		return;
	}
	nft_base_chain(b, "pre", "filter", NF_INET_PRE_ROUTING, BEFORE_CONNTRACK);
	if (m->node) {
		nft_base_chain(b, "out", "filter", NF_INET_LOCAL_OUT, BEFORE_CONNTRACK);
		if (any_fallback(m, b->v6))
			nft_base_chain(b, "post", "filter", NF_INET_POST_ROUTING, BEHIND_NAT);
		return;
	}
	nft_base_chain(b, "out", "route", NF_INET_LOCAL_OUT, BEHIND_NAT);
	if (b->v6)
		return;
	nft_base_chain(b, "in", "filter", NF_INET_LOCAL_IN, BEFORE_CONNTRACK);
	rules_leave_fragments(m);
}

void rules_pair(struct rules_making *m)
{
	if (m->s->mode == STEER_DNAT)
		dnat_pair(m);
	else if (m->node)
		node_pair(m);
	else
		pod_pair(m);
}
