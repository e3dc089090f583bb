/* SPDX-License-Identifier: Apache-2.0 */
/*
 * corefile_autopath.c: autopath (KEP-2009) by plugins of stock CoreDNS: a pod asks for
 * NAME.search.NAMESPACE.DOMAIN.ZONE, and the cache tries what the pod's searches would have tried.
 * Two listeners on loopback do this: the zone's block asks the second after an NXDOMAIN of the
 *first (forward's `next`). Each rewrites the name into a zone under .invalid. There the autopath
 *plugin makes candidates by its search file, and the listener asks the cache for these:
 *
 *	first	NAME.NAMESPACE.svc.DOMAIN
 *	second	NAME.svc.DOMAIN, NAME.DOMAIN, NAME with each of the node's searches, NAME
 *
 * Other names in the autopath zone or .invalid get NXDOMAIN and are never forwarded.
 */
#include "pod-dnsctl/corefile/corefile.h"
#include "text.h"

enum { HOP_NAMESPACE = 5301, HOP_REST = 5302 };

static void put_regex(struct text *out, const struct zone *zone)
{
	for (const char *c = zone->text; *c; c++)
		text_print(out, *c == '.' ? "\\%c" : "%c", *c);
}

/* Changes with the search files. It is a serial in the Corefile that makes CoreDNS reload. */
static unsigned serial_of(const struct corefile *c)
{
	auto_text rest = TEXT_UP_TO(1 << 16);

	corefile_render_search_rest(&rest, c);
	return (unsigned)(text_hash(rest.at, rest.len) % 1000000000) + 1;
}

static void put_soa(struct text *out, const struct corefile *c, unsigned serial)
{
	struct zone zone = corefile_zone(c->conf->autopath_zone);

	text_print(
		out,
		"        rcode NXDOMAIN\n"
		"        authority \"%s. 5 IN SOA ns.%s. hostmaster.%s. %u 7200 1800 86400 5\"\n",
		zone.text, zone.text, zone.text, serial);
}

void corefile_render_search_namespace(struct text *out)
{
	text_print(out, "# For CoreDNS's autopath plugin, by pod-dnsctl corefile.\n"
			"search ns.invalid\n");
}

void corefile_render_search_rest(struct text *out, const struct corefile *c)
{
	struct zone domain = corefile_zone(c->conf->cluster_domain);

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

/* One listener. `back`: where the cache listens. */
static void render_hop(struct text *out, const struct corefile *c, int port, const char *back)
{
	struct zone zone = corefile_zone(c->conf->autopath_zone);
	struct zone domain = corefile_zone(c->conf->cluster_domain);
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

/* The cluster's DNS must not forward names of the zone, which only the cache serves. */
static void put_leak(struct text *out, const struct corefile *c)
{
	if (!c->cluster)
		text_print(out, "# While the cache is out, pods ask the cluster's DNS for these "
				"names. Without\n"
				"# what corefile --cluster prints, that asks resolvers outside, "
				"and tells them\n"
				"# names of services and namespaces.\n");
}

void corefile_put_autopath(struct text *out, const struct corefile *c, const char *back)
{
	struct zone zone = corefile_zone(c->conf->autopath_zone);
	struct zone domain = corefile_zone(c->conf->cluster_domain);

	text_print(out,
		   "\n# Autopath (KEP-2009): NAME.search.NAMESPACE.%s.%s is what a pod's\n"
		   "# searches find for NAME. First NAME.NAMESPACE.svc.%s, then the rest.\n",
		   domain.text, zone.text, domain.text);
	put_leak(out, c);
	text_print(out,
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
		   zone.text, HOP_NAMESPACE, HOP_REST);
	render_hop(out, c, HOP_NAMESPACE, back);
	render_hop(out, c, HOP_REST, back);
}

/* Names of the zone contain the cluster's names: if it is not served, they must not be forwarded.
 */
void corefile_put_no_autopath(struct text *out, const struct corefile *c)
{
	text_print(out,
		   "\n# Autopath is not served here. Its names hold names of the cluster, and the\n"
		   "# zone lies under a public domain: they go no further.\n"
		   "%s:53 {\n"
		   "    import common\n"
		   "    template ANY ANY {\n",
		   corefile_zone(c->conf->autopath_zone).text);
	put_soa(out, c, 1);
	text_print(out, "    }\n}\n");
}
