/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules.h: the table that steers DNS to the node's cache, as messages to the kernel. Pure.
 *
 * State is kept as keys in sets whose elements expire. Each pair has sets of its own. On the node
 * the key is the pod's address, so that each pod has its own state. In the pod's namespace there is
 * no other, and port 53 stands for it.
 *
 *	alive	an answer came a moment ago
 *	asked	a query went to the cache, and no answer came since
 *	grace	… a moment ago
 *	down	fall back: only an answer leads back
 *
 *	query	down? fall back. Alive, or in grace? to the cache. Asked? down.
 *		Else to the cache, leaving `asked` and `grace`.
 *	answer	alive, and soon not asked any more. SERVFAIL is no sign of life.
 *	fall back  the query goes to the cluster's DNS, and a few times a second a copy of it from
 *		port 1021 to the cache. An answer to the copy ends `down`; neither that nor an ICMP
 *		error gets to an application.
 *	ICMP error  down; the application sees the error as if the cluster's address had sent it.
 *
 * `asked` is not taken back by each answer: queries make it last, answers let it end in half the
 * time that `alive` lasts. So after the last of many answers it ends before `alive` does, and after
 * a query without one it does not.
 *
 * What else decides on a query is rare, and leaves a mark for a while:
 *
 *	special	a client asked a server by its true address, an ICMP error came, a question
 *		failed. Who is not in it, and alive, needs no other look-up.
 *
 * On the node a query comes in from the pod, a copy of it from the node itself, and filters may
 * tell them apart. So there a query is `sent` until a chain behind all filters sees it arrive,
 * where `asked` begins; answers count behind all filters too; and an answer to a copy says only
 * that the cache lives (`known`), not that it can be asked.
 *
 * But a pod of which nothing says that its way is closed is `alive` until `down` has expired, which
 * takes a tick. So the second query of a fresh pod goes to the cache.
 *
 *	sent	a query was sent, and was not seen to arrive: the pod's way is closed, and the
 *		cluster's DNS is asked until this ends. Not when copies go unanswered for a while
 *		(`copied`, `copied-now`): then it is the cache.
 *
 * Anybody may send packets with the cache's address, and ICMP errors that quote a query. In a pod
 * they count if they fit a query that is under way:
 *
 *	under-way	a client's port and the ID of a query that went to the cache
 *
 * On the node they count if the node itself made them: they were neither routed nor bridged.
 *
 * Addresses are rewritten without conntrack, outside of it on both sides.
 */
#ifndef POD_DNS_RULES_H
#define POD_DNS_RULES_H

#include "nft/nft.h"
#include "steer/rules/steering.h"

#define RULES_TABLE "pod-dns"

enum { RULES_PAIR_MEMORY = 40 * 1024 }; /* enough for a table, for each of its pairs */

/*
 * Adds the table of b's family to the batch, which was begun on RULES_TABLE: table, sets, chains,
 * rules, and elements that hold the caches' state. The caller adds what comes before (a deletion)
 * and behind (elements of pods), and ends the batch.
 */
void rules_table(struct nft *b, const struct steering *s, const char *comment);

/*
 * The counters of each pair: UDP queries that went to the cache, those that went to the cluster's
 * DNS or to the fallback, and the cache's answers. The full name ends in the pair's number in its
 * family: "to-cache-1". In mode dnat there is only the first.
 */
#define RULES_TO_CACHE	  "to-cache"
#define RULES_TO_FALLBACK "to-fallback"
#define RULES_ANSWERS	  "answers"

/* Mode node: the set of the pods that the table steers. `pod` is of b's family. */
#define RULES_PODS "pods"
void rules_pod_element(struct nft *b, const struct addr *pod, const char *comment);

/* The key of a pod's element, for nft_find_element(); returns its length. And the inverse. */
size_t rules_pod_key(uint8_t key[static NFT_KEY], const struct addr *pod);
bool rules_pod_of_key(struct addr *pod, const struct nft_element_found *found);

/* The key of a pair's own sets: the pod, or (NULL) what stands for it in its own namespace. */
size_t rules_switch_key(uint8_t key[static NFT_KEY], const struct addr *pod);

#endif
