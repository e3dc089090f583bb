/*
 * rules_private.h: what the files of rules.h share, and nobody else includes: the words that rules
 * are put in, and who puts them.
 */
#ifndef POD_DNS_RULES_PRIVATE_H
#define POD_DNS_RULES_PRIVATE_H

#include "nft/expr.h"
#include "steer/rules.h"

enum {
	EXPIRE = 1,	/* ms: a tick */
	DIRECT = 10000, /* ms: how long a client that asked the cache itself may wait */
	GC_SLOW = 5000, /* ms */
};

/* In the header of UDP or TCP. */
enum { SOURCE_PORT = 0, DESTINATION_PORT = 2 };
enum { PORT = 2 }; /* bytes */

/* In that of ICMP; what it quotes comes behind. */
enum { ICMP_TYPE = 0, ICMP_CODE = 1 };

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
	struct features rung;		   /* the family's */
	const struct steer_pair *pair;
	unsigned number; /* of the pair, within its family */
	bool node, gate, fallback;
	char name[32];
};

/* A pair that this family's table is for; one that falls back to another address than its own. */
bool rules_is_of(const struct steer_pair *pair, bool v6);
bool rules_has_fallback(const struct steering *s, const struct steer_pair *pair);

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
void rules_load_port(struct rules_making *m, uint32_t which);
void rules_match_byte(struct rules_making *m, uint32_t which, uint8_t byte);
void rules_match_port(struct rules_making *m, uint32_t which, const uint8_t port[static PORT]);

/* Of the mask's bits, register 1 has just these; NULL: any of them. It is changed. */
void rules_match_bits(struct rules_making *m, const void *mask, const void *bits, size_t len);

/* A packet of DNS to an address, and one from it. */
void rules_match_to(struct rules_making *m, const struct addr *to, uint8_t proto);
void rules_match_from(struct rules_making *m, const struct addr *from, uint8_t proto);

/* On the node only what pods send and get is looked at. */
void rules_match_pod(struct rules_making *m, uint32_t which);

/* A client's end of a flow: of a query, of an answer, and of the query that an error quotes. */
void rules_load_asker(struct rules_making *m);
void rules_load_answered(struct rules_making *m);
void rules_load_quoted(struct rules_making *m);

/*
 * The cache as the key of a set: it is the destination of a query, the source of an answer, and
 * the destination that an error quotes.
 */
void rules_load_asked_cache(struct rules_making *m);
void rules_load_answering_cache(struct rules_making *m);
void rules_load_quoted_cache(struct rules_making *m);

/* Rewrite the packet: its destination, and an answer's source. */
void rules_to_cache(struct rules_making *m);
void rules_to_cluster(struct rules_making *m);
void rules_from_cluster(struct rules_making *m);

void rules_notrack(struct rules_making *m); /* on the node only */
void rules_let_go(struct rules_making *m);  /* accepts the packet */

/* The cache, in register 1, is out. */
void rules_mark_down(struct rules_making *m);

/* An error that says more than that a packet was too big. */
void rules_match_not_too_big(struct rules_making *m);

/* An error: the cache is out, and the client is told that it was the cluster's DNS. */
void rules_pass_error(struct rules_making *m, const char *chain);

/* To `target` if a socket is bound to the rewritten packet's address: with no socket, no cache. */
void rules_gate(struct rules_making *m, const char *chain, const char *target);

/* rules_udp.c, rules_tcp.c: the pair's own chains; _switch: those of fail_open. */
void rules_udp(struct rules_making *m);
void rules_udp_switch(struct rules_making *m);
void rules_tcp(struct rules_making *m);
void rules_tcp_switch(struct rules_making *m);
void rules_tcp_answers(struct rules_making *m, const char *chain); /* into a base chain */

/* rules_fragments.c: into base chains. */
void rules_fragment_set(struct rules_making *m);
void rules_note_direct_fragment(struct rules_making *m, const char *chain, const struct addr *from,
				const char *phrase);
void rules_later_fragments(struct rules_making *m, const char *chain, const struct addr *from,
			   const char *phrase);
void rules_leave_fragments(struct rules_making *m);

/* rules_base.c: the base chains, and the pair's rules in them. */
void rules_base_chains(struct rules_making *m);
void rules_pair(struct rules_making *m);

#endif
