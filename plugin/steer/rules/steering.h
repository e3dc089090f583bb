/* SPDX-License-Identifier: Apache-2.0 */
/* steering.h: plans which of a pod's queries go to the node's cache. Pure. */
#ifndef POD_DNS_STEERING_H
#define POD_DNS_STEERING_H

#include "domain.h"
#include "warn.h"

/* Whether a pair is of this family; whether any is. */
bool steering_is_of(const struct steer_pair *pair, bool v6);
bool steering_has(const struct steering *s, bool v6);

/* Whether pods name the cache itself: it is the cluster DNS of the pair. */
bool steering_is_named(const struct steer_pair *pair);

/* steering_expect(): fills in what nearly every pod's routes and kernel give.
 * steering_is_as_expected(): whether the installed rules turned out so. */
void steering_expect(struct steering *s);
bool steering_is_as_expected(const struct steering *s);

/* Whether a pair falls back to an address other than the cluster's. */
bool steering_has_fallback(const struct steering *s, const struct steer_pair *pair);

/* Whether queries of a pod under `rule` (or NULL) go to the cluster's DNS if the cache fails. */
bool steering_fails_open(const struct conf *c, const struct rule *rule);

/* The mode for a pod under `rule` (or NULL): STEER_OFF where nothing is steered. */
enum steer steering_mode(const struct conf *c, const struct rule *rule);

/*
 * Fills *s. The n-th cache address of a family takes the queries to the n-th cluster DNS of that
 * family; a cluster DNS without a partner is not steered, with a warning. `r` is the pod's
 * configuration, or NULL if it is not known yet. False: the pod gets no rules, since none of its
 * servers is steered or nothing is.
 */
bool steering_plan(struct steering *s, const struct conf *c, const struct rule *rule,
		   const struct resolv *r, struct warnings *w);

/* In mode `nameserver`, puts the caches' addresses before the first of the cluster's. */
void steering_add_servers(struct resolv *r, const struct conf *c, const struct rule *rule,
			  struct arena *a, struct warnings *w);

#endif
