/*
 * corefile_text.c: the node cache's Corefile, for stock CoreDNS 1.11.4 and later.
 *
 * Autopath (KEP-2009) without a plugin of its own: a pod asks for
 * NAME.search.NAMESPACE.DOMAIN.ZONE, and the cache tries what the pod's searches would have tried.
 * Two listeners on loopback do so, one after the other, as a NXDOMAIN of the first makes the zone's
 * block ask the second (forward's `next`). Each rewrites the name to one within a zone under
 * .invalid, of which the autopath plugin makes candidates by its search file, and asks the cache
 * itself for these:
 *
 *	first	NAME.NAMESPACE.svc.DOMAIN
 *	second	NAME.svc.DOMAIN, NAME.DOMAIN, NAME with each of the node's searches, NAME
 *
 * Whatever is left within the autopath zone or .invalid gets NXDOMAIN there: it goes nowhere else.
 */
#include "name.h"
#include "pod-dnsctl/corefile.h"
#include "text.h"

#include <ctype.h>
#include <string.h>

enum { HOP_NAMESPACE = 5301, HOP_REST = 5302 };

/* A domain as zones are written: in lower case, without a final dot. */
struct zone {
	char text[NAME_MAX_LEN + 2];
};

static struct zone zone_of(const char *domain)
{
	size_t len = strlen(domain);
	struct zone zone;

	if (len && domain[len - 1] == '.')
		len--;
	for (size_t i = 0; i < len; i++)
		zone.text[i] = (char)tolower((unsigned char)domain[i]);
	zone.text[len] = '\0';
	return zone;
}

static void put_regex(struct text *out, const struct zone *zone)
{
	for (const char *c = zone->text; *c; c++)
		text_print(out, *c == '.' ? "\\%c" : "%c", *c);
}

static void put_addresses(struct text *out, const struct addrs *list)
{
	char address[ADDR_TEXT];

	for (size_t i = 0; i < list->n; i++) {
		addr_print(address, &list->at[i]);
		text_print(out, " %s", address);
	}
}

/* A number that changes with what the search files hold: a serial makes a changed Corefile of it,
 * and so CoreDNS reload. */
static unsigned serial_of(const struct corefile *c)
{
	auto_text rest = TEXT_UP_TO(1 << 16);

	corefile_render_search_rest(&rest, c);
	return (unsigned)(text_hash(rest.at, rest.len) % 1000000000) + 1;
}

static void put_soa(struct text *out, const struct corefile *c, unsigned serial)
{
	struct zone zone = zone_of(c->conf->autopath_zone);

	text_print(
		out,
		"        rcode NXDOMAIN\n"
		"        authority \"%s. 5 IN SOA ns.%s. hostmaster.%s. %u 7200 1800 86400 5\"\n",
		zone.text, zone.text, zone.text, serial);
}

/*** zone forwarders ***/

void corefile_forward(struct text *out, const json_t *upstreams, const struct forward *f,
		      const char *ca)
{
	static const char *const policies[] = { "random", "round_robin", "sequential" };
	bool tls = f->transport == TRANSPORT_TLS;
	json_t *upstream;
	size_t i;

	text_print(out, "    forward .");
	json_array_foreach (upstreams, i, upstream)
		text_print(out, " %s%s", tls ? "tls://" : "", json_string_value(upstream));
	text_print(out, " {\n");
	if (tls)
		text_print(out, "        tls_servername %s\n        tls%s%s\n", f->server_name,
			   ca ? " " : "", ca ? ca : "");
	text_print(out, "        policy %s\n", policies[f->policy]);
	if (f->protocol == PROTOCOL_TCP)
		text_print(out, "        force_tcp\n");
	text_print(out, "    }\n");
}

static void render_server(struct text *out, const struct corefile *c, size_t i)
{
	const struct server *server = &c->servers->at[i];
	const struct forward *f = &server->forward;
	json_t *zone;
	size_t j;

	text_print(out, "\n# servers[%zu]: %s\n", i, server->name);
	json_array_foreach (server->zones, j, zone)
		text_print(out, "%s:53 ", json_string_value(zone));
	text_print(out, "{\n    import common\n");
	corefile_forward(out, f->upstreams, f,
			 json_string_value(json_object_get(c->bundles, f->ca_bundle)));
	text_print(out,
		   "    cache %u {\n"
		   "        denial 9984 %u\n"
		   "        serve_stale 1h verify\n"
		   "    }\n"
		   "}\n",
		   server->cache.positive ? server->cache.positive : TTL_POSITIVE,
		   server->cache.negative ? server->cache.negative : TTL_NEGATIVE);
}

