/* SPDX-License-Identifier: Apache-2.0 */
/* openshift_spec.h: decodes a dnses.operator.openshift.io object. */
#ifndef POD_DNSCTL_OPENSHIFT_SPEC_H
#define POD_DNSCTL_OPENSHIFT_SPEC_H

#include "config/servers.h"

enum upstream_type { TYPE_UNSET, TYPE_SYSTEM, TYPE_NETWORK };

struct resolvers {
	const json_t *upstreams; /* of {type, address, port} */
	struct forward forward;
};

struct dns_spec {
	struct servers servers; /* owned */
	struct resolvers resolvers;
	struct ttls cache;
	int log_level;
};

struct dns_upstream {
	int type;
	const char *address;
	unsigned port;
};

/*
 * Decodes an object's `spec` over the defaults, and checks it as the API server and the operator
 * do. ERR_CONFIG. The caller calls servers_done(&spec->servers) in either case.
 */
bool openshift_spec_read(struct dns_spec *spec, const json_t *object, struct err *e);

/* Entry `i` of the resolvers' upstreams; without a type it is TYPE_SYSTEM. */
struct dns_upstream openshift_upstream(const struct resolvers *r, size_t i);

#endif
