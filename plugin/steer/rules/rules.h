/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules.h: the table that steers DNS to the node's cache, as messages to the kernel. Pure.
 *
 * State is kept as keys in sets, and their elements expire. Each pair has its own sets. On the node
 * the key is the pod's address, so that each pod has its own state. In the pod's namespace, where
 * only one pod is, the key is port 53.
 *
 *	alive	an answer came a moment ago
 *	asked	a query went to the cache, and no answer came since
 *	grace	a query went to the cache a moment ago
 *	down	queries fall back; only an answer ends this
 *
 *	query	In `down`: falls back. In `alive` or `grace`: goes to the cache. In `asked`: begins
 *		`down`. Otherwise it goes to the cache and begins `asked` and `grace`.
 *	answer	Begins `alive`, and soon ends `asked`. SERVFAIL is not a sign of life.
 *	fall back  The query goes to the cluster's DNS. A few times a second a copy of it goes to
 *the cache, from port 1021. An answer to the copy ends `down`. Applications see neither that answer
 *nor an ICMP error about the copy. ICMP error  Begins `down`. The application sees the error as if
 *the cluster's address had sent it.
 *
 * An answer does not end `asked` at once: queries renew it, and answers let it end in half the time
 * that `alive` lasts. So after the last of many answers it ends before `alive`, and after a query
 * that was not answered it does not.
 *
 * Rare events leave a mark for a while:
 *
 *	special	a client asked a server by its true address, an ICMP error came, or a question
 *		failed. A pod that is alive and not special needs no other look-up.
 *
 * On the node a query comes in from the pod, but its copy comes from the node itself, and filters
 * may treat these differently. So three things differ there. A query is `sent` until a chain behind
 * all filters sees it arrive; only then `asked` begins. Answers, too, count only behind all
 *filters. And an answer to a copy shows only that the cache lives (`known`), not that the pod
 *reaches it.
 *
 * A pod is also `alive` at first, until `down` has expired, which takes a tick, if nothing shows
 * that its way is closed. So the second query of a new pod goes to the cache.
 *
 *	sent	a query was sent and was not seen to arrive: the pod's way is closed, and queries
 *		fall back until this ends. It is not begun if copies are not answered for a while
 *		(`copied`, `copied-now`): then the cache itself is down.
 *
 * Any host may send packets with the cache's address, and ICMP errors that quote a query. In a pod
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
