/* SPDX-License-Identifier: Apache-2.0 */
/* networks.h: reads the networks of today that have pod-dns in them: what the next ADDs would use.
 */
#ifndef POD_DNSCTL_NETWORKS_H
#define POD_DNSCTL_NETWORKS_H

#include "config/conf_file.h"
#include "config/node_resolv.h"
#include "config/conflist.h"
#include "state/record.h"

struct live_network {
	struct conflist list;
	struct network_conf conf;
	uint64_t hash;			/* of the configuration, as in records */
	struct node_resolv node_resolv; /* serves all pods of the network */
	const char *why;		/* why it cannot be used; NULL: it can */
	bool fails;			/* …so that each ADD fails */
};

enum { NETWORKS_MAX = 256 };

struct networks {
	const char *folder;
	struct live_network *at; /* owned */
	size_t n;
};

/* Every conflist of the folder that names pod-dns, with its configFile. NULL: the folder that the
 * node's runtime reads. ERR_IO. networks_done() in any case. */
bool networks_read(struct networks *all, const char *folder, struct arena *a, struct err *e);
void networks_done(struct networks *all);
#define auto_networks __attribute__((cleanup(networks_done))) struct networks

/* NULL: the network does not exist today. */
struct live_network *live_network_named(const struct networks *all, const char *name);

/* Whether the record was made with another configuration than today's; false also if today's is
 * unknown. */
bool live_network_outdates(const struct networks *all, const struct record *record);

/* The option of a verb that says which folder. */
#define NETWORKS_OPTION                                                                     \
	{                                                                                   \
		.name = "conf-dir", .value = "DIR",                                         \
		.help = "where networks are configured (default:\nwhere the runtime looks)" \
	}

#endif
