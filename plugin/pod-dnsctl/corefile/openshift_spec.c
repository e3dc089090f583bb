/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openshift_spec.c: decodes a dnses.operator.openshift.io object. Refuses what the API server
 * refuses by the CRD, and what cluster-dns-operator refuses (sanitizeTLSSettings and
 * desiredDNSConfigMap in pkg/operator/controller/controller_dns_configmap.go). They admit any word
 * as a zone, and so does this, unless it would be more than one word in a Corefile.
 */
#include "pod-dnsctl/corefile/openshift_spec.h"
#include "text.h"

#include <string.h>

/*** decoding ***/

/* Like json_read_word, but "" means absent. */
static bool read_choice(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	return (json_is_string(v) && !json_string_length(v)) || json_read_word(v, row, out, e);
}

static bool read_word(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (!json_read_string(v, row, out, e))
		return false;
	return text_is_word(json_string_value(v)) || json_fault_value(v, e, "is no single word");
}

static bool read_word_or_none(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	return (json_is_string(v) && !json_string_length(v)) || read_word(v, row, out, e);
}

static bool read_line(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (!json_read_text(v, row, out, e))
		return false;
	return text_is_line(json_string_value(v)) || json_fault_value(v, e, "is no single line");
}

static const struct json_row ca_rows[] = {
	JSON_ROW("name", read_word_or_none, struct forward, ca_bundle),
};
static const struct json_table ca_table = JSON_TABLE(ca_rows, JSON_OPEN);

static const struct json_row tls_rows[] = {
	JSON_ROW("serverName", read_word_or_none, struct forward, server_name),
	{ .key = "caBundle", .read = json_read_object, .table = &ca_table },
};
static const struct json_table tls_table = JSON_TABLE(tls_rows, JSON_OPEN);

static const struct json_row transport_rows[] = {
	JSON_ROW("transport", read_choice, struct forward, transport, .words = transport_names),
	{ .key = "tls", .read = json_read_object, .table = &tls_table },
};
static const struct json_table transport_table = JSON_TABLE(transport_rows, JSON_OPEN);

#define HOW_TO_FORWARD                                                                          \
	JSON_ROW("policy", read_choice, struct forward, policy, .words = forward_policy_names), \
		JSON_ROW("protocolStrategy", read_choice, struct forward, protocol,             \
			 .words = protocol_names),                                              \
	{                                                                                       \
		.key = "transportConfig", .read = json_read_object, .table = &transport_table   \
	}

enum { UPSTREAMS_MAX = 15, ZONES_MAX = 1024 };

static const struct json_row forward_rows[] = {
	JSON_ROW("upstreams", json_read_items, struct forward, upstreams, .item = read_word,
		 .max = UPSTREAMS_MAX),
	HOW_TO_FORWARD,
};
static const struct json_table forward_table = JSON_TABLE(forward_rows, JSON_OPEN);

static const struct json_row server_rows[] = {
	JSON_ROW("name", read_line, struct server, name),
	JSON_ROW("zones", json_read_items, struct server, zones, .item = read_word,
		 .max = ZONES_MAX),
	JSON_ROW("forwardPlugin", json_read_object, struct server, forward,
		 .table = &forward_table),
};
static const struct json_table openshift_server_table = JSON_TABLE(server_rows, JSON_OPEN);

static const char *const type_names[] = { "", "SystemResolvConf", "Network", NULL };

static const struct json_row upstream_rows[] = {
	JSON_ROW("type", json_read_word, struct dns_upstream, type, .words = type_names),
	JSON_ROW("address", read_word_or_none, struct dns_upstream, address),
	JSON_ROW("port", json_read_uint, struct dns_upstream, port, .max = 65535),
};
static const struct json_table upstream_table = JSON_TABLE(upstream_rows, JSON_OPEN);

/* Only checks it; openshift_upstream() decodes it again. */
static bool read_upstream_item(const json_t *v, const struct json_row *row UNUSED, void *out UNUSED,
			       struct err *e)
{
	struct dns_upstream ignored = { 0 };

	return json_decode_in(v, &upstream_table, &ignored, e);
}

static const struct json_row how_rows[] = { HOW_TO_FORWARD };
static const struct json_table how_table = JSON_TABLE(how_rows, JSON_OPEN);

static bool read_resolvers(const json_t *v, const struct json_row *row UNUSED, void *out,
			   struct err *e)
{
	static const struct json_row rows[] = {
		JSON_ROW("upstreams", json_read_items, struct resolvers, upstreams,
			 .item = read_upstream_item, .max = UPSTREAMS_MAX),
	};
	static const struct json_table table = JSON_TABLE(rows, JSON_OPEN);
	struct resolvers *r = out;

	return json_decode_in(v, &table, r, e) && json_decode_in(v, &how_table, &r->forward, e);
}

static bool read_servers(const json_t *v, const struct json_row *row UNUSED, void *out,
			 struct err *e)
{
	static const struct json_row list = { .item = json_read_object,
					      .size = sizeof(struct server),
					      .max = 4096,
					      .table = &openshift_server_table };
	struct servers *servers = out;

	servers->at = calloc(json_array_size(v) + 1, sizeof(*servers->at));
	if (!servers->at)
		return err_set(e, ERR_IO, ": out of memory");
	servers->n = json_array_size(v);
	return json_read_each(v, &list, servers->at, e);
}

