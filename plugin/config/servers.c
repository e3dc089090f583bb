/* SPDX-License-Identifier: Apache-2.0 */
/* servers.c: zone forwarders for the node's cache, in OpenShift's schema. */
#include "config/servers.h"
#include "config/addr_list.h"
#include "duration.h"
#include "dnsname.h"
#include "warn.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { UPSTREAMS_MAX = 15 }; /* of CoreDNS's forward */

const char *const forward_policy_names[] = { "Random", "RoundRobin", "Sequential", NULL };
const char *const transport_names[] = { "", "Cleartext", "TLS", NULL };
const char *const protocol_names[] = { "", "TCP", NULL };

/*** readers ***/

static bool read_port(unsigned *port, const char *s)
{
	size_t len = strspn(s, "0123456789");

	*port = len <= 5 ? (unsigned)strtoul(s, NULL, 10) : 0;
	return len && !s[len] && *port >= 1 && *port <= 65535;
}

/* Leading zeros are refused, as CoreDNS does (Go's net.ParseIP). */
static bool is_address(const char *s, struct addr *a)
{
	return !addr_has_leading_zeros(s) && addr_parse(a, s);
}

struct upstream {
	struct addr addr;
	unsigned port;
};

/* ADDRESS, IPV4:PORT or [IPV6]:PORT; the port defaults to 53. */
static bool read_upstream(struct upstream *u, const char *s)
{
	char address[ADDR_TEXT];
	bool bracketed = *s == '[';
	const char *end = strstr(s, bracketed ? "]:" : ":");
	size_t len;

	u->port = 53;
	if (is_address(s, &u->addr))
		return true;
	s += bracketed;
	len = end ? (size_t)(end - s) : sizeof(address);
	if (len >= sizeof(address))
		return false;
	memcpy(address, s, len);
	address[len] = '\0';
	return is_address(address, &u->addr) && addr_is_v4(&u->addr) != bracketed &&
	       read_port(&u->port, end + (bracketed ? 2 : 1));
}

static bool is_upstream(const char *s)
{
	struct upstream ignored;

	return read_upstream(&ignored, s);
}

/* Keeps the list also where an entry is faulty: servers_decode() checks the others. */
static bool read_some(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (json_is_array(v))
		*(const json_t **)out = v;
	return json_read_items(v, row, out, e);
}

bool servers_read_ttl(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	uint64_t span = 0;

	if (!json_is_plain_string(v) || !duration_parse(&span, json_string_value(v)) ||
	    duration_seconds(span) > UINT32_MAX)
		return json_fault(v, e, "a duration such as \"30s\" or \"1h10m\"");
	*(unsigned *)out = (unsigned)duration_seconds(span);
	return true;
}

/*** tables ***/

#define LABEL	     "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define SUBDOMAIN    "^" LABEL "([.]" LABEL ")*$"
#define TTL	     "^(0|([0-9]+([.][0-9]+)?(ns|us|\xc2\xb5s|\xce\xbcs|ms|s|m|h))+)$"
#define SERVICE_NAME "^([0-9]-?)*[A-Za-z](-?[A-Za-z0-9])*$"

#define SERVER_NAME                                                                      \
	.fits = dnsname_is_subdomain, .unfit = "is not the name of a server (RFC 1123)", \
	.pattern = SUBDOMAIN

static const struct json_row ca_rows[] = {
	JSON_ROW("name", json_read_string, struct forward, ca_bundle, .required = true, SERVER_NAME,
		 .about = "The bundle's name. pod-dnsctl corefile --ca-bundle says which file "
			  "it is."),
};
static const struct json_table ca_table = JSON_TABLE(ca_rows, 0);

static const struct json_row tls_rows[] = {
	JSON_ROW("serverName", json_read_string, struct forward, server_name, SERVER_NAME,
		 .about = "The name that the upstreams' certificates are for. Needed with TLS."),
	{ .key = "caBundle",
	  .read = json_read_object,
	  .table = &ca_table,
	  .about = "The signer of the upstreams' certificates, if the system does not know it." },
};
static const struct json_table tls_table = JSON_TABLE(tls_rows, 0);

