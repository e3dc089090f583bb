/* SPDX-License-Identifier: Apache-2.0 */
/*
 * servers.h: zone forwarders for the node's cache: `servers`, in the schema of OpenShift's
 * dnses.operator.openshift.io. The plugin uses none of it: it refuses what has no place there
 * (servers_read_keys), and warns of the rest.
 */
#ifndef POD_DNS_SERVERS_H
#define POD_DNS_SERVERS_H

#include "domain.h"

struct warnings;

enum forward_policy { FORWARD_RANDOM, FORWARD_ROUND_ROBIN, FORWARD_SEQUENTIAL };
enum transport { TRANSPORT_UNSET, TRANSPORT_CLEARTEXT, TRANSPORT_TLS };
enum protocol { PROTOCOL_DEFAULT, PROTOCOL_TCP };

/* To whom queries go, in which order, and over what. */
struct forward {
	const json_t *upstreams; /* of strings: ADDRESS, or ADDRESS:PORT */
	int policy;		 /* enum forward_policy */
	int transport;
	int protocol;
	const char *server_name, *ca_bundle; /* of TLS; NULL: not written */
};

/* How long answers are kept, in seconds at most. 0: not written. */
struct ttls {
	unsigned positive, negative;
};

enum { TTL_POSITIVE = 900, TTL_NEGATIVE = 30 }; /* OpenShift's defaults */

struct server {
	const char *name;
	const json_t *zones; /* of strings */
	struct forward forward;
	struct ttls cache;
	bool cluster_knows; /* the cluster's DNS has the same forwarder */
};

struct servers {
	size_t n;
	struct server *at; /* owned: servers_done() */
};

extern const struct json_table server_table;

/* Reads one of the list: an object without unknown keys. What they hold is servers_decode()'s. */
json_reader servers_read_keys;

/*
 * Decodes the conflist's `servers` and checks them as OpenShift documents it: a name is one of RFC
 * 6335 and unique; a zone is a subdomain of RFC 1123, served once, neither the cluster's domain nor
 * within the autopath zone; 1 to 15 upstreams, each an IP address or address and port, none of them
 * the cache itself; TLS has a server's name. ERR_CONFIG.
 */
bool servers_decode(struct servers *s, const struct conf *c, struct err *e);
void servers_done(struct servers *s);

/* A warning for each fault. */
void servers_warn(const struct conf *c, struct warnings *w);

struct upstream {
	struct addr addr;
	unsigned port;
};

/* ADDRESS, IPV4:PORT or [IPV6]:PORT; without a port it is 53. An address as Go reads it. */
bool servers_read_upstream(struct upstream *u, const char *s);

/* Readers that `servers` shares with OpenShift's object. */
json_reader servers_read_ttl;	      /* unsigned: seconds of a duration */
json_reader servers_read_server_name; /* const char *: a TLS server's */
extern const char *const forward_policy_names[], *const transport_names[], *const protocol_names[];

#endif
