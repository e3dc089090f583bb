/* SPDX-License-Identifier: Apache-2.0 */
/*
 * servers.h: `servers`, the zone forwarders of the node's cache, in the schema of OpenShift's
 * dnses.operator.openshift.io. The plugin does not use them: it refuses unknown keys
 * (servers_read_keys) and warns of other faults. pod-dnsctl corefile does.
 */
#ifndef POD_DNS_SERVERS_H
#define POD_DNS_SERVERS_H

#include "domain.h"

struct warnings;

enum forward_policy { FORWARD_RANDOM, FORWARD_ROUND_ROBIN, FORWARD_SEQUENTIAL };
enum transport { TRANSPORT_UNSET, TRANSPORT_CLEARTEXT, TRANSPORT_TLS };
enum protocol { PROTOCOL_DEFAULT, PROTOCOL_TCP };

/* The upstreams, their order, and the transport. */
struct forward {
	const json_t *upstreams; /* of strings: ADDRESS, or ADDRESS:PORT */
	int policy;		 /* enum forward_policy */
	int transport;
	int protocol;
	const char *server_name, *ca_bundle; /* of TLS; NULL: not written */
};

/* The longest time that answers are cached, in seconds. 0: not written. */
struct ttls {
	unsigned positive, negative;
};

enum { TTL_POSITIVE = 900, TTL_NEGATIVE = 30 }; /* OpenShift's defaults */

struct server {
	const char *name;
	const json_t *zones; /* of strings */
	struct forward forward;
	struct ttls cache;
	bool cluster_knows; /* the cluster's DNS forwards the zone too */
};

struct servers {
	size_t n;
	struct server *at; /* owned: servers_done() */
};

extern const struct json_table server_table;

/* Reads one item: an object without unknown keys. Their values are left to servers_decode(). */
json_reader servers_read_keys;

/*
 * Decodes the conflist's `servers` and checks them as OpenShift documents it. ERR_CONFIG.
 * - A name is one of RFC 6335, and unique.
 * - A zone is a subdomain of RFC 1123, occurs once, is not the cluster's domain and does not lie in
 *   the autopath zone.
 * - There are 1 to 15 upstreams, each an IP address with or without a port, none of them the cache.
 * - TLS has a server name.
 */
bool servers_decode(struct servers *s, const struct conf *c, struct err *e);
void servers_done(struct servers *s);

/* A warning for each fault. */
void servers_warn(const struct conf *c, struct warnings *w);

/* For the same keys in OpenShift's object. */
json_reader servers_read_ttl; /* unsigned: seconds of a duration */
extern const char *const forward_policy_names[], *const transport_names[], *const protocol_names[];

#endif
