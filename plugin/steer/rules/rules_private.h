/* SPDX-License-Identifier: Apache-2.0 */
/* rules_private.h: what the rules_*.c files make. */
#ifndef POD_DNS_RULES_PRIVATE_H
#define POD_DNS_RULES_PRIVATE_H

#include "steer/rules/rules_match.h"

/* rules_sets.c */
enum {
	GC_SLOW = 5000,
	DIRECT = 10000
}; /* ms; DIRECT: how long the cache may take to answer a direct client */
void rules_sets(struct rules_ctx *m);	     /* those that pairs share */
void rules_switch_sets(struct rules_ctx *m); /* the pair's own */
void rules_counters(struct rules_ctx *m);    /* the pair's own */
void rules_begin_down(struct rules_ctx *m);  /* a new pod begins in `down` */

/* rules_base.c: the base chains, and the pair's rules in them. */
void rules_base_chains(struct rules_ctx *m);
void rules_pair(struct rules_ctx *m);

/* The pair's own chains: for queries (rules_query.c), for answers and errors (rules_answer.c), for
 * TCP (rules_tcp.c). */
void rules_query(struct rules_ctx *m);
void rules_answer(struct rules_ctx *m);
void rules_tcp(struct rules_ctx *m);

/* End a rule: the query has the cache's address and goes there; it goes to the cluster's DNS. */
void rules_use_cache(struct rules_ctx *m);
void rules_fall_back(struct rules_ctx *m);

/* Rewrites an error so that the client takes it for one of the cluster's DNS. */
void rules_pass_error(struct rules_ctx *m);

/*
 * rules_direct.c: clients that ask the cache, or the fallback, by its own address. One call adds to
 * a base chain the rule that notes them. What leaves their packets as they are is
 * - for queries a rule: those to the cluster's address go to the cluster;
 * - for answers and errors on the node a rule, in a pod a match.
 */
void rules_note_direct(struct rules_ctx *m, const char *chain, const struct addr *to, uint8_t proto,
		       const char *phrase);
void rules_leave_direct(struct rules_ctx *m, const char *chain, enum rules_side side);
void rules_match_not_direct(struct rules_ctx *m, enum rules_side side);
void rules_to_direct(struct rules_ctx *m, enum rules_side side); /* node: ends that rule */
void rules_direct_chains(struct rules_ctx *m);			 /* node: once in a table */
void rules_direct_query(struct rules_ctx *m);			 /* node: of each pair */

/* Ends a rule: the answer comes from the cluster's DNS. */
void rules_restore(struct rules_ctx *m);

/* From now on the pod's queries are looked at closely, for a while. */
void rules_note_special(struct rules_ctx *m, enum rules_side side);

/* rules_genuine.c: what counts as an answer or an error, whoever sent it. */

/*
 * In a pod, the queries under way: pairs of a client's port and a DNS ID. A packet that does not
 * fit one of them is not an answer, and not an error, to anything that was sent. On the node these
 * do nothing.
 * - note: a query. Ends the rule if the set is full.
 * - match: what belongs to one.
 * - end: the same, if it is the last packet that belongs to it.
 * Register 2 and the one behind it hold the pair.
 */
void rules_note_under_way(struct rules_ctx *m);
void rules_note_copy_under_way(struct rules_ctx *m); /* a copy, from the probe port */
void rules_match_under_way(struct rules_ctx *m, enum rules_side side);
void rules_end_under_way(struct rules_ctx *m, enum rules_side side);

/* The same for SYNs: pairs of a client's port and the begin of a sequence number. */
void rules_note_syn(struct rules_ctx *m);
void rules_match_syn(struct rules_ctx *m, enum rules_side side);

/*
 * On the node, behind all filters: packets that the node itself made are those that were not routed
 * and not bridged. A routed one has come in by an interface. If bridges pass packets to netfilter,
 * a frame from one port to another seems to have come in by no interface; but it has the header of
 * a frame, which the node's own packets get only later.
 */
void rules_match_not_routed(struct rules_ctx *m);
void rules_leave_bridged(struct rules_ctx *m, const char *chain);

/* rules_fragments.c */
void rules_fragment_set(struct rules_ctx *m);
void rules_note_direct_fragment(struct rules_ctx *m); /* ends a rule: notes a first fragment */
void rules_later_fragments(struct rules_ctx *m, const char *chain, const struct addr *from,
			   const char *phrase);

#endif
