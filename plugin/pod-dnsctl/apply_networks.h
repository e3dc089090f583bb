/* SPDX-License-Identifier: Apache-2.0 */
/* apply_networks.h: reads the networks of today that have pod-dns, with their files. */
#ifndef POD_DNSCTL_APPLY_NETWORKS_H
#define POD_DNSCTL_APPLY_NETWORKS_H

#include "config/conf_file.h"
#include "config/nodefile.h"
#include "pod-dnsctl/conflist.h"
#include "pod-dnsctl/ctl.h"

struct apply_network {
	struct conflist list;
	struct network_conf network;
	struct nodefile node; /* serves all pods of the network */
	const char *why;      /* why it cannot be used; NULL: it can */
	bool fails;	      /* …so that each ADD fails */
};

struct apply_networks {
	const char *folder;
	struct apply_network *at; /* owned */
	size_t n;
};

/* Every network of the folder that names pod-dns. ERR_IO. apply_networks_done() in any case. */
bool apply_networks_read(struct apply_networks *all, const char *folder, struct arena *a,
			 struct err *e);
void apply_networks_done(struct apply_networks *all);

/* NULL: there is no such network today. */
struct apply_network *apply_network_named(const struct apply_networks *all, const char *name);
#define auto_apply_networks __attribute__((cleanup(apply_networks_done))) struct apply_networks

#endif