static const struct json_row transport_rows[] = {
	JSON_ROW("transport", json_read_word, struct forward, transport, .words = transport_names,
		 .about = "TLS, or Cleartext, which is the default."),
	{ .key = "tls",
	  .read = json_read_object,
	  .table = &tls_table,
	  .about = "The data that TLS needs." },
};
static const struct json_table transport_table = JSON_TABLE(transport_rows, 0);

static const struct json_row forward_rows[] = {
	JSON_ROW("upstreams", read_some, struct forward, upstreams, .required = true,
		 .like = json_read_items, .item = json_read_string, .fits = is_upstream,
		 .unfit = "is neither an IP address nor one with a port (192.0.2.1:5353, "
			  "[2001:db8::1]:5353)",
		 .min = 1, .max = UPSTREAMS_MAX,
		 .about = "The servers to ask: IP addresses, or addresses with a port, IPv6 in "
			  "brackets then."),
	JSON_ROW("policy", json_read_word, struct forward, policy, .words = forward_policy_names,
		 .about = "In which order they are asked. Random is the default."),
	JSON_ROW("protocolStrategy", json_read_word, struct forward, protocol,
		 .words = protocol_names, .about = "TCP: always over TCP."),
	{ .key = "transportConfig",
	  .read = json_read_object,
	  .table = &transport_table,
	  .about = "How the servers are spoken to." },
};
static const struct json_table forward_table = JSON_TABLE(forward_rows, 0);

static const struct json_row ttl_rows[] = {
	JSON_ROW("positiveTTL", servers_read_ttl, struct ttls, positive, .like = json_read_string,
		 .pattern = TTL, .about = "How long answers are kept at most. 900s by default."),
	JSON_ROW("negativeTTL", servers_read_ttl, struct ttls, negative, .like = json_read_string,
		 .pattern = TTL, .about = "How long a negative answer is kept. 30s by default."),
};
static const struct json_table ttl_table = JSON_TABLE(ttl_rows, 0);

static const struct json_row server_rows[] = {
	JSON_ROW("name", json_read_string, struct server, name, .required = true,
		 .fits = dnsname_is_service,
		 .unfit = "is not a name of RFC 6335: up to 15 letters, digits and single hyphens "
			  "within, at least one letter",
		 .pattern = SERVICE_NAME,
		 .about = "The forwarder's name: a service name of RFC 6335, up to 15 characters."),
	JSON_ROW("zones", read_some, struct server, zones, .required = true,
		 .like = json_read_items, .item = json_read_string, .fits = dnsname_is_subdomain,
		 .unfit = "is not a lower-case domain name (RFC 1123)", .pattern = SUBDOMAIN,
		 .min = 1, .max = STRINGS_MAX,
		 .about = "The domains that are forwarded. If several fit a name, the longest one "
			  "counts."),
	JSON_ROW("forwardPlugin", json_read_object, struct server, forward, .required = true,
		 .table = &forward_table, .about = "The place where their names are resolved."),
	JSON_ROW("cache", json_read_object, struct server, cache, .table = &ttl_table,
		 .about = "How long the cache keeps what it learned."),
	JSON_ROW("clusterKnows", json_read_bool, struct server, cluster_knows,
		 .about = "The cluster's DNS forwards these zones too, so a pod that falls back "
			  "gets the same answers."),
};
const struct json_table server_table = JSON_TABLE(server_rows, 0);

bool servers_read_keys(const json_t *v, const struct json_row *row, void *out UNUSED, struct err *e)
{
	return json_known_in(v, row->table, e);
}

/*** checks of several keys together ***/

/* A domain in the spelling of zones: lower case, no dot at the end. */
static const char *plain_domain(char out[static NAME_MAX_LEN + 2], const char *domain)
{
	size_t len = strlen(domain);

	if (len && domain[len - 1] == '.')
		len--;
	for (size_t i = 0; i < len; i++)
		out[i] = (char)tolower((unsigned char)domain[i]);
	out[len] = '\0';
	return out;
}

/* An entry of a list; "" if it is not a string, which was reported before. */
static const char *word_at(const json_t *list, size_t i)
{
	const char *word = json_string_value(json_array_get(list, i));

	return word ? word : "";
}

/* Whether the zone occurs before entry `j` of server `i`. */
static bool is_taken(const struct servers *s, size_t i, size_t j, const char *zone)
{
	for (size_t k = 0; k <= i; k++) {
		size_t end = k == i ? j : json_array_size(s->at[k].zones);

		for (size_t l = 0; l < end; l++)
			if (strcmp(word_at(s->at[k].zones, l), zone) == 0)
				return true;
	}
	return false;
}

