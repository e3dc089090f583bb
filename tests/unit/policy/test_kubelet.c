/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime's configuration says of its pod, and which entries are the pod's own. */
#include "rows.h"
#include "arena.h"
#include "config/cluster_dns.h"
#include "config/conf.h"
#include "policy/kubelet.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

#define THREE  "search shop.svc.cluster.local svc.cluster.local cluster.local"
#define SERVER "nameserver 10.96.0.10\n"
#define A63    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A254                    \
	A63 "." A63 "." A63 "." \
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"

static const struct pod shop = { .name = "web", .namespace = "shop", .uid = "", .cri = true };
static const char usual[] = "{'clusterDNS':['10.96.0.10','fd00::a']}";

static void conf_of(struct conf *c, const char *json, json_t **document, struct arena *arena)
{
	struct warnings w = { .arena = arena };
	struct err e = { 0 };

	*document = json_loads(rows_json(json), 0, NULL);
	assert_non_null(*document);
	conf_init(c);
	assert_true(conf_decode(c, *document, &e) && conf_check(c, &w, &e));
}

static void parse(struct resolv *r, char *buffer, size_t room, const char *text,
		  enum resolv_dialect dialect, int from, struct arena *a)
{
	(void)snprintf(buffer, room, "%s", text);
	assert_int_equal(resolv_parse(r, buffer, strlen(buffer), dialect, from, a), 0);
}

/*** shapes ***/

static const struct shape {
	const char *name, *conf, *runtime_dns;
	enum kubelet_kind want;
} shapes[] = {
	{ "cluster-first", usual, THREE "\n" SERVER "options ndots:5\n", KUBELET_CLUSTER_FIRST },
	{ "its value counts for nothing", usual, THREE " x\n" SERVER "options ndots:1 edns0\n",
	  KUBELET_CLUSTER_FIRST },
	{ "a bare ndots", usual, THREE "\n" SERVER "options ndots\n", KUBELET_CLUSTER_FIRST },
	{ "the cluster's server in another spelling", usual,
	  THREE "\nnameserver 010.96.0.10\noptions ndots:5\n", KUBELET_CLUSTER_FIRST },
	{ "the second cluster server first", usual, THREE "\nnameserver FD00::A\noptions ndots:5\n",
	  KUBELET_CLUSTER_FIRST },
	{ "no clusterDNS: the server is not asked about", "{}",
	  THREE "\nnameserver 192.0.2.1\noptions ndots:5\n", KUBELET_CLUSTER_FIRST },
	{ "other servers", usual, THREE "\nnameserver 192.0.2.1\noptions ndots:5\n",
	  KUBELET_UNRECOGNISED },
	{ "no server", usual, THREE "\noptions ndots:5\n", KUBELET_UNRECOGNISED },
	{ "the cluster's server later", usual,
	  THREE "\nnameserver 192.0.2.1\n" SERVER "options ndots:5\n", KUBELET_OTHER },
	{ "no ndots", usual, THREE "\n" SERVER, KUBELET_OTHER },
	{ "another namespace", usual,
	  "search dev.svc.cluster.local svc.cluster.local cluster.local\n" SERVER
	  "options ndots:5\n",
	  KUBELET_OTHER },
	{ "another domain", usual,
	  "search shop.svc.corp.example svc.corp.example corp.example\n" SERVER "options ndots:5\n",
	  KUBELET_OTHER_DOMAIN },
	{ "letters count", usual,
	  "search shop.svc.Cluster.local svc.Cluster.local Cluster.local\n" SERVER
	  "options ndots:5\n",
	  KUBELET_OTHER_DOMAIN },
	{ "two searches", usual,
	  "search svc.cluster.local cluster.local\n" SERVER "options ndots:5\n", KUBELET_OTHER },
	{ "an empty clusterDomain knows none", "{'clusterDNS':['10.96.0.10'],'clusterDomain':''}",
	  THREE "\n" SERVER "options ndots:5\n", KUBELET_OTHER },
	{ "nothing", usual, "", KUBELET_OTHER },
};

static void is_recognised(void **state)
{
	const struct shape *row = *state;
	static struct resolv runtime_dns;
	static struct conf conf;
	char buffer[1024];
	auto_arena arena = { 0 };
	json_t *document;

	conf_of(&conf, row->conf, &document, &arena);
	parse(&runtime_dns, buffer, sizeof buffer, row->runtime_dns, RESOLV_VERBATIM, FROM_RUNTIME,
	      &arena);
	assert_int_equal(kubelet_recognise(&runtime_dns, &conf, &shop, &arena), row->want);
	conf_done(&conf);
	json_decref(document);
}

/*** parts ***/

