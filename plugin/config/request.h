/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request.h: reads from a call who the pod is, what it requests, and what the runtime decided.
 *
 * A pod requests a policy and a dnsConfig through four channels. The first one found counts:
 * 1. runtimeConfig.dnsPolicy, .dnsConfig
 * 2. the annotations pod-dns/policy, pod-dns/config
 * 3. args.cni.dnsPolicy, .dnsConfig
 * 4. CNI_ARGS: DNS_POLICY; DNS_NAMESERVERS, DNS_SEARCHES, DNS_OPTIONS
 * The author of the pod writes all of these: nothing in them is trusted.
 */
#ifndef POD_DNS_REQUEST_H
#define POD_DNS_REQUEST_H

#include "cni/args.h"
#include "domain.h"
#include "warn.h"

/* The capability that carries a pod's annotations. */
#define REQUEST_ANNOTATIONS "io.kubernetes.cri.pod-annotations"

/* The memory that a struct request points into; request_sources_done() frees it. */
struct request_sources {
	json_t *annotation; /* pod-dns/config, parsed */
	json_t *from_args;  /* dnsConfig made of CNI_ARGS */
};
void request_sources_done(struct request_sources *s);

/* From CNI_ARGS: NOMAD_* if there is any, else K8S_POD_*. ERR_ENV. */
bool request_pod(struct pod *pod, const struct args *args, struct err *e);

/* NAMESPACE/POD as a warning names it, in the arena; NULL: the call does not name the pod. */
const char *request_pod_shown(const struct pod *pod, struct arena *a);

/*
 * Reads and validates. A faulty request, or one that podMay does not allow, is ERR_CONFIG
 * (ERR_DECODE: an annotation that is no JSON). If onPodError is `ignore`, it is a warning and that
 * part is left out.
 */
bool request_read(struct request *request, struct request_sources *s, const json_t *network,
		  const struct args *args, const struct conf *c, const struct pod *pod,
		  struct warnings *w, struct err *e);

enum capability { CAPABILITY_ABSENT, CAPABILITY_READ, CAPABILITY_FAULTY };

/*
 * Reads capability `dns`, by which containerd hands down what kubelet decided; empty lists count.
 * CAPABILITY_FAULTY: it has wrong types (ERR_DECODE).
 */
enum capability request_runtime_dns(struct resolv *r, const json_t *network, struct arena *a,
				    struct err *e);

#endif
