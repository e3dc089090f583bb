/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy.h: from what everybody says to the pod's resolver configuration. Pure: no file, no clock.
 *
 * Kubernetes' rules (pkg/kubelet/network/dns, GetPodDNS, v1.32; KEP-504) with an operator's layers
 * between the policy's base and the pod's own words: base, dns of prevResult, dnsConfig of the
 * network, of the rule, of the pod. Under Kubernetes kubelet has merged the pod's words into its
 * base before CNI runs; policy_decide() tells them apart again.
 */
#ifndef POD_DNS_POLICY_H
#define POD_DNS_POLICY_H

#include "domain.h"
#include "warn.h"

/* All that a decision rests on. Lists hold words only: see policy_clean(). */
struct inputs {
	const struct conf *conf;
	const struct pod *pod;
	const struct request *request;
	const struct resolv *runtime_dns; /* the runtime's configuration; NULL: unknown */
	bool unknown_yet;    /* it is not known at ADD: the runtime writes its file later */
	bool may_wait;	     /* somebody will look at that file later */
	bool autopath_alone; /* autopath's search replaces those of ClusterFirst: no fall-back */
	const struct resolv *prev; /* dns of prevResult; never NULL */
	const struct resolv *node; /* the node's file; NULL: not read, or not readable */
	struct arena *arena;
};

/* Reads neither prev nor node. */
void policy_decide(struct decision *d, const struct inputs *in, struct warnings *w);

/* Whether an unreadable node file is only a warning. */
bool policy_tolerates_no_node(const struct decision *d);

/*
 * The configuration of a COMPUTED or LEFT pod, before limits and guards. ERR_CONFIG: None without a
 * server.
 */
bool policy_compute(struct resolv *out, const struct decision *d, const struct inputs *in,
		    struct warnings *w, struct err *e);

/* Drops entries that may not stand in a file, each with a warning that says whose they are. */
void policy_clean(struct resolv *r, const char *whose, struct warnings *w);

#endif
