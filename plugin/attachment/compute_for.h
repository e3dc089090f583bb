/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compute_for.h: compute() for what the plugin is called for: each gathers what is known of the pod
 * in its own way.
 */
#ifndef POD_DNS_COMPUTE_FOR_H
#define POD_DNS_COMPUTE_FOR_H

#include "attachment/compute.h"
#include "cni/cni.h"
#include "config/request.h"
#include "state/record.h"
#include "targets/sandbox.h"

/* The input of one pod, and what it borrows from. */
struct compute_sources {
	struct compute_input input;
	struct network_conf network;
	struct args args;
	struct request_sources request;
	struct nodefile node;
	json_t *document; /* a network that was made up; owned */
};

/* compute_sources_done() gives back what any of these took, also after a failure. */
void compute_sources_done(struct compute_sources *s);

/*
 * For ADD, whose prevResult is cleaned. Locates the runtime's file of the pod; sandbox_done() is
 * the caller's. Fails as design and pod-dns(8) say ADD fails; under `observe` what would fail is a
 * warning and the pod is PASSED.
 */
bool compute_for_call(struct computed *c, struct compute_sources *s, const struct call *call,
		      struct sandbox *sandbox, struct warnings *w, struct err *e);

/*
 * For a PENDING record: what the runtime's text, now that it is there, comes to with what the
 * record keeps of the call. It borrows from the record.
 */
bool compute_for_record(struct computed *c, struct compute_sources *s, const struct record *record,
			const char *runtime_text, struct warnings *w, struct err *e);

/*
 * For a container that no CNI is called for: `path` is a file with the keys of a configFile, the
 * annotations are its channel. A wrong file is a warning, and the pod is PASSED.
 */
bool compute_for_container(struct computed *c, struct compute_sources *s, const char *path,
			   const json_t *annotations, struct warnings *w, struct err *e);

#endif
