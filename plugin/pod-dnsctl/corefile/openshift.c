/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openshift.c: the Corefile that OpenShift's cluster-dns-operator makes of an object: the template
 * of pkg/operator/controller/controller_dns_configmap.go.
 */
#include "pod-dnsctl/corefile/corefile.h"
#include "pod-dnsctl/corefile/openshift_spec.h"
#include "text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool same_upstream(const struct dns_upstream *a, const struct dns_upstream *b)
{
	return a->type == b->type && strcasecmp(a->address, b->address) == 0 &&
	       (a->port ? a->port : 53) == (b->port ? b->port : 53);
}

static json_t *upstream_text(const struct dns_upstream *u)
{
	char address[256];
	size_t len = strlen(u->address) < sizeof(address) ? strlen(u->address) : 0;
	bool v6 = strchr(u->address, ':');

	if (u->type != TYPE_NETWORK)
		return json_string("/etc/resolv.conf");
	for (size_t i = 0; i <= len; i++)
		address[i] = (char)toupper((unsigned char)u->address[i]);
	address[len] = '\0';
	if (!u->port)
		return json_string(address);
	return json_sprintf("%s%s%s:%u", v6 ? "[" : "", address, v6 ? "]" : "", u->port);
}

/* The upstreams without duplicates, or the node's file; the caller's. */
static json_t *resolver_upstreams(const struct resolvers *r)
{
	json_t *list = json_array();
	size_t n = json_array_size(r->upstreams);

	if (!n)
		(void)json_array_append_new(list, json_string("/etc/resolv.conf"));
	for (size_t i = 0; i < n; i++) {
		struct dns_upstream u = openshift_upstream(r, i), before;
		bool again = false;

		for (size_t j = 0; j < i && !again; j++) {
			before = openshift_upstream(r, j);
			again = same_upstream(&u, &before);
		}
		if (!again)
			(void)json_array_append_new(list, upstream_text(&u));
	}
	return list;
}

struct rendering {
	struct text *out;
	const struct dns_spec *spec;
	const json_t *bundles;
	const char *namespaces;
};

static void render_forward(const struct rendering *r, const json_t *upstreams,
			   const struct forward *f)
{
	const char *revision = json_string_value(json_object_get(r->bundles, f->ca_bundle));
	auto_text ca = TEXT_UP_TO(4096);

	if (revision && f->server_name)
		text_print(&ca, "/etc/pki/%s-%s/ca-bundle.crt", f->server_name, revision);
	corefile_forward(r->out, upstreams, f, ca.at);
}

static void render_log(const struct rendering *r)
{
	static const char *const classes[] = { "error", "denial error", "all" };

	text_print(r->out,
		   "    errors\n"
		   "    log . {\n"
		   "        class %s\n"
		   "    }\n",
		   classes[r->spec->log_level]);
}

static void render_cache(const struct rendering *r)
{
	const struct ttls *ttl = &r->spec->cache;

	text_print(r->out,
		   "    cache %u {\n"
		   "        denial 9984 %u\n"
		   "    }\n",
		   ttl->positive ? ttl->positive : TTL_POSITIVE,
		   ttl->negative ? ttl->negative : TTL_NEGATIVE);
}

static void render_name_resolver(const struct rendering *r)
{
	if (!r->namespaces)
		return;
	text_print(r->out, "    ocp_dnsnameresolver {\n        namespaces");
	for (const char *at = r->namespaces; *at; at += strspn(at, ",")) {
		size_t len = strcspn(at, ",");

		text_print(r->out, " %.*s", (int)len, at);
		at += len;
	}
	text_print(r->out, "\n    }\n");
}

static void render_openshift_server(const struct rendering *r, const struct server *server)
{
	json_t *zone;
	size_t i;

	text_print(r->out, "# %s\n", server->name ? server->name : "");
	json_array_foreach (server->zones, i, zone)
		text_print(r->out, "%s:5353 ", json_string_value(zone));
	text_print(r->out, "{\n    prometheus 127.0.0.1:9153\n");
	render_forward(r, server->forward.upstreams, &server->forward);
	render_log(r);
	text_print(r->out, "    bufsize 1232\n");
	render_cache(r);
	render_name_resolver(r);
	text_print(r->out, "}\n");
}

static void render_rest(const struct rendering *r)
{
	json_auto_t *upstreams = resolver_upstreams(&r->spec->resolvers);

	text_print(r->out, ".:5353 {\n"
			   "    bufsize 1232\n");
	render_log(r);
	text_print(r->out, "    health {\n"
			   "        lameduck 20s\n"
			   "    }\n"
			   "    ready\n"
			   "    kubernetes cluster.local in-addr.arpa ip6.arpa {\n"
			   "        pods insecure\n"
			   "        fallthrough in-addr.arpa ip6.arpa\n"
			   "    }\n"
			   "    prometheus 127.0.0.1:9153\n");
	render_forward(r, upstreams, &r->spec->resolvers.forward);
	render_cache(r);
	text_print(r->out, "    reload\n");
	render_name_resolver(r);
	text_print(r->out, "}\n"
			   "hostname.bind:5353 {\n"
			   "    chaos\n"
			   "}\n");
}

/*** the object ***/

/* The object, or the only one of a list, as `kubectl get dnses` prints it. */
static const json_t *find_object(const json_t *document, struct err *e)
{
	const char *kind = json_string_value(json_object_get(document, "kind"));
	const json_t *items = json_object_get(document, "items");

	if (kind && json_is_array(items)) {
		if (json_array_size(items) == 1)
			return json_array_get(items, 0);
		(void)err_set(e, ERR_CONFIG, "items: %zu objects, one is wanted",
			      json_array_size(items));
		return NULL;
	}
	if (kind && strcmp(kind, "DNS") != 0) {
		(void)err_set(e, ERR_CONFIG, "kind: %s is not DNS", kind);
		return NULL;
	}
	return document;
}

bool openshift_render(struct text *out, const json_t *document, const json_t *bundles,
		      const char *namespaces, struct err *e)
{
	struct dns_spec spec = { 0 };
	const struct rendering r = { out, &spec, bundles, namespaces };
	const json_t *object = find_object(document, e);
	bool good = object && openshift_spec_read(&spec, object, e);

	for (size_t i = 0; good && i < spec.servers.n; i++)
		render_openshift_server(&r, &spec.servers.at[i]);
	if (good)
		render_rest(&r);
	servers_done(&spec.servers);
	return good;
}
