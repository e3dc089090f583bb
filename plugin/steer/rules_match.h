/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules_match.h: the words that rules are put in: what a packet must be, what is looked up and
 * remembered of it, what is done with it. For the files of rules.h alone.
 */
#ifndef POD_DNS_RULES_MATCH_H
#define POD_DNS_RULES_MATCH_H

#include "nft/expr.h"
#include "steer/rules.h"

enum {
	EXPIRE = 10, /* ms: a tick at HZ=100; less than a tick is none to kernels before 6.12 */
};

/* In the header of UDP or TCP. */
enum { SOURCE_PORT = 0, DESTINATION_PORT = 2 };
enum { PORT = 2 }; /* bytes */

/* In that of ICMP; what it quotes comes behind. */
enum { ICMP_TYPE = 0, ICMP_CODE = 1 };

/* In that of DNS, behind UDP's. */
enum { DNS_RCODE = 8 + 3, DNS_QUESTION = 8 + 12 };

/* As on the wire. 1021 is no client's port, and no other's than a privileged process's. */
extern const uint8_t rules_dns_port[PORT], rules_probe_port[PORT];

/* Where a family has what a rule looks at. */
struct rules_family {
	uint32_t len, key_type; /* of an address */
	uint32_t source, destination;
	struct nft_csum rewritten; /* by a write to one of these */
	uint8_t icmp, unreachable;
	uint8_t port_unreachable[2]; /* type and code */
	uint32_t quoted_proto, quoted_destination;
	uint32_t quoted_source_port, quoted_destination_port;
	struct nft_csum requoted;
};

extern const struct rules_family rules_v4, rules_v6;

/* The batch, and the pair at hand. */
struct rules_making {
	struct nft *b;
	const struct steering *s;
	const struct rules_family *family; /* b's */
	struct features features;	   /* the family's */
	const struct steer_pair *pair;
	unsigned number; /* of the pair, within its family */
	bool node, gate, fallback;
	char name[32];
};

/* An address as on the wire: family->len bytes. */
const void *rules_bytes(const struct rules_making *m, const struct addr *a);

/* The pair's own chain of that name: good until the next call. */
const char *rules_own(struct rules_making *m, const char *name);

/* A rule of the pair's own chain. */
#define own_rule(m, chain, phrase) nft_rule ((m)->b, rules_own((m), (chain)), (phrase))

/* The rule ends in the pair's own chain of that name. */
void rules_go(struct rules_making *m, const char *chain);

/* Matching goes through register 1. `which`: the family's offset of an address, or of a port. */
void rules_match_address(struct rules_making *m, uint32_t which, const struct addr *a);
void rules_match_proto(struct rules_making *m, uint8_t proto);
void rules_match_byte(struct rules_making *m, uint32_t which, uint8_t byte);
void rules_match_port(struct rules_making *m, uint32_t which, const uint8_t port[static PORT]);
void rules_match_no_probe(struct rules_making *m);

/* Of the mask's bits, register 1 has just these; NULL: any of them. It is changed. */
void rules_match_bits(struct rules_making *m, const void *mask, const void *bits, size_t len);

/* A packet of DNS to an address, and one from it. */
void rules_match_to(struct rules_making *m, const struct addr *to, uint8_t proto);
void rules_match_from(struct rules_making *m, const struct addr *from, uint8_t proto);

/* An answer over UDP that says SERVFAIL. */
void rules_match_servfail(struct rules_making *m);

/* An ICMP error that quotes a packet to the cache, and one that says more than "too big". */
void rules_match_error(struct rules_making *m, uint8_t proto);
void rules_match_not_too_big(struct rules_making *m);

/* What a packet is to the client: that decides where its addresses and ports are. */
enum rules_side { RULES_QUERY, RULES_ANSWER, RULES_ERROR };

/*
 * Keys of sets, from register 1 on. The client: its port, on the node with its address. The switch:
 * the cache, on the node behind the pod, so that each pod has a switch of its own; a query's
 * destination must be the cache's by then. The pod, on the node only.
 */
void rules_load_client(struct rules_making *m, enum rules_side side);
void rules_load_switch(struct rules_making *m, enum rules_side side);
void rules_load_pod(struct rules_making *m, enum rules_side side);

/* The question that is asked or answered, on the node behind the pod; and that key's length. */
void rules_load_question(struct rules_making *m, enum rules_side side);
uint32_t rules_question_len(const struct rules_making *m);

/* On the node only what pods send and get is looked at. */
void rules_match_pod(struct rules_making *m, enum rules_side side);

/* Rewrite the packet: its destination, and an answer's source. */
void rules_to_cache(struct rules_making *m);
void rules_to_cluster(struct rules_making *m);
void rules_from_cluster(struct rules_making *m);

void rules_notrack(struct rules_making *m); /* on the node only */
void rules_let_go(struct rules_making *m);  /* accepts the packet */

/* What register 1 and those behind it hold leaves the set. */
void rules_expire(struct rules_making *m, const char *set);

/* To `target` if a socket is bound to the rewritten packet's address: with no socket, no cache. */
void rules_gate(struct rules_making *m, const char *chain, const char *target);

#endif