static const char *const level_names[] = { "Normal", "Debug", "Trace", NULL };

static const struct json_row ttl_rows[] = {
	JSON_ROW("positiveTTL", servers_read_ttl, struct ttls, positive),
	JSON_ROW("negativeTTL", servers_read_ttl, struct ttls, negative),
};
static const struct json_table ttl_table = JSON_TABLE(ttl_rows, JSON_OPEN);

static const struct json_row spec_rows[] = {
	JSON_ROW("servers", read_servers, struct dns_spec, servers),
	JSON_ROW("upstreamResolvers", read_resolvers, struct dns_spec, resolvers),
	JSON_ROW("cache", json_read_object, struct dns_spec, cache, .table = &ttl_table),
	JSON_ROW("logLevel", read_choice, struct dns_spec, log_level, .words = level_names),
};
static const struct json_table spec_table = JSON_TABLE(spec_rows, JSON_OPEN);

static const struct json_row object_rows[] = {
	{ .key = "spec", .read = json_read_object, .table = &spec_table },
};
static const struct json_table object_table = JSON_TABLE(object_rows, JSON_OPEN);

struct dns_upstream openshift_upstream(const struct resolvers *r, size_t i)
{
	struct dns_upstream upstream = { .address = "" };

	(void)json_decode(json_array_get(r->upstreams, i), &upstream_table, &upstream, NULL);
	if (upstream.type == TYPE_UNSET)
		upstream.type = TYPE_SYSTEM;
	return upstream;
}

/*** what the operator refuses ***/

/* Does what net.ParseIP does with the host that net.SplitHostPort finds, if it finds one. */
static bool is_ip(const char *upstream)
{
	char host[256];
	bool bracketed = *upstream == '[';
	const char *colon = strrchr(upstream, ':');
	size_t len = strlen(upstream);
	struct addr a;

	if (bracketed && colon && colon[-1] == ']')
		len = (size_t)(colon - upstream) - 2;
	else if (!bracketed && colon && colon == strchr(upstream, ':'))
		len = (size_t)(colon - upstream);
	else
		bracketed = false;
	if (len >= sizeof(host))
		return false;
	memcpy(host, upstream + bracketed, len);
	host[len] = '\0';
	return !addr_has_leading_zeros(host) && addr_parse(&a, host);
}

static bool check_server_tls(const struct forward *f, struct err *e)
{
	json_t *upstream;
	size_t i;

	if (f->transport != TRANSPORT_TLS)
		return true;
	if (!f->server_name)
		return err_set(e, ERR_CONFIG,
			       ".transportConfig.tls.serverName: missing: TLS needs it "
			       "(tls-needs-server-name)");
	json_array_foreach (f->upstreams, i, upstream)
		if (!is_ip(json_string_value(upstream)))
			return err_set(e, ERR_CONFIG,
				       ".upstreams[%zu]: \"%s\" is no IP address, which TLS needs "
				       "(tls-upstream-must-be-ip)",
				       i, json_string_value(upstream));
	return true;
}

/* Whether the type is written so. An empty type means the same, but is not refused. */
static bool names_system(const json_t *upstream)
{
	const char *type = json_string_value(json_object_get(upstream, "type"));

	return type && strcmp(type, type_names[TYPE_SYSTEM]) == 0;
}

static bool check_resolvers_tls(const struct resolvers *r, struct err *e)
{
	json_t *upstream;
	size_t i;

	if (r->forward.transport != TRANSPORT_TLS)
		return true;
	if (!r->forward.server_name)
		return err_set(e, ERR_CONFIG,
			       ".transportConfig.tls.serverName: missing: TLS needs it "
			       "(tls-needs-server-name)");
	if (!json_array_size(r->upstreams))
		return err_set(e, ERR_CONFIG,
			       ".upstreams: none, so /etc/resolv.conf, to which TLS is not spoken "
			       "(tls-not-allowed-with-system-resolv-conf)");
	json_array_foreach (r->upstreams, i, upstream)
		if (names_system(upstream))
			return err_set(e, ERR_CONFIG,
				       ".upstreams[%zu]: TLS is not spoken to /etc/resolv.conf "
				       "(tls-not-allowed-with-system-resolv-conf)",
				       i);
	return true;
}

static bool check_addresses(const struct resolvers *r, struct err *e)
{
	for (size_t i = 0; i < json_array_size(r->upstreams); i++) {
		struct dns_upstream u = openshift_upstream(r, i);

		if (u.type == TYPE_NETWORK && !*u.address)
			return err_set(e, ERR_CONFIG,
				       ".upstreams[%zu].address: missing: type Network needs it "
				       "(network-upstream-needs-address)",
				       i);
	}
	return true;
}

static bool check_spec(const struct dns_spec *spec, struct err *e)
{
	for (size_t i = 0; i < spec->servers.n; i++)
		if (!check_server_tls(&spec->servers.at[i].forward, e))
			return err_in(e, "spec.servers[%zu].forwardPlugin", i);
	return (check_resolvers_tls(&spec->resolvers, e) && check_addresses(&spec->resolvers, e)) ||
	       err_in(e, "spec.upstreamResolvers");
}

bool openshift_spec_read(struct dns_spec *spec, const json_t *object, struct err *e)
{
	*spec = (struct dns_spec){ .resolvers.forward.policy = FORWARD_SEQUENTIAL };
	return json_decode(object, &object_table, spec, e) && check_spec(spec, e);
}
