/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steering.h: which of a pod's DNS traffic goes to the node's cache. Pure.
 */
#ifndef POD_DNS_STEERING_H
#define POD_DNS_STEERING_H

#include "domain.h"
#include "warn.h"

/* Whether a pair is of this family; whether any is: else there is no table to make. */
bool steering_is_of(const struct steer_pair *pair, bool v6);
bool steering_has(const struct steering *s, bool v6);

/* Whether a pair falls back to another address than the cluster's. */
bool steering_has_fallback(const struct steering *s, const struct steer_pair *pair);

/* Whether a pod under `rule` (or NULL) goes back to the cluster's DNS when the cache is out. */
bool steering_fails_open(const struct conf *c, const struct rule *rule);

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

#endif
