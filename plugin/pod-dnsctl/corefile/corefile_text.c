/* SPDX-License-Identifier: Apache-2.0 */
/* corefile_text.c: the node cache's Corefile, for stock CoreDNS 1.11.4 and later. */
#include "pod-dnsctl/corefile/corefile.h"
#include "text.h"

#include <string.h>

static void put_addresses(struct text *out, const struct addr_list *list)
{
	char address[ADDR_TEXT];

	for (size_t i = 0; i < list->n; i++) {
		addr_print(address, &list->at[i]);
		text_print(out, " %s", address);
	}
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
	if (!c->cluster && !server->cluster_knows)
		text_print(out, "# The cluster's DNS answers while the cache is out: give it the "
				"same forwarder\n"
				"# (corefile --cluster), then say clusterKnows.\n");
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

/*** the node's cache ***/

static const struct addr_list *cluster_upstreams(const struct corefile *c)
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

static void render_autopath_of_cluster(struct text *out, const struct corefile *c)
{
	text_print(out,
		   "\n# The autopath zone is the cluster DNS's.\n"
		   "%s:53 {\n    import common\n",
		   corefile_zone(c->conf->autopath_zone).text);
	put_cluster_forward(out, c);
	text_print(out, "    cache 30 {\n        denial 9984 5\n    }\n}\n");
}

/* Whether a forwarder of `servers` has the reverse zone. */
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
		corefile_zone(c->conf->cluster_domain).text);
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

static void render_node(struct text *out, const struct corefile *c)
{
	char address[ADDR_TEXT];

	addr_print(address, &c->conf->node_cache.addresses.at[0]);
	render_common(out, c);
	if (!c->autopath)
		corefile_put_no_autopath(out, c);
	else if (c->conf->autopath == AUTOPATH_CACHE)
		corefile_put_autopath(out, c, address);
	else
		render_autopath_of_cluster(out, c);
	render_servers(out, c);
	if (*c->conf->cluster_domain && cluster_upstreams(c)->n)
		render_cluster_zones(out, c);
	render_outside(out, c);
}

/*** the cluster's DNS ***/

static void render_cluster(struct text *out, const struct corefile *c)
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
		corefile_put_autopath(out, c, "127.0.0.1");
	else
		corefile_put_no_autopath(out, c);
	render_servers(out, c);
}

void corefile_render(struct text *out, const struct corefile *c)
{
	if (c->cluster)
		render_cluster(out, c);
	else
		render_node(out, c);
}
