/*
 * steering.h: which of a pod's DNS traffic goes to the node's cache: from the configuration, and as
 * the record keeps it. Pure.
 */
#ifndef POD_DNS_STEERING_H
#define POD_DNS_STEERING_H

#include "cni/addresses.h"
#include "domain.h"
#include "warn.h"

enum { STEERING_PAIRS = 8 }; /* of both families */

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
	bool servfail_falls_back;    /* the retry of a question that the cache failed */
	bool postrouting[2];	     /* pod: queries leave by the route of the cluster's address */
	struct features features[2]; /* by family: v6 is 1 */
	unsigned alive, grace, down; /* ms */
	unsigned probes;	     /* per second */
	size_t n;
	struct steer_pair at[STEERING_PAIRS];
};

/* Whether a pair is of this family; whether any is: else there is no table to make. */
bool steering_is_of(const struct steer_pair *pair, bool v6);
bool steering_has(const struct steering *s, bool v6);

/* Whether a pair falls back to another address than the cluster's. */
bool steering_has_fallback(const struct steering *s, const struct steer_pair *pair);

/* The mode for a pod under `rule` (or NULL): STEER_OFF where nothing is steered. */
enum steer steering_mode(const struct conf *c, const struct rule *rule);

/*
 * What a pod's rules are made of. The n-th address of a family takes the traffic of the n-th
 * cluster DNS of that family; one without a partner is left, with a warning. `r` is the pod's
 * configuration, NULL where the runtime has not said it yet: only a pod whose servers include a
 * steered address gets rules. False: none.
 */
bool steering_plan(struct steering *s, const struct conf *c, const struct rule *rule,
		   const struct resolv *r, struct warnings *w);

/* Mode `nameserver`: the caches' addresses before the first of the cluster's. */
void steering_add_servers(struct resolv *r, const struct conf *c, const struct rule *rule,
			  struct arena *a, struct warnings *w);

/* For the record, with the pod's addresses; the caller's. */
json_t *steering_json(const struct steering *s, const struct addresses *addresses);

/* Back from a record; false: it says none. */
bool steering_parse(struct steering *s, const json_t *json);

#endif
