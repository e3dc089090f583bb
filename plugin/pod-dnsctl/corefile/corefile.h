/* SPDX-License-Identifier: Apache-2.0 */
/* corefile.h: makes CoreDNS's configuration. */
#ifndef POD_DNSCTL_COREFILE_H
#define POD_DNSCTL_COREFILE_H

#include "pod-dnsctl/corefile/corefile_zone.h"
#include "config/servers.h"
#include "dnsname.h"

struct text;

/* The data that a Corefile is made of. */
struct corefile {
	const char *network;
	const struct conf *conf;
	const struct servers *servers;
	const struct resolv *node; /* the node's file, for its searches */
	const char *folder;	   /* where CoreDNS finds the search files */
	const json_t *bundles;	   /* the files of CA bundles, by name */
	bool autopath;		   /* pods may use the autopath zone */
	bool cluster;		   /* for the cluster's own CoreDNS, not the node's cache */
};

/* The two search files of autopath, which lie beside the Corefile. */
#define SEARCH_FILE_NAMESPACE "autopath-namespace.conf"
#define SEARCH_FILE_REST      "autopath-rest.conf"
void corefile_render_search_namespace(struct text *out);
void corefile_render_search_rest(struct text *out, const struct corefile *c);

/* The node cache's whole Corefile, or the blocks to add to that of the cluster's CoreDNS. */
void corefile_render(struct text *out, const struct corefile *c);

/*
 * The Corefile that OpenShift's cluster-dns-operator makes of a dnses.operator.openshift.io object,
 * or of a list of one. `bundles` holds the revisions of CA bundles by name, `namespaces` (comma
 * separated, or NULL) those of its name resolver. ERR_CONFIG: the operator would refuse the object.
 */
bool openshift_render(struct text *out, const json_t *object, const json_t *bundles,
		      const char *namespaces, struct err *e);

/*** what its parts share ***/

/* The blocks that serve the autopath zone. `back`: where the server listens. */
void corefile_put_autopath(struct text *out, const struct corefile *c, const char *back);

/* The block that answers all names of the zone with NXDOMAIN. */
void corefile_put_no_autopath(struct text *out, const struct corefile *c);

/*
 * Prints a forward directive for a block: `upstreams` (strings) with policy and transport. `ca` is
 * the CA's file or NULL.
 */
void corefile_forward(struct text *out, const json_t *upstreams, const struct forward *f,
		      const char *ca);

#endif