static void render_servers(struct text *out, const struct corefile *c)
{
	if (c->servers->n)
		text_print(out, "\n# Zone forwarders. Of several that fit a name the longest "
				"zone counts.\n");
	for (size_t i = 0; i < c->servers->n; i++)
		render_server(out, c, i);
}

/*** autopath ***/

void corefile_render_search_namespace(struct text *out)
{
	text_print(out, "# For CoreDNS's autopath plugin, by pod-dnsctl corefile.\n"
			"search ns.invalid\n");
}

void corefile_render_search_rest(struct text *out, const struct corefile *c)
{
	struct zone domain = zone_of(c->conf->cluster_domain);

	text_print(out,
		   "# For CoreDNS's autopath plugin, by pod-dnsctl corefile: the searches of the "
		   "cluster and of the node.\n"
		   "search rest.invalid svc.%s %s",
		   domain.text, domain.text);
	for (size_t i = 0; i < c->node->searches.n; i++)
		if (text_is_word(c->node->searches.at[i].text))
			text_print(out, " %s", c->node->searches.at[i].text);
	text_print(out, "\n");
}

/* `back`: where the cache itself listens. */
static void render_hop(struct text *out, const struct corefile *c, int port, const char *back)
{
	struct zone zone = zone_of(c->conf->autopath_zone);
	struct zone domain = zone_of(c->conf->cluster_domain);
	bool first = port == HOP_NAMESPACE;
	const char *within = first ? "ns.invalid" : "rest.invalid";

	text_print(
		out,
		".:%d {\n"
		"    bind 127.0.0.1\n"
		"    errors\n"
		"    rewrite stop name regex ^(.+)\\.search\\.([a-z0-9]([-a-z0-9]*[a-z0-9])?)\\.",
		port);
	put_regex(out, &domain);
	text_print(out, "\\.");
	put_regex(out, &zone);
	text_print(out, "\\.$ {1}.");
	if (first)
		text_print(out, "{2}.svc.%s.", domain.text);
	text_print(out,
		   "%s. answer auto\n"
		   "    autopath %s %s/%s\n"
		   "    template ANY ANY %s invalid {\n",
		   within, within, c->folder, first ? SEARCH_FILE_NAMESPACE : SEARCH_FILE_REST,
		   zone.text);
	put_soa(out, c, serial_of(c));
	text_print(out,
		   "    }\n"
		   "    forward . %s {\n"
		   "        max_fails 0\n"
		   "    }\n"
		   "}\n",
		   back);
}

static void render_autopath(struct text *out, const struct corefile *c, const char *back)
{
	struct zone zone = zone_of(c->conf->autopath_zone);
	struct zone domain = zone_of(c->conf->cluster_domain);

	text_print(out,
		   "\n# Autopath (KEP-2009): NAME.search.NAMESPACE.%s.%s is what a pod's\n"
		   "# searches find for NAME. First NAME.NAMESPACE.svc.%s, then the rest.\n"
		   "%s:53 {\n"
		   "    import common\n"
		   "    cache 30 {\n"
		   "        denial 9984 5\n"
		   "    }\n"
		   "    forward . 127.0.0.1:%d {\n"
		   "        max_fails 0\n"
		   "        next NXDOMAIN\n"
		   "    }\n"
		   "    forward . 127.0.0.1:%d {\n"
		   "        max_fails 0\n"
		   "    }\n"
		   "}\n"
		   "\n# The two steps. What is left of the zone, or under .invalid, ends here.\n",
		   domain.text, zone.text, domain.text, zone.text, HOP_NAMESPACE, HOP_REST);
	render_hop(out, c, HOP_NAMESPACE, back);
	render_hop(out, c, HOP_REST, back);
}

/* Who does not serve the zone must not let its names out: they are made of the cluster's. */
static void render_no_autopath(struct text *out, const struct corefile *c)
{
	text_print(out,
		   "\n# Autopath is not served here. Its names hold names of the cluster, and the\n"
		   "# zone lies under a public domain: they go no further.\n"
		   "%s:53 {\n"
		   "    import common\n"
		   "    template ANY ANY {\n",
		   zone_of(c->conf->autopath_zone).text);
	put_soa(out, c, 1);
	text_print(out, "    }\n}\n");
}

/*** the node's cache ***/

static const struct addrs *cluster_upstreams(const struct corefile *c)
{
	const struct node_cache *cache = &c->conf->node_cache;

	return cache->fallback.n ? &cache->fallback : &c->conf->cluster_dns;
}

static void put_cluster_forward(struct text *out, const struct corefile *c)
{
	text_print(out, "    forward .");
	put_addresses(out, cluster_upstreams(c));
	text_print(out, " {\n"
			"        force_tcp\n"
			"    }\n");
}

