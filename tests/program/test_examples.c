/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The examples of conf/, as they stand: each is decoded and checked without a complaint, and a pod
 * that is added with it gets the file that conf/README.md shows beside it.
 */
#include "rows.h"
#include "arena.h"
#include "config/conf_file.h"
#include "json.h"
#include "stage.c"

#include <glob.h>
#include <string.h>

#define FOLDER	"conf/"
#define SANDBOX "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/c1/resolv.conf"
#define NETNS	"/run/netns/pdt-example"
#define NETFILE "/run/pod-dns/.netns/pdt-example/resolv.conf"
#define IN(ns)	"search " ns ".svc.cluster.local svc.cluster.local cluster.local node.example"
#define SERVER	"\nnameserver 10.96.0.10\n"

static const struct example {
	const char *name, *file;
	const char *namespace, *pod; /* NULL: no CRI runtime calls */
	const char *kubelet;	     /* what the runtime's file holds at ADD */
	const char *want;
} examples[] = {
	{ "cluster defaults: a plain pod", "10-cluster-ndots", "shop", "web",
	  IN("shop") SERVER "options ndots:5\n", IN("shop") SERVER "options ndots:2\n" },
	{ "cluster defaults: a pod with dnsConfig", "10-cluster-ndots", "shop", "tuned",
	  IN("shop") SERVER "options ndots:1\n", IN("shop") SERVER "options ndots:1\n" },
	{ "cluster defaults: a pod with dnsPolicy Default", "10-cluster-ndots", "shop", "web",
	  "search node.example\nnameserver 192.0.2.53\n",
	  "search node.example\nnameserver 192.0.2.53\n" },
	{ "namespaces: a rule of pods", "20-namespace-rules", "prod-eu", "batch-7",
	  IN("prod-eu") SERVER "options ndots:5\n",
	  IN("prod-eu") SERVER "options ndots:2 timeout:1 attempts:3\n" },
	{ "namespaces: no rule", "20-namespace-rules", "prod-eu", "web",
	  IN("prod-eu") SERVER "options ndots:5\n", IN("prod-eu") SERVER "options ndots:2\n" },
	{ "namespaces: a search more", "20-namespace-rules", "dev-ann", "web",
	  IN("dev-ann") SERVER "options ndots:5\n",
	  IN("dev-ann") " dev.example" SERVER "options ndots:2\n" },
	{ "namespaces: as it was", "20-namespace-rules", "legacy", "app",
	  IN("legacy") SERVER "options ndots:5\n", IN("legacy") SERVER "options ndots:5\n" },
	{ "namespaces: off", "20-namespace-rules", "kube-system", "any",
	  IN("kube-system") SERVER "options ndots:5\n",
	  IN("kube-system") SERVER "options ndots:5\n" },
	{ "plain host", "30-plain-host", NULL, NULL, NULL,
	  "search node.example lab.example\nnameserver 192.0.2.53\n"
	  "options timeout:1 attempts:2\n" },
	{ "node cache: a plain pod", "40-node-cache", "shop", "web",
	  IN("shop") SERVER "options ndots:5\n", IN("shop") SERVER "options ndots:2\n" },
	{ "node-local-dns: a plain pod", "50-node-local-dns", "shop", "web",
	  IN("shop") SERVER "options ndots:5\n", IN("shop") SERVER "options ndots:2\n" },
	{ "named cache: a plain pod", "60-named-cache", "shop", "web",
	  IN("shop") "\nnameserver 169.254.20.10\n"
		     "options ndots:5\n",
	  IN("shop") "\nnameserver 169.254.20.10\n"
		     "options ndots:2\n" },
	{ "node cache: a pod with dnsPolicy Default", "40-node-cache", "shop", "web",
	  "search node.example\nnameserver 192.0.2.53\n",
	  "search node.example\nnameserver 192.0.2.53\n" },
};

static json_t *load(const char *path)
{
	json_error_t fault;
	json_t *conflist = json_load_file(path, 0, &fault);

	if (!conflist)
		fail_msg("%s: line %d: %s", path, fault.line, fault.text);
	return conflist;
}

/* Ours is the last of the chain: what the others say must be there when it is called. */
static json_t *last_plugin(const json_t *conflist)
{
	const json_t *plugins = json_object_get(conflist, "plugins");
	json_t *last = json_array_get(plugins, json_array_size(plugins) - 1);

	assert_string_equal(json_string_value(json_object_get(last, "type")), "pod-dns");
	return last;
}

