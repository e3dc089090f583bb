/* SPDX-License-Identifier: Apache-2.0 */
/* compute_for_running.h: gathers what an ADD of a running pod would read today. */
#ifndef POD_DNSCTL_APPLY_INPUTS_H
#define POD_DNSCTL_APPLY_INPUTS_H

#include "attachment/compute.h"
#include "config/request.h"
#include "pod-dnsctl/inventory/networks.h"
#include "state/record.h"

struct compute_for_running {
	struct compute_input input;
	struct args args;
	struct request_sources request;
	json_t *cached;	 /* libcni's cache entry of the attachment; owned; NULL: none */
	json_t *network; /* the plugin's object as libcni would hand it down; owned */
};

/*
 * Network and node are those of today. The decisions of the runtime and the plugins before are in
 * the record, to which *in points. The pod's request is in libcni's cache, in folder `cache`;
 * ERR_IO: the record names a request that is not there any more. The caller calls
 * compute_for_running_done() in any case.
 */
bool compute_for_running_read(struct compute_for_running *in, struct live_network *n,
			      const struct record *record, const char *cache, struct warnings *w,
			      struct err *e);
void compute_for_running_done(struct compute_for_running *in);
#define auto_compute_for_running \
	__attribute__((cleanup(compute_for_running_done))) struct compute_for_running

#endif
