/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kubelet.h: recognises a configuration that kubelet made, and takes it apart.
 *
 * kubelet hands down three lists and no policy. They are those of a cluster-first pod if
 * - the first server is one of clusterDNS,
 * - the first three searches are the cluster's for the pod's namespace, and
 * - there is an option `ndots`.
 * kubelet always writes these for that pod (GetPodDNS), and a pod with another policy does not have
 * them by accident.
 */
#ifndef POD_DNS_KUBELET_H
#define POD_DNS_KUBELET_H

#include "policy/policy.h"

enum { KUBELET_SEARCHES = 3 }; /* NS.svc.D svc.D D */

enum kubelet_kind {
	KUBELET_CLUSTER_FIRST,
	KUBELET_UNRECOGNISED, /* cluster-first, but no server is one of clusterDNS */
	KUBELET_OTHER_DOMAIN, /* cluster-first, but the domain is not clusterDomain */
	KUBELET_OTHER,	      /* of a pod with Default or None */
};

/* kubelet's three searches of a pod under ClusterFirst (generateSearchesForDNSClusterFirst). */
void kubelet_searches(const char *out[static KUBELET_SEARCHES], const char *domain,
		      const struct pod *pod, struct arena *a);

enum kubelet_kind kubelet_recognise(const struct resolv *runtime_dns, const struct conf *c,
				    const struct pod *pod, struct arena *a);

void kubelet_warn_unrecognised(const struct resolv *runtime_dns, const struct conf *c,
			       struct warnings *w);
void kubelet_warn_other_domain(const struct resolv *runtime_dns, const struct conf *c,
			       struct warnings *w);

/* Warns where the node's searches do not follow the cluster's three: kubelet read another file. */
void kubelet_warn_node(const struct inputs *in, struct warnings *w);

/*
 * Finds where the name of each option ends. A name may hold a colon, and kubelet writes each name
 * once: so beside "ndots:5", "ndots:2:x" is the option "ndots:2" with the value "x".
 */
void kubelet_name_options(struct resolv_list *options, struct arena *a);

/*
 * Takes a cluster-first configuration apart. *base gets kubelet's part: the leading cluster
 * servers, the three searches and the node's after them, ndots:5. *rest gets the pod's own entries,
 * marked FROM_POD. If in->node is NULL, no search counts as the node's.
 */
void kubelet_split(struct resolv *base, struct resolv *rest, const struct inputs *in);

#endif
