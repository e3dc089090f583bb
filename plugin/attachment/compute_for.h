/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compute_for.h: compute() for a CNI call, for a record and for a container without CNI. Each
 * gathers the input in its own way.
 */
#ifndef POD_DNS_COMPUTE_FOR_H
#define POD_DNS_COMPUTE_FOR_H

#include "attachment/compute.h"
#include "cni/cni.h"
#include "config/request.h"
#include "state/record.h"
#include "targets/sandbox.h"

/* The input of one pod, and what the input points to. */
struct compute_sources {
	struct compute_input input;
	struct network_conf network;
	struct args args;
	struct request_sources request;
	struct node_resolv node_resolv;
	json_t *document; /* the network made up for a container; owned */
};

/* Gives back what any of the functions below took, also after a failure. */
void compute_sources_done(struct compute_sources *s);

/*
 * For ADD; call->prev_result is cleaned. Locates the runtime's file of the pod in *sandbox, for
 * which the caller calls sandbox_done(). Fails where ADD fails (pod-dns(8), ERRORS); in mode
 * `observe` that is a warning and the pod is PASSED.
 */
bool compute_for_call(struct computed *c, struct compute_sources *s, const struct call *call,
		      const struct pod_netns *netns, struct sandbox *sandbox, struct warnings *w,
		      struct err *e);

/*
 * For a DEFERRED record, once the runtime has written its text. The rest of the input is what the
 * record keeps of the call. *c points into the record.
 */
bool compute_for_record(struct computed *c, struct compute_sources *s, const struct record *record,
			const char *runtime_text, struct warnings *w, struct err *e);

/*
 * For a container without CNI. `path` is a file with the keys of a configFile; the annotations are
 * the container's request. A faulty file is a warning and the pod is PASSED.
 */
bool compute_for_container(struct computed *c, struct compute_sources *s, const char *path,
			   const json_t *annotations, struct warnings *w, struct err *e);

#endif
