/*
 * steering.h: which of a pod's DNS traffic goes to the node's cache: from the configuration, and as
 * the record keeps it. Pure.
 */
#ifndef POD_DNS_STEERING_H
#define POD_DNS_STEERING_H

#include "cni/addresses.h"
#include "steer/rules.h"
#include "warn.h"

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
