/* SPDX-License-Identifier: Apache-2.0 */
/* rules_private.h: which file of rules.h puts what. */
#ifndef POD_DNS_RULES_PRIVATE_H
#define POD_DNS_RULES_PRIVATE_H

#include "steer/rules_match.h"

/* rules_sets.c */
enum { GC_SLOW = 5000, DIRECT = 10000 }; /* ms; how long who asked the cache itself may wait */
void rules_sets(struct rules_making *m);
void rules_begin_down(struct rules_making *m); /* a pod begins as if the cache were out */

/* rules_base.c: the base chains, and the pair's rules in them. */
void rules_base_chains(struct rules_making *m);
void rules_pair(struct rules_making *m);

/* The pair's own chains. rules_query.c: where a query goes. rules_answer.c: what its answer or its
 * error says. rules_tcp.c: the same of connections. */
void rules_query(struct rules_making *m);
void rules_answer(struct rules_making *m);
void rules_tcp(struct rules_making *m);

/* The error goes to the client as if the cluster's DNS could not be reached. */
void rules_pass_error(struct rules_making *m, const char *chain);

/*
 * rules_direct.c: clients that ask the cache, or the fallback, by its own address. Into a base
 * chain what notes them; into any chain what leaves a packet of theirs as it is. A query of theirs
 * to the cluster's address goes there.
 */
void rules_note_direct(struct rules_making *m, const char *chain, const struct addr *to,
		       uint8_t proto, const char *phrase);
void rules_leave_direct(struct rules_making *m, const char *chain, enum rules_side side);
void rules_jump_direct(struct rules_making *m, enum rules_side side); /* node: ends a rule */
void rules_direct_chains(struct rules_making *m);		      /* once in a table */
void rules_direct_query(struct rules_making *m);		      /* of each pair */

/* rules_fragments.c: into base chains. */
void rules_fragment_set(struct rules_making *m);
void rules_note_direct_fragment(struct rules_making *m, const char *chain, const struct addr *from,
				const char *phrase);
void rules_later_fragments(struct rules_making *m, const char *chain, const struct addr *from,
			   const char *phrase);
void rules_leave_fragments(struct rules_making *m);

#endif
