/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compute_for_pod.h: computes the DNS of a Kubernetes pod from its object: first the part of API
 * server and kubelet, then the plugin's. The latter is compute(), so that it cannot differ from
 * ADD.
 */
#ifndef POD_DNSCTL_COMPUTE_FOR_POD_H
#define POD_DNSCTL_COMPUTE_FOR_POD_H

#include "attachment/compute.h"
#include "config/request.h"
#include "config/conflist.h"

/* A conflist, read once for many pods. */
struct pod_network {
	struct conflist list;
	struct network_conf network;
	struct network_conf
		kubelet; /* the same node, as kubelet knows it: nothing of it is owned */
	struct node_resolv node_resolv;
	struct warnings warnings; /* the conflist's own */
	bool annotations;	  /* the runtime hands them to the plugin */
};

/* ERR_IO, ERR_DECODE, ERR_CONFIG; each names the file. pod_network_done() in any case. */
bool pod_network_read(struct pod_network *n, const char *path, struct arena *a, struct err *e);
void pod_network_done(struct pod_network *n);

/* A pod's result. */
struct pod_dns {
	char who[512];		/* NAMESPACE/NAME */
	struct outcome kubelet; /* what kubelet hands down */
	struct computed
		computed; /* what the plugin makes of it; of a pod on the host's network: PASSED */
	const struct outcome *outcome; /* the one of these that the pod gets */
	int policy;		       /* enum policy: the policy of that configuration */
	struct compute_input input;    /* what `computed` points into */
	struct request_sources sources;
	json_t *made;
};

/*
 * Computes for a pod object; NULL: a plain pod in namespace default. Warnings begin with those of
 * the conflist. ERR_CONFIG names a key that the API server would refuse; else fails as ADD does.
 * `p->who` is set in any case, and the caller calls pod_dns_done() in any case.
 */
bool compute_for_pod(struct pod_dns *p, struct pod_network *n, const json_t *pod,
		     struct warnings *w, struct err *e);
void pod_dns_done(struct pod_dns *p);

#endif