static const struct part {
	const char *name, *node; /* NULL: not read */
	const char *runtime_dns, *base, *rest;
} parts[] = {
	{ "kubelet's alone", "", THREE "\n" SERVER "options ndots:5\n",
	  THREE "\n" SERVER "options ndots:5\n", "" },
	{ "the node's searches", "search n1 n2\n", THREE " n1 n2 p\n" SERVER "options ndots:5\n",
	  THREE " n1 n2\n" SERVER "options ndots:5\n", "search p\n" },
	{ "without the node's file all are the pod's", NULL,
	  THREE " n1\n" SERVER "options ndots:5\n", THREE "\n" SERVER "options ndots:5\n",
	  "search n1\n" },
	{ "another order is the pod's", "search n1 n2\n", THREE " n2 n1\n" SERVER,
	  THREE "\n" SERVER, "search n2 n1\n" },
	{ "a node's search that is the cluster's was skipped", "search cluster.local n1\n",
	  THREE " n1\n" SERVER, THREE " n1\n" SERVER, "" },
	{ "a node's search twice", "search n1 n1 n2\n", THREE " n1 n2\n" SERVER,
	  THREE " n1 n2\n" SERVER, "" },
	{ "a node's search of 254 characters was dropped", "search n1 " A254 " n2\n",
	  THREE " n1 n2 p\n" SERVER, THREE " n1 n2\n" SERVER, "search p\n" },
	{ "the leading cluster servers", "", THREE "\n" SERVER "nameserver fd00::a\nnameserver p\n",
	  THREE "\n" SERVER "nameserver fd00::a\n", "nameserver p\n" },
	{ "a cluster server behind another is the pod's", "",
	  THREE "\n" SERVER "nameserver p\nnameserver fd00::a\n", THREE "\n" SERVER,
	  "nameserver p\nnameserver fd00::a\n" },
	{ "options but kubelet's ndots:5", "", THREE "\n" SERVER "options edns0 ndots:5 a:1\n",
	  THREE "\n" SERVER "options ndots:5\n", "options edns0 a:1\n" },
	{ "the pod's ndots", "", THREE "\n" SERVER "options ndots:1\n", THREE "\n" SERVER,
	  "options ndots:1\n" },
};

static void assert_part(const struct resolv *r, const char *want)
{
	auto_text text = TEXT_UP_TO(4096);

	resolv_render(&text, r);
	assert_string_equal(text.at ? text.at : "", want);
}

static void is_taken_apart(void **state)
{
	const struct part *row = *state;
	static struct resolv runtime_dns, node, base, rest;
	static struct conf conf;
	char buffer[1024], node_buffer[1024];
	auto_arena arena = { 0 };
	struct inputs in = {
		.conf = &conf, .pod = &shop, .runtime_dns = &runtime_dns, .arena = &arena
	};
	json_t *document;

	conf_of(&conf, usual, &document, &arena);
	parse(&runtime_dns, buffer, sizeof buffer, row->runtime_dns, RESOLV_VERBATIM, FROM_RUNTIME,
	      &arena);
	if (row->node) {
		parse(&node, node_buffer, sizeof node_buffer, row->node, RESOLV_NODE, FROM_NODE,
		      &arena);
		in.node = &node;
	}
	kubelet_split(&base, &rest, &in);
	assert_part(&base, row->base);
	assert_part(&rest, row->rest);
	for (size_t i = 0; i < rest.searches.n; i++)
		assert_int_equal(rest.searches.at[i].from, FROM_POD);
	conf_done(&conf);
	json_decref(document);
}

/*** names of options ***/

static const struct naming {
	const char *name, *options, *names;
} namings[] = {
	{ "up to the colon", "ndots:5 edns0 a:", "ndots edns0 a" },
	{ "a value may hold colons", "a:b:c", "a" },
	{ "a name may too, where the short one is another's", "ndots:5 ndots:2:x",
	  "ndots ndots:2" },
	{ "in any order", "ndots:2:x ndots:5", "ndots:2 ndots" },
	{ "the same name twice: no kubelet wrote that", "a:x a:y", "a a" },
	{ "both long", "a:b:c a:d:e", "a:b a" },
	{ "bare and with a value", "a a:x", "a a" },
	{ "three", "a:1 a:b:2 a:b:c:3", "a a:b a:b:c" },
};

static void has_names(void **state)
{
	const struct naming *row = *state;
	auto_arena arena = { 0 };
	struct resolv r;
	char buffer[256], got[256] = "";

	(void)snprintf(buffer, sizeof buffer, "options %s\n", row->options);
	(void)resolv_parse(&r, buffer, strlen(buffer), RESOLV_VERBATIM, FROM_RUNTIME, &arena);
	kubelet_name_options(&r.options, &arena);
	for (size_t i = 0; i < r.options.n; i++)
		(void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s", i ? " " : "",
			       (int)r.options.at[i].key, r.options.at[i].text);
	assert_string_equal(got, row->names);
}

int main(void)
{
	return RUN_ROWS("shapes", shapes, is_recognised) +
	       RUN_ROWS("parts", parts, is_taken_apart) +
	       RUN_ROWS("names of options", namings, has_names);
}
