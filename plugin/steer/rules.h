/*
 * rules.h: the table that steers DNS to the node's cache, as messages to the kernel. Pure.
 *
 * State is the presence of the cache's address in sets whose elements expire:
 *
 *	alive	an answer came a moment ago		asked	a query left, and no answer since
 *	wait	a query left when nothing was alive	grace	… a moment ago
 *	down	fall back: only an answer leads back
 *
 *	query	down? fall back. Alive? to the cache, leaving `asked`. Asked and not alive? down.
 *		Else to the cache, once, leaving `wait` and `grace`.
 *	answer	alive; not down, waited for or asked any more. SERVFAIL is no sign of life.
 *	fall back  the query goes to the cluster's DNS, and a few times a second a copy of it from
 *		port 1021 to the cache. The copy's answer or ICMP error reaches no application.
 *	ICMP error  down; the application sees the error as if the cluster's address had sent it.
 *
 * Addresses are rewritten without conntrack, outside of it on both sides.
 */
#ifndef POD_DNS_RULES_H
#define POD_DNS_RULES_H

#include "domain.h"
#include "nft/nft.h"

#define RULES_TABLE "pod-dns"

enum {
	STEERING_PAIRS = 8,	   /* of both families */
	RULES_MEMORY = 192 * 1024, /* what a table of so many pairs takes, and more */
	RULES_DIFFERENCE = 192,
};

struct steer_pair {
	struct addr cluster, cache;
	struct addr fallback; /* cluster, where there is none */
};

/* What a kernel can do of a family's table: modules of IPv4 and IPv6 come apart. */
struct features {
	bool dup;    /* false: a live query is the probe */
	bool socket; /* false: mode node without asking for a bound socket */
};
#define FEATURES_ALL ((struct features){ .dup = true, .socket = true })

struct steering {
	enum steer mode; /* STEER_POD, STEER_NODE, STEER_DNAT */
	bool fail_open;	 /* dnat: not looked at */
	bool tcp;
	struct features rung[2];     /* by family: v6 is 1 */
	unsigned alive, grace, down; /* ms */
	unsigned probes;	     /* per second */
	size_t n;
	struct steer_pair at[STEERING_PAIRS];
};

/* Whether a pair is of this family: else there is no table to make. */
bool rules_has(const struct steering *s, bool v6);

/*
 * Puts the table of one family, b's, which was begun on RULES_TABLE: table, sets, chains, rules and
 * the caches' state. The caller puts what comes before (a deletion) or behind (elements of pods),
 * and ends the batch.
 */
void rules_table(struct nft *b, const struct steering *s, const char *comment);

/* Node mode: whom the table steers. The address is of b's family; creating is EXCL. */
#define RULES_PODS "pods"
void rules_pod_element(struct nft *b, const struct addr *pod, const char *comment);
void rules_delete_pod_element(struct nft *b, const struct addr *pod);

/* The key of a pod's element, for nft_find_element(): its length. And back. */
size_t rules_pod_key(uint8_t key[static NFT_KEY], const struct addr *pod);
bool rules_pod_of_key(struct addr *pod, const struct nft_element_found *found);

/*
 * Compares what is installed with a batch that was built by rules_table() (and maybe more): sets,
 * chains and rules, never elements and counters. *difference becomes "" or names the first
 * difference in words: `rule "probe the cache" is missing`. Fails with ERR_STEER where the kernel
 * cannot be asked.
 */
bool rules_compare(const struct nl *nl, const struct nft *built,
		   char difference[static RULES_DIFFERENCE], int *refused, struct err *e);

#endif