static void render_common(struct text *out, const struct corefile *c)
{
	text_print(out,
		   "# The node cache of network \"%s\", for stock CoreDNS 1.11.4 or later.\n"
		   "# Made by pod-dnsctl corefile: change the conflist and make it again.\n"
		   "\n"
		   "# What all that pods ask have in common: the cache's addresses; answers that\n"
		   "# fit a datagram; metrics.\n"
		   "(common) {\n"
		   "    bind",
		   c->network);
	put_addresses(out, &c->conf->node_cache.addresses);
	text_print(out, "\n"
			"    errors\n"
			"    bufsize 1232\n"
			"    prometheus :9253\n"
			"}\n");
}

/* A reverse zone that a forwarder has is the forwarder's. */
static bool is_forwarded(const struct corefile *c, const char *zone)
{
	for (size_t i = 0; i < c->servers->n; i++) {
		json_t *other;
		size_t j;

		json_array_foreach (c->servers->at[i].zones, j, other)
			if (strcmp(json_string_value(other), zone) == 0)
				return true;
	}
	return false;
}

static void render_cluster_zones(struct text *out, const struct corefile *c)
{
	static const char *const reverse[] = { "in-addr.arpa", "ip6.arpa" };

	text_print(
		out,
		"\n# The cluster's names and reverse zones: over TCP, whose connections are kept.\n"
		"%s:53 ",
		zone_of(c->conf->cluster_domain).text);
	for (size_t i = 0; i < LEN(reverse); i++)
		if (!is_forwarded(c, reverse[i]))
			text_print(out, "%s:53 ", reverse[i]);
	text_print(out, "{\n"
			"    import common\n");
	put_cluster_forward(out, c);
	text_print(out, "    cache 30 {\n"
			"        success 9984 30\n"
			"        denial 9984 5\n"
			"        serve_stale 1h verify\n"
			"    }\n"
			"}\n");
}

static void render_outside(struct text *out, const struct corefile *c)
{
	const char *file = c->conf->resolv_conf ? c->conf->resolv_conf : "/etc/resolv.conf";
	char address[ADDR_TEXT];
	bool v6 = !addr_is_v4(&c->conf->node_cache.addresses.at[0]);

	addr_print(address, &c->conf->node_cache.addresses.at[0]);
	text_print(out, "\n# All other names%s\n.:53 {\n    import common\n",
		   *file ? ": the node's servers." : ": the cluster's DNS knows of servers.");
	if (*file)
		text_print(out, "    forward . %s\n", file);
	else
		put_cluster_forward(out, c);
	text_print(
		out,
		"    cache 30 {\n"
		"        serve_stale 1h verify\n"
		"    }\n"
		"    # Once for the whole process: alive, ready, no loop, and a changed Corefile.\n"
		"    health %s%s%s:8080\n"
		"    ready %s%s%s:8181\n"
		"    loop\n"
		"    reload\n"
		"}\n",
		v6 ? "[" : "", address, v6 ? "]" : "", v6 ? "[" : "", address, v6 ? "]" : "");
}

void corefile_render_node(struct text *out, const struct corefile *c)
{
	char address[ADDR_TEXT];

	addr_print(address, &c->conf->node_cache.addresses.at[0]);
	render_common(out, c);
	if (!c->autopath) {
		render_no_autopath(out, c);
	} else if (c->conf->autopath == AUTOPATH_CACHE) {
		render_autopath(out, c, address);
	} else {
		text_print(out,
			   "\n# The autopath zone is the cluster DNS's.\n"
			   "%s:53 {\n    import common\n",
			   zone_of(c->conf->autopath_zone).text);
		put_cluster_forward(out, c);
		text_print(out, "    cache 30 {\n        denial 9984 5\n    }\n}\n");
	}
	render_servers(out, c);
	if (*c->conf->cluster_domain && cluster_upstreams(c)->n)
		render_cluster_zones(out, c);
	render_outside(out, c);
}

/*** the cluster's DNS ***/

void corefile_render_cluster(struct text *out, const struct corefile *c)
{
	text_print(out,
		   "# What the cluster's own CoreDNS needs beside its Corefile, so that a pod of\n"
		   "# network \"%s\" gets the same answers while the node's cache is out.\n"
		   "# Made by pod-dnsctl corefile --cluster.\n"
		   "\n"
		   "(common) {\n"
		   "    errors\n"
		   "    prometheus :9153\n"
		   "}\n",
		   c->network);
	if (c->autopath && c->conf->autopath == AUTOPATH_CLUSTER)
		render_autopath(out, c, "127.0.0.1");
	else
		render_no_autopath(out, c);
	render_servers(out, c);
}