/*** decoding ***/

static void is_checked(const char *path)
{
	static struct network_conf network;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct err e = { 0 };
	json_auto_t *conflist = load(path);

	if (!conf_file_read(&network, last_plugin(conflist), &w, &e))
		fail_msg("%s: %s", path, e.text);
	if (w.n)
		fail_msg("%s: %s", path, w.at[0].text);
	conf_file_done(&network);
}

static bool has_a_row(const char *path)
{
	for (size_t i = 0; i < LEN(examples); i++) {
		char file[256];

		(void)snprintf(file, sizeof file, FOLDER "%s.conflist", examples[i].file);
		if (strcmp(file, path) == 0)
			return true;
	}
	return false;
}

static void every_file_decodes_and_has_a_row(void **state UNUSED)
{
	glob_t found;

	assert_int_equal(glob(FOLDER "*.conflist", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		is_checked(found.gl_pathv[i]);
		if (!has_a_row(found.gl_pathv[i]))
			fail_msg("%s: no pod is tried with it", found.gl_pathv[i]);
	}
	globfree(&found);
}

/*** adding a pod ***/

/* What libcni gives the plugin: its object, the network's name and version, the result so far. */
static char *stdin_of(const char *path)
{
	json_t *conflist = load(path), *network = last_plugin(conflist);
	const json_t *version = json_object_get(conflist, "cniVersion");
	char *text;

	(void)json_object_set(network, "cniVersion", (json_t *)version);
	(void)json_object_set(network, "name", json_object_get(conflist, "name"));
	(void)json_object_set_new(network, "prevResult",
				  json_pack("{s:O, s:[{s:s}]}", "cniVersion", version, "ips",
					    "address", "10.88.0.2/16"));
	text = json_dumps(network, 0);
	assert_non_null(text);
	json_decref(conflist);
	return text;
}

static void gives_its_pod(void **state)
{
	const struct example *x = *state;
	char path[256], args[256] = "", *in;
	struct stage_cni call = { .command = "ADD", .netns = NETNS, .args = args };
	struct stage_result said;

	(void)snprintf(path, sizeof path, FOLDER "%s.conflist", x->file);
	if (x->kubelet) {
		stage_put(SANDBOX, x->kubelet);
		(void)snprintf(args, sizeof args,
			       "K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s;"
			       "K8S_POD_INFRA_CONTAINER_ID=c1",
			       x->namespace, x->pod);
	}
	stage_netns(NETNS);
	call.in = in = stdin_of(path);
	stage_cni(&call, &said);
	free(in);
	if (said.exit != 0)
		fail_msg("ADD fails: %s", said.out.data);
	assert_string_equal(said.err.data, "");
	stage_holds(x->kubelet ? SANDBOX : NETFILE, x->want);
	stage_result_done(&said);
}

/*** the pages that show them ***/

static void page_shows(const char *page, const char *what, const char *text)
{
	struct blob shown;
	bool there;

	if (!blob_read(page, &shown))
		stage_broken("read %s", page);
	there = strstr(shown.data, text) != NULL;
	free(shown.data);
	if (!there)
		fail_msg("%s does not show %s", page, what);
}

static void readme_shows_the_first_object(void **state UNUSED)
{
	static const char begin[] = "    {\n      \"type\": \"pod-dns\"", end[] = "    }\n";
	struct blob file;
	char *object, *rest;

	if (!blob_read(FOLDER "10-cluster-ndots.conflist", &file))
		stage_broken("read conf/10-cluster-ndots.conflist");
	object = strstr(file.data, begin);
	rest = object ? strstr(object, end) : NULL;
	if (!object || !rest)
		stage_broken("find the object of pod-dns");
	rest[strlen(end)] = '\0';
	page_shows("README.md", "the object of conf/10-cluster-ndots.conflist", object);
	free(file.data);
}

static void examples_page_shows_what_pods_get(void **state UNUSED)
{
	for (size_t i = 0; i < LEN(examples); i++)
		page_shows(FOLDER "README.md", examples[i].name, examples[i].want);
}

int main(void)
{
	const struct CMUnitTest files[] = {
		cmocka_unit_test(every_file_decodes_and_has_a_row),
		cmocka_unit_test(readme_shows_the_first_object),
		cmocka_unit_test(examples_page_shows_what_pods_get),
	};

	return RUN_TESTS("examples", files) +
	       RUN_ROWS("example pods", examples, gives_its_pod, STAGE);
}
