/* SPDX-License-Identifier: Apache-2.0 */
/* missing.h: pods of our networks that pod-dns has no record of: by the cache that libcni keeps. */
#ifndef POD_DNSCTL_MISSING_H
#define POD_DNSCTL_MISSING_H

#include "pod-dnsctl/today.h"
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
 * Calls `visit` for each attachment that libcni's cache in `folder` holds of one of today's
 * networks, whose namespace is still there, and that has no record: it began before pod-dns was
 * chained, or its record was removed. A file that is no cache entry is passed over. False: the
 * folder cannot be read.
 */
bool missing_each(const struct today *today, const struct rundir *r, const char *folder,
		  missing_visitor *visit, void *context, struct err *e);

/* One cache entry's text. False: it is none, or none of today's networks. Strings lie in *doc, the
 * caller's, and in the arena. `netns` is NULL where the entry does not say. */
bool missing_parse(struct missing *m, const char **netns, json_t **doc, const char *text,
		   size_t len, const struct today *today, struct arena *a);

#endif
