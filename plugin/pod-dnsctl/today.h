/* SPDX-License-Identifier: Apache-2.0 */
/* today.h: the configurations that the next ADDs would use; records of others are stale. */
#ifndef POD_DNSCTL_TODAY_H
#define POD_DNSCTL_TODAY_H

#include "arena.h"
#include "base.h"

enum { TODAY_NETWORKS = 256 };

struct today {
	size_t n;
	struct {
		const char *name; /* of the network */
		bool known;	  /* the configuration can be read now */
		uint64_t hash;	  /* as in records */
	} at[TODAY_NETWORKS];
};

/* Every conflist of the folder that names pod-dns, with its configFile. NULL: the folder that the
 * node's runtime reads. */
void today_read(struct today *t, const char *folder, struct arena *a);

/* Whether a network of today has pod-dns in it. */
bool today_has(const struct today *t, const char *network);

/* Whether a record with this hash was made with another configuration than today's; false also if
 * today's is unknown. */
bool today_is_stale(const struct today *t, const char *network, uint64_t hash);

#endif
