/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy.h: decides which DNS policy a pod has, and makes its resolver configuration. Pure.
 *
 * The rules are Kubernetes' (pkg/kubelet/network/dns, GetPodDNS, v1.32; KEP-504). Layers are merged
 * in this order: the policy's base, dns of prevResult, dnsConfig of the network, of the rule, of
 * the pod. Under Kubernetes, kubelet has merged base and pod before CNI runs; kubelet_split() takes
 * them apart again.
 */
#ifndef POD_DNS_POLICY_H
#define POD_DNS_POLICY_H

#include "domain.h"
#include "warn.h"

/* The data that a decision depends on. The lists went through policy_clean(). */
struct inputs {
	const struct conf *conf;
	const struct pod *pod;
	const struct request *request;
	const struct resolv *runtime_dns; /* the runtime's configuration; NULL: unknown */
	bool unknown_yet;		  /* the runtime writes its configuration only after ADD */
	bool may_wait;			  /* the decision may be made then (DEFERRED) */
	bool ipv4_only;	     /* prevResult gives the pod IPv4 addresses, and no other */
	bool autopath_alone; /* autopath's search replaces those of ClusterFirst; else precedes */
	const struct resolv *prev; /* dns of prevResult; never NULL */
	const struct resolv *node; /* the node's file; NULL: not needed, or not readable */
	struct arena *arena;
};

/* Looks at neither `prev` nor `node`. */
void policy_decide(struct decision *d, const struct inputs *in, struct warnings *w);

/* Whether the pod can be served without the node's file. */
bool policy_tolerates_no_node(const struct decision *d);

/*
 * The configuration of a COMPUTED or KEPT pod, before limits and guards. ERR_CONFIG: None without a
 * server.
 */
bool policy_compute(struct resolv *out, const struct decision *d, const struct inputs *in,
		    struct warnings *w, struct err *e);

/* Drops entries that may not stand in a file. Each warning begins with `whose`. */
void policy_clean(struct resolv *r, const char *whose, struct warnings *w);

#endif
