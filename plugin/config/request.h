/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request.h: who the pod is, what it asks for in the four channels, and what the runtime says it
 * decided.
 *
 * The channels, first found wins, for the policy and for dnsConfig apart:
 * runtimeConfig.dnsPolicy and .dnsConfig, the annotations pod-dns/policy and pod-dns/config,
 * args.cni.dnsPolicy and .dnsConfig, and DNS_POLICY, DNS_NAMESERVERS, DNS_SEARCHES, DNS_OPTIONS in
 * CNI_ARGS. All of it is the pod's author's word, and none of it is trusted.
 */
#ifndef POD_DNS_REQUEST_H
#define POD_DNS_REQUEST_H

#include "cni/args.h"
#include "domain.h"
#include "warn.h"

/* The capability that carries a pod's annotations. */
#define REQUEST_ANNOTATIONS "io.kubernetes.cri.pod-annotations"

/* What a struct request borrows from; owned by the caller, given back by request_sources_done(). */
struct request_sources {
	json_t *annotation; /* pod-dns/config, parsed */
	json_t *from_args;  /* dnsConfig made of CNI_ARGS */
};
void request_sources_done(struct request_sources *s);

/* From CNI_ARGS: K8S_POD_*, or where any NOMAD_* is there, those alone. ERR_ENV. */
bool request_pod(struct pod *pod, const struct args *args, struct err *e);

/*
 * Reads and validates. What is asked wrongly, or not allowed by conf's podMay, is ERR_CONFIG
 * (ERR_DECODE for an annotation that is no JSON); with onPodError `ignore` it is a warning and not
 * asked.
 */
bool request_read(struct request *request, struct request_sources *s, const json_t *network,
		  const struct args *args, const struct conf *c, const struct pod *pod,
		  struct warnings *w, struct err *e);

/*
 * Capability `dns`, what kubelet decided and containerd hands down: true where it is an object,
 * three empty lists too. ERR_DECODE, with false, for one that cannot be read.
 */
bool request_runtime_dns(struct resolv *r, const json_t *network, struct err *e);

#endif
