/* SPDX-License-Identifier: Apache-2.0 */
/*
 * missing.h: the networks that pod-dns knows on this node, and their pods without a record.
 *
 * A network is known if it has pod-dns in its chain today, or had it: then it has records, or the
 * owner's file is kept beside it. A network's own installer may have written its file anew, without
 * pod-dns: from then on new pods are not served, and nothing else tells it.
 */
#ifndef POD_DNSCTL_MISSING_H
#define POD_DNSCTL_MISSING_H

#include "pod-dnsctl/inventory/libcni_cache.h"
#include "pod-dnsctl/inventory/networks.h"
#include "pod-dnsctl/inventory/view.h"

struct known_network {
	const char *name;
	bool chained;	/* pod-dns is in its chain today */
	size_t missing; /* for callers that count */
};

struct known_networks {
	struct known_network *at; /* in the arena */
	size_t n;
	bool with_gone; /* missing_each() reads pods without a namespace too: state "gone" */
};

struct known_networks known_networks_find(const struct networks *networks, const struct rundir *r,
					  struct arena *a);
struct known_network *known_network_named(const struct known_networks *all, const char *name);

/* Called for each; the view has the attachment, `pod` and `state`. It lasts for the call. */
typedef void missing_reader(const struct view *v, void *context);

/*
 * Reads libcni's cache (`folder`; NULL: the usual one) for running pods of the networks without a
 * record: they began before pod-dns was chained, or their record was removed. Files that are not
 * cache entries are skipped. ERR_IO.
 */
bool missing_each(const char *folder, const struct rundir *r, const struct known_networks *known,
		  missing_reader *read, void *context, struct err *e);

#endif
