/* SPDX-License-Identifier: Apache-2.0 */
/* on_host.h: pods on the host's network, for which the runtime calls no CNI plugin. */
#ifndef POD_DNS_NRI_ON_HOST_H
#define POD_DNS_NRI_ON_HOST_H

#include "pod-dns-nri/complete.h"
#include "pod-dns-nri/wire/nri.h"

/*
 * By the namespace that RunPodSandbox names. containerd names none for such a pod, and CRI-O names
 * the node's own.
 */
bool on_host(const struct nri_pod *pod);

struct on_host_runtime {
	const char *conf_dir; /* its folder of networks */
	int pid;	      /* its process, which may reveal where it keeps files; 0: unknown */
};

/*
 * Writes the pod's file if a rule with hostNetwork matches, by the network that the runtime uses
 * now. COMPLETED_NOTHING with *e: the network cannot be read.
 */
enum completed on_host_complete(const struct nri_pod *pod, const struct on_host_runtime *runtime,
				struct warnings *w, struct err *e);

#endif
