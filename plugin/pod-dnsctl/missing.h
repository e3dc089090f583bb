/* SPDX-License-Identifier: Apache-2.0 */
/* missing.h: finds pods of our networks that have no record, in libcni's cache. */
#ifndef POD_DNSCTL_MISSING_H
#define POD_DNSCTL_MISSING_H

#include "pod-dnsctl/networks.h"
#include "err.h"
#include "state/rundir.h"

#include <jansson.h>

#define MISSING_CACHE "/var/lib/cni/results"

struct missing {
	const char *network, *container_id, *ifname;
	const char *pod; /* "NAMESPACE/NAME", or the container's ID */
};

typedef void missing_visitor(const struct missing *m, void *context);

/*
 * Calls `visit` for each attachment in libcni's cache (`folder`) that belongs to a network of
 * today, whose namespace exists, and that has no record: it began before pod-dns was chained, or
 * its record was removed. Files that are no cache entries are skipped. False: the folder cannot be
 * read.
 */
bool missing_each(const struct networks *networks, const struct rundir *r, const char *folder,
		  missing_visitor *visit, void *context, struct err *e);

/* Parses a cache entry. False: it is none, or of another network. Strings lie in *doc, which the
 * caller owns, and in the arena. *netns is NULL if the entry does not name it. */
bool missing_parse(struct missing *m, const char **netns, json_t **doc, const char *text,
		   size_t len, const struct networks *networks, struct arena *a);

#endif
