/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kubelet.h: what the runtime's configuration says of the pod it was made for.
 *
 * kubelet hands down three lists and no policy. One whose first server is the cluster's, whose
 * searches begin with the cluster's three and which has `ndots` is cluster-first: kubelet always
 * writes these (GetPodDNS), and no pod with another policy does by accident.
 */
#ifndef POD_DNS_KUBELET_H
#define POD_DNS_KUBELET_H

#include "policy/policy.h"

enum { KUBELET_SEARCHES = 3 }; /* NS.svc.D svc.D D */

enum kubelet_kind {
	KUBELET_CLUSTER_FIRST,
	KUBELET_UNRECOGNISED, /* but for its servers: node and conflist disagree */
	KUBELET_OTHER_DOMAIN, /* but for its domain: likewise, or the pod means another cluster */
	KUBELET_OTHER,	      /* Default, None */
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

/* Where the node's searches are not what follows the cluster's three: kubelet read another file. */
void kubelet_warn_node(const struct inputs *in, struct warnings *w);

/*
 * Tells the names of the runtime's configuration's options apart. kubelet has each name once, but a
 * name may hold a colon: beside "ndots:5", "ndots:2:x" is option "ndots:2".
 */
void kubelet_name_options(struct resolv_list *options);

/*
 * A cluster-first configuration, taken apart: `base` is kubelet's (the leading cluster servers, the
 * three searches and the node's after them, ndots:5), `rest` the pod's own words, marked FROM_POD.
 * Without in->node no search is the node's.
 */
void kubelet_split(struct resolv *base, struct resolv *rest, const struct inputs *in);

#endif
