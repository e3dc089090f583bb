/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules_match.h: the matches, set keys and actions of which rules_*.c make rules.
 */
#ifndef POD_DNS_RULES_MATCH_H
#define POD_DNS_RULES_MATCH_H

#include "nft/expr.h"
#include "steer/rules/rules.h"

enum {
	EXPIRE = 10, /* ms: a tick at HZ=100; kernels before 6.12 round less than a tick to 0 */
};

/* Offsets in the header of UDP or TCP. */
enum { SOURCE_PORT = 0, DESTINATION_PORT = 2 };
enum { PORT = 2 }; /* bytes */

/* In that of ICMP; the quoted packet follows. */
enum { ICMP_TYPE = 0, ICMP_CODE = 1 };

/* In that of TCP. */
enum { TCP_SEQUENCE = 4, TCP_ACKNOWLEDGED = 8, TCP_FLAGS = 13 };

/* In that of DNS, counted from the header of UDP. */
enum { DNS_ID = 8, DNS_RCODE = 8 + 3, DNS_QUESTION = 8 + 12 };

/* As on the wire. Port 1021, of probes, is privileged: no resolver picks it. */
extern const uint8_t rules_dns_port[PORT], rules_probe_port[PORT];

/* Offsets and sizes that differ between IPv4 and IPv6. */
struct rules_family {
	uint32_t len, key_type; /* of an address */
	uint32_t source, destination;
	struct nft_csum rewritten;	 /* by a write to one of these */
	struct nft_csum rewritten_alone; /* where the transport's header is not in the packet */
	uint8_t icmp, unreachable;
	uint8_t port_unreachable[2]; /* type and code */
	uint32_t quoted_proto, quoted_destination;
	uint32_t quoted_source_port, quoted_destination_port, quoted_dns_id;
	struct nft_csum requoted;
};

extern const struct rules_family rules_v4, rules_v6;

/* The batch, and the pair that rules are being made for. */
struct rules_ctx {
	struct nft *b;
	const struct steering *s;
	const struct rules_family *family; /* b's */
	struct features features;	   /* the family's */
	const struct steer_pair *pair;
	char suffix[8]; /* its number within the family, for names */
	bool node, needs_socket, fallback;
	bool named; /* pods name the cache itself: its packets are not rewritten */
	char name[32];
};

/* An address as on the wire: family->len bytes. */
const void *rules_bytes(const struct rules_ctx *m, const struct addr *a);

/* The full name of the pair's own chain; valid until the next call. */
const char *rules_own(struct rules_ctx *m, const char *name);

/* A rule in the pair's own chain. */
#define own_rule(m, chain, phrase) nft_rule ((m)->b, rules_own((m), (chain)), (phrase))

/* The rule goes to the pair's own chain of that name; or calls it, and goes on behind itself if
 * that chain lets the packet through to its end. */
void rules_goto(struct rules_ctx *m, const char *chain);
void rules_jump(struct rules_ctx *m, const char *chain);

/*
 * Registers hold nothing from one rule to the next. Within a rule
 * - 1 holds what was matched last, or the key of a set that was loaded; a client's goes on into 2,
 * - 3 is for the actions: a key that is loaded stays so.
 *
 * `which`: the family's offset of an address, or a port's offset.
 */
void rules_match_address(struct rules_ctx *m, uint32_t which, const struct addr *a);
void rules_match_proto(struct rules_ctx *m, uint8_t proto);
void rules_match_byte(struct rules_ctx *m, uint32_t which, uint8_t byte);
void rules_match_port(struct rules_ctx *m, uint32_t which, const uint8_t port[static PORT]);
void rules_match_no_probe(struct rules_ctx *m); /* register 2: the client's port */

/* Register 1 has these bits of the mask and no others; NULL: any of them. Changes register 1. */
void rules_match_bits(struct rules_ctx *m, const void *mask, const void *bits, size_t len);

/* A DNS packet to an address; from an address. Register 1: port 53. */
void rules_match_to(struct rules_ctx *m, const struct addr *to, uint8_t proto);
void rules_match_from(struct rules_ctx *m, const struct addr *from, uint8_t proto);

/* A UDP answer with SERVFAIL; with anything else. */
void rules_match_servfail(struct rules_ctx *m);
void rules_match_no_servfail(struct rules_ctx *m);

/* An ICMP error that quotes a packet to the cache; one that is not just "too big". */
void rules_match_error(struct rules_ctx *m, uint8_t proto);
void rules_match_not_too_big(struct rules_ctx *m);

/* A packet as the client sees it, which decides where the client's address and port are. */
enum rules_side { RULES_QUERY, RULES_ANSWER, RULES_ERROR };

/*
 * Load keys of sets into register 1 and those behind it.
 * - client: its port; on the node the pod's address comes first.
 * - switch: the pod, as the key of a pair's own sets. On the node it is the pod's address. In the
 * pod's namespace it is port 53: there is only one pod.
 * - pod: its address; on the node only.
 */
void rules_load_client(struct rules_ctx *m, enum rules_side side);
void rules_load_switch(struct rules_ctx *m, enum rules_side side);
void rules_load_pod(struct rules_ctx *m, enum rules_side side);

/* The same for the question of a query or an answer; and the length of that key. */
void rules_load_question(struct rules_ctx *m, enum rules_side side);
uint32_t rules_question_len(const struct rules_ctx *m);

/* Matches, on the node, packets of pods that are steered; in a pod, all. */
void rules_match_pod(struct rules_ctx *m, enum rules_side side);

/* Rewrite a query's destination, or an answer's source. */
void rules_to_cache(struct rules_ctx *m);
void rules_to_fallback(struct rules_ctx *m);
void rules_from_cluster(struct rules_ctx *m);
void rules_fragment_from_cluster(struct rules_ctx *m); /* one behind the first */

/* Counts the packet in the pair's own counter: RULES_TO_CACHE and the others. */
void rules_count(struct rules_ctx *m, const char *counter);

void rules_notrack(struct rules_ctx *m); /* on the node only */
void rules_accept(struct rules_ctx *m);	 /* accepts the packet */

/* The pair's own set of that name; the switch's key is loaded. */
void rules_lookup(struct rules_ctx *m, const char *set);
void rules_lookup_inverted(struct rules_ctx *m, const char *set);
void rules_update(struct rules_ctx *m, const char *set, uint64_t timeout); /* 0: the set's */

/* Let the element of the loaded key expire: in any set, and in a set of the pair. */
void rules_expire(struct rules_ctx *m, const char *set);
void rules_expire_own(struct rules_ctx *m, const char *set);

/* Matches if a socket is bound to the destination: otherwise the cache is not there. */
void rules_match_socket(struct rules_ctx *m);

#endif