static bool check_zone(const struct servers *s, size_t i, size_t j, const struct conf *c,
		       struct err *e)
{
	const char *zone = word_at(s->at[i].zones, j), *says = NULL;
	char domain[NAME_MAX_LEN + 2];

	if (!dnsname_is_subdomain(zone))
		return true;
	if (strcmp(zone, plain_domain(domain, c->cluster_domain)) == 0)
		says = " is clusterDomain: the cluster's DNS has it";
	else if (dnsname_is_within(zone, plain_domain(domain, c->autopath_zone)))
		says = " lies in autopathZone";
	else if (dnsname_is_within(zone, "invalid"))
		says = ": no name ends in .invalid (RFC 6761)";
	else if (is_taken(s, i, j, zone))
		says = " again";
	return !says || err_set(e, ERR_CONFIG, ".zones[%zu]: \"%s\"%s", j, zone, says);
}

static bool check_upstream(const struct server *server, size_t j, const struct conf *c,
			   struct err *e)
{
	const char *written = word_at(server->forward.upstreams, j);
	struct upstream u;

	return !read_upstream(&u, written) || u.port != 53 ||
	       !addr_list_have(&c->node_cache.addresses, &u.addr) ||
	       err_set(e, ERR_CONFIG, ".forwardPlugin.upstreams[%zu]: \"%s\" is the cache itself",
		       j, written);
}

static bool check_unique_name(const struct servers *s, size_t i, struct err *e)
{
	const char *name = s->at[i].name;

	for (size_t j = 0; name && j < i; j++)
		if (s->at[j].name && strcasecmp(s->at[j].name, name) == 0)
			return err_set(e, ERR_CONFIG, ".name: \"%s\" again", name);
	return true;
}

static bool check_server(const struct servers *s, size_t i, const struct conf *c, struct err *e)
{
	const struct server *server = &s->at[i];
	bool good = true;

	for (size_t j = 0; j < json_array_size(server->zones); j++)
		if (!err_continue(e, check_zone(s, i, j, c, e), &good))
			return false;
	for (size_t j = 0; j < json_array_size(server->forward.upstreams); j++)
		if (!err_continue(e, check_upstream(server, j, c, e), &good))
			return false;
	if (!err_continue(e, check_unique_name(s, i, e), &good))
		return false;
	if (server->forward.transport == TRANSPORT_TLS && !server->forward.server_name)
		return err_set(
			e, ERR_CONFIG,
			".forwardPlugin.transportConfig.tls.serverName: missing: TLS needs it");
	return good;
}

static bool check_servers(const struct servers *s, const struct conf *c, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < s->n; i++) {
		size_t entered = err_enter(e, "[%zu]", i);
		bool done = check_server(s, i, c, e);

		err_leave(e, entered);
		if (!err_continue(e, done || err_in(e, "[%zu]", i), &good))
			return false;
	}
	return good;
}

bool servers_decode(struct servers *s, const struct conf *c, struct err *e)
{
	static const struct json_row list = { .item = json_read_object,
					      .size = sizeof(struct server),
					      .max = SERVERS_MAX,
					      .table = &server_table };
	size_t n = json_array_size(c->servers), entered;
	bool good = true;

	*s = (struct servers){ .n = n, .at = calloc(n + 1, sizeof(*s->at)) };
	if (!s->at)
		return err_set(e, ERR_IO, "servers: out of memory");
	if (!n)
		return true;
	entered = err_enter(e, "servers");
	good = err_continue(e, json_read_each(c->servers, &list, s->at, e), &good) &&
	       check_servers(s, c, e) && good;
	err_leave(e, entered);
	return good || err_in(e, "servers");
}

void servers_done(struct servers *s)
{
	free(s->at);
	*s = (struct servers){ 0 };
}

void servers_warn(const struct conf *c, struct warnings *w)
{
	struct err_list faults = { .arena = w->arena };
	struct err e = { .list = &faults };
	struct servers servers;

	if (!servers_decode(&servers, c, &e))
		(void)err_next(&e);
	for (size_t i = 0; i < faults.n; i++)
		warn(w, "servers", "%s: %s", faults.at[i].path, faults.at[i].text);
	servers_done(&servers);
}
