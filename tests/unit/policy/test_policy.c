/* SPDX-License-Identifier: Apache-2.0 */
/* From what everybody says to the pod's resolver configuration: policies, layers, and whose pod. */
#include "rows.h"
#include "arena.h"
#include "config/conf.h"
#include "config/dnsconfig.h"
#include "enum_names.h"
#include "policy/policy.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

#define CLUSTER "search shop.svc.cluster.local svc.cluster.local cluster.local"
#define DNS	"'clusterDNS':['10.96.0.10']"
#define SERVER	"nameserver 10.96.0.10\n"
#define SHAPED	CLUSTER " n.example\n" SERVER "options ndots:5\n"
#define HOST	"search n.example\nnameserver 192.0.2.53\noptions rotate\n"
#define NODE	HOST

/* A pod "web" of namespace "shop"; the node's file is NODE. */
static const struct row {
	const char *name;
	const char *conf;
	const char *request;	 /* the pod's: POLICY, or POLICY and a dnsConfig; NULL: nothing */
	const char *runtime_dns; /* NULL: the runtime does not say */
	const char *prev;	 /* dns of prevResult; NULL: none */
	const char *state;	 /* computed, left, passed, pending */
	const char *text;	 /* NULL: none, or an error */
	const char *warning;	 /* its kind; NULL: none */
} rows[] = {
	{ "cluster-first", "{" DNS "}", NULL, NULL, NULL, "computed", SHAPED, NULL },
	{ "no cluster DNS", "{}", NULL, NULL, NULL, "computed", HOST, "missing-cluster-dns" },
	{ "no cluster domain", "{" DNS ",'clusterDomain':''}", NULL, NULL, NULL, "computed",
	  "search n.example\n" SERVER "options ndots:5\n", NULL },
	{ "Default", "{" DNS ",'dnsPolicy':'Default'}", NULL, NULL, NULL, "computed", HOST, NULL },
	{ "Default of an empty resolvConf", "{'dnsPolicy':'Default','resolvConf':''}", NULL, NULL,
	  NULL, "computed", "", "no-node-file" },
	{ "None", "{'dnsPolicy':'None','dnsConfig':{'nameservers':['192.0.2.1']}}", NULL, NULL,
	  NULL, "computed", "nameserver 192.0.2.1\n", NULL },
	{ "None without a server", "{'dnsPolicy':'None'}", NULL, NULL, NULL, "computed", NULL,
	  NULL },
	{ "Keep, and nothing to keep", "{'dnsPolicy':'Keep'}", NULL, NULL, NULL, "passed", NULL,
	  NULL },
	{ "Keep of the runtime's", "{" DNS "}", "Keep", SHAPED, NULL, "left", SHAPED, NULL },
	{ "the rule's policy before the network's",
	  "{" DNS ",'rules':[{'pods':['web'],'dnsPolicy':"
	  "'Default'}]}",
	  NULL, NULL, NULL, "computed", HOST, NULL },
	{ "the pod's before the rule's", "{" DNS ",'rules':[{'dnsPolicy':'Default'}]}",
	  "ClusterFirst", NULL, NULL, "computed", SHAPED, NULL },
	{ "layers: network, rule, pod",
	  "{" DNS ",'dnsConfig':{'searches':['net'],'options':[{'name':'ndots','value':'2'}]},"
	  "'rules':[{'dnsConfig':{'searches':['rule'],'options':[{'name':'ndots','value':'3'},"
	  "{'name':'a'}]}}]}",
	  "ClusterFirst {'searches':['pod'],'options':[{'name':'a','value':'1'}]}", NULL, NULL,
	  "computed", CLUSTER " n.example net rule pod\n" SERVER "options ndots:3 a:1\n", NULL },
	{ "a Default of the pod's keeps the operator out",
	  "{" DNS ",'dnsConfig':{'searches':['net']}}", "Default {'searches':['pod']}", NULL, NULL,
	  "computed", "search n.example pod\nnameserver 192.0.2.53\noptions rotate\n", NULL },
	{ "prevResult is a layer of Default", "{'dnsPolicy':'Default'}", NULL, NULL,
	  "search ipam\nnameserver 192.0.2.9\n", "computed",
	  "search n.example ipam\nnameserver 192.0.2.53\nnameserver 192.0.2.9\noptions rotate\n",
	  NULL },
	{ "prevResult is none of cluster-first", "{" DNS "}", NULL, NULL,
	  "search ipam\nnameserver 192.0.2.9\n", "computed", SHAPED, NULL },
	{ "kubelet's ndots:5 gives way, and the node's searches are known",
	  "{" DNS ",'dnsConfig':{'searches':['net'],'options':[{'name':'ndots','value':'2'}]}}",
	  NULL, CLUSTER " n.example own\n" SERVER "options ndots:5\n", NULL, "computed",
	  CLUSTER " n.example net own\n" SERVER "options ndots:2\n", NULL },
	{ "a pod's ndots:1 does not",
	  "{" DNS ",'dnsConfig':{'options':[{'name':'ndots','value':'2'}]}}", NULL,
	  CLUSTER " n.example\n" SERVER "options ndots:1\n", NULL, "computed",
	  CLUSTER " n.example\n" SERVER "options ndots:1\n", NULL },
	{ "a policy of the network's replaces the base alone", "{" DNS ",'dnsPolicy':'Default'}",
	  NULL, CLUSTER " n.example own\n" SERVER "nameserver 192.0.2.9\noptions ndots:5\n", NULL,
	  "computed",
	  "search n.example own\nnameserver 192.0.2.53\nnameserver 192.0.2.9\n"
	  "options rotate\n",
	  NULL },
	{ "a policy of the pod's channel discards it", "{" DNS "}", "Default",
	  CLUSTER " own\n" SERVER "options ndots:5\n", NULL, "computed", HOST, NULL },
	{ "a pod that chose is left", "{" DNS ",'dnsConfig':{'searches':['net']}}", NULL,
	  "nameserver 192.0.2.9\n", NULL, "left", "nameserver 192.0.2.9\n", NULL },
	{ "but for its channel's dnsConfig", "{" DNS ",'dnsConfig':{'searches':['net']}}",
	  "- {'searches':['pod']}", "nameserver 192.0.2.9\n", NULL, "left",
	  "search pod\nnameserver 192.0.2.9\n", NULL },
	{ "other servers than the cluster's", "{'clusterDNS':['10.96.0.11']}", NULL, SHAPED, NULL,
	  "left", SHAPED, "unrecognised" },
	{ "another domain", "{" DNS ",'clusterDomain':'k8s'}", NULL, SHAPED, NULL, "left", SHAPED,
	  "other-domain" },
	{ "another node file", "{" DNS "}", NULL, CLUSTER " corp\n" SERVER "options ndots:5\n",
	  NULL, "computed", CLUSTER " corp\n" SERVER "options ndots:5\n", "other-node-file" },
};

static void parse(struct resolv *r, char *buffer, size_t room, const char *text, int from,
		  struct arena *a)
{
	*r = (struct resolv){ 0 };
	(void)snprintf(buffer, room, "%s", text ? text : "");
	(void)resolv_parse(r, buffer, strlen(buffer), RESOLV_VERBATIM, from, a);
}

/* "POLICY {dnsConfig}", POLICY being "-" where there is none. */
static json_t *read_request(struct request *request, const char *text)
{
	char policy[64] = "-";
	const char *config = text ? strchr(text, ' ') : NULL;
	struct err e = { 0 };
	json_t *json = NULL;

	if (text)
		(void)snprintf(policy, sizeof policy, "%.*s", (int)strcspn(text, " "), text);
	*request = (struct request){ .policy = policy_named(policy), .dns_channel = "channel" };
	if (config) {
		json = json_loads(rows_json(config), 0, NULL);
		assert_true(dnsconfig_read(json, NULL, &request->dns, &e));
	}
	return json;
}

static void assert_outcome(const struct row *row, const struct decision *d, struct inputs *in,
			   struct warnings *w)
{
	static struct resolv out;
	auto_text text = TEXT_UP_TO(4096);
	struct err e = { 0 };

	assert_string_equal(state_names[d->state], row->state);
	if (d->state != COMPUTED && d->state != KEPT)
		return;
	assert_int_equal(policy_compute(&out, d, in, w, &e), row->text != NULL);
	if (row->text) {
		resolv_render(&text, &out);
		assert_string_equal(text.at ? text.at : "", row->text);
	} else {
		assert_int_equal(e.code, ERR_CONFIG);
	}
}

static void is_computed(void **state)
{
	const struct row *row = *state;
	static struct conf conf;
	static struct resolv runtime_dns, prev, node;
	char buffers[3][1024];
	const struct pod pod = { .name = "web", .namespace = "shop", .uid = "" };
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct request request;
	struct decision d;
	struct err e = { 0 };
	json_t *network = json_loads(rows_json(row->conf), 0, NULL);
	json_t *config = read_request(&request, row->request);
	struct inputs in = {
		.conf = &conf, .pod = &pod, .request = &request, .prev = &prev, .arena = &arena
	};

	conf_init(&conf);
	assert_true(conf_decode(&conf, network, &e) && conf_check(&conf, &w, &e));
	parse(&runtime_dns, buffers[0], sizeof buffers[0], row->runtime_dns, FROM_RUNTIME, &arena);
	parse(&prev, buffers[1], sizeof buffers[1], row->prev, FROM_PREV, &arena);
	parse(&node, buffers[2], sizeof buffers[2], NODE, FROM_NODE, &arena);
	in.runtime_dns = row->runtime_dns ? &runtime_dns : NULL;
	policy_decide(&d, &in, &w);
	in.node = d.needs_node ? &node : NULL;
	assert_outcome(row, &d, &in, &w);
	assert_int_equal(w.n, row->warning ? 1 : 0);
	if (row->warning)
		assert_string_equal(w.at[0].kind, row->warning);
	conf_done(&conf);
	json_decref(network);
	json_decref(config);
}

/*** the host's network ***/

#define STUB "search n.example\nnameserver 127.0.0.53\noptions ndots:5 edns0\n"
#define TUNED                                                                                      \
	"'rules':[{'hostNetwork':true,'dnsConfig':{'searches':['rule'],'options':[{'name':'ndots'" \
	",'value':'1'}]}}]"

static const struct on_host {
	const char *name, *conf, *state, *text;
} on_hosts[] = {
	{ "a rule's dnsConfig, and not the network's",
	  "{" DNS ",'dnsConfig':{'searches':['net']}," TUNED "}", "computed",
	  "search n.example rule\nnameserver 127.0.0.53\noptions ndots:1 edns0\n" },
	{ "no rule", "{" DNS ",'dnsConfig':{'searches':['net']},'rules':[{}]}", "left", STUB },
	{ "the network's policy is not its", "{" DNS ",'dnsPolicy':'None'," TUNED "}", "computed",
	  "search n.example rule\nnameserver 127.0.0.53\noptions ndots:1 edns0\n" },
};

static void is_computed_on_host(void **state)
{
	const struct on_host *row = *state;
	static struct conf conf;
	static struct resolv runtime_dns, prev;
	const struct pod pod = { .name = "p", .namespace = "s", .uid = "", .host_network = true };
	const struct request request = { .policy = POLICY_UNSET };
	auto_arena arena = { 0 };
	auto_text text = TEXT_UP_TO(4096);
	struct warnings w = { .arena = &arena };
	static struct resolv out;
	struct decision d;
	struct err e = { 0 };
	char buffer[1024];
	json_t *network = json_loads(rows_json(row->conf), 0, NULL);
	struct inputs in = { .conf = &conf,
			     .pod = &pod,
			     .request = &request,
			     .runtime_dns = &runtime_dns,
			     .prev = &prev,
			     .arena = &arena };

	conf_init(&conf);
	assert_true(conf_decode(&conf, network, &e) && conf_check(&conf, &w, &e));
	parse(&runtime_dns, buffer, sizeof buffer, STUB, FROM_RUNTIME, &arena);
	policy_decide(&d, &in, &w);
	assert_string_equal(state_names[d.state], row->state);
	assert_false(d.needs_node);
	assert_true(policy_compute(&out, &d, &in, &w, &e));
	resolv_render(&text, &out);
	assert_string_equal(text.at, row->text);
	assert_int_equal(w.n, 0);
	conf_done(&conf);
	json_decref(network);
}

/*** families ***/

#define AUTO "'families':'auto'"
#define DUAL false
#define IPV4 true

static const struct family {
	const char *name, *conf, *request, *runtime_dns;
	bool ipv4_only;
	int from; /* the origin of no-aaaa; -1: it is not there */
} families[] = {
	{ "IPv4 only", "{" DNS "," AUTO "}", NULL, NULL, IPV4, FROM_FAMILIES },
	{ "dual-stack", "{" DNS "," AUTO "}", NULL, NULL, DUAL, -1 },
	{ "absent", "{" DNS "}", NULL, NULL, IPV4, -1 },
	{ "off by rule", "{" DNS "," AUTO ",'rules':[{'families':'off'}]}", NULL, NULL, IPV4, -1 },
	{ "auto by rule", "{" DNS ",'rules':[{'families':'auto'}]}", NULL, NULL, IPV4,
	  FROM_FAMILIES },
	{ "a rule without the key", "{" DNS "," AUTO ",'rules':[{}]}", NULL, NULL, IPV4,
	  FROM_FAMILIES },
	{ "kubelet's configuration", "{" DNS "," AUTO "}", NULL, SHAPED, IPV4, FROM_FAMILIES },
	{ "kubelet's configuration, with the pod's no-aaaa", "{" DNS "," AUTO "}", NULL,
	  CLUSTER " n.example\n" SERVER "options ndots:5 no-aaaa\n", IPV4, FROM_POD },
	{ "no-aaaa of the network",
	  "{" DNS "," AUTO ",'dnsConfig':{'options':[{'name':'no-aaaa'}]}}", NULL, NULL, IPV4,
	  FROM_NETWORK },
	{ "no-aaaa of the pod", "{" DNS "," AUTO "}",
	  "ClusterFirst {'options':[{'name':'no-aaaa'}]}", NULL, IPV4, FROM_POD },
	{ "Default of the network", "{'dnsPolicy':'Default'," AUTO "}", NULL, NULL, IPV4,
	  FROM_FAMILIES },
	{ "Default of the pod", "{" DNS "," AUTO "}", "Default", NULL, IPV4, -1 },
	{ "the runtime's configuration stays", "{" DNS "," AUTO "}", NULL, "nameserver 192.0.2.9\n",
	  IPV4, -1 },
};

static void adds_no_aaaa(void **state)
{
	const struct family *row = *state;
	static struct conf conf;
	static struct resolv runtime_dns, prev, node, out;
	char buffers[2][1024];
	const struct pod pod = { .name = "web", .namespace = "shop", .uid = "" };
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	const struct resolv_entry *option;
	struct request request;
	struct decision d;
	struct err e = { 0 };
	json_t *network = json_loads(rows_json(row->conf), 0, NULL);
	json_t *config = read_request(&request, row->request);
	struct inputs in = { .conf = &conf,
			     .pod = &pod,
			     .request = &request,
			     .ipv4_only = row->ipv4_only,
			     .prev = &prev,
			     .node = &node,
			     .arena = &arena };

	conf_init(&conf);
	assert_true(conf_decode(&conf, network, &e) && conf_check(&conf, &w, &e));
	parse(&runtime_dns, buffers[0], sizeof buffers[0], row->runtime_dns, FROM_RUNTIME, &arena);
	parse(&node, buffers[1], sizeof buffers[1], NODE, FROM_NODE, &arena);
	in.runtime_dns = row->runtime_dns ? &runtime_dns : NULL;
	policy_decide(&d, &in, &w);
	assert_true(policy_compute(&out, &d, &in, &w, &e));
	option = resolv_find(&out.options, "no-aaaa");
	assert_int_equal(option ? option->from : -1, row->from);
	conf_done(&conf);
	json_decref(network);
	json_decref(config);
}

/*** what is not known yet ***/

static const struct wait {
	const char *name, *conf, *request;
	bool may_wait;
	const char *state;
} waits[] = {
	{ "somebody will look", "{" DNS "}", NULL, true, "pending" },
	{ "nobody will", "{" DNS "}", NULL, false, "passed" },
	{ "a policy in a channel leaves nothing open", "{" DNS "}", "Default", true, "computed" },
	{ "Keep", "{" DNS ",'dnsPolicy':'Keep'}", NULL, true, "passed" },
	{ "Keep with a dnsConfig of the pod's", "{" DNS "}", "Keep {'searches':['a']}", true,
	  "pending" },
};

static void waits_or_not(void **state)
{
	const struct wait *row = *state;
	static struct conf conf;
	static struct resolv prev;
	const struct pod pod = { .name = "web", .namespace = "shop", .uid = "", .cri = true };
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct request request;
	struct decision d;
	struct err e = { 0 };
	json_t *network = json_loads(rows_json(row->conf), 0, NULL);
	json_t *config = read_request(&request, row->request);
	struct inputs in = { .conf = &conf,
			     .pod = &pod,
			     .request = &request,
			     .prev = &prev,
			     .unknown_yet = true,
			     .may_wait = row->may_wait,
			     .arena = &arena };

	conf_init(&conf);
	assert_true(conf_decode(&conf, network, &e) && conf_check(&conf, &w, &e));
	policy_decide(&d, &in, &w);
	assert_string_equal(state_names[d.state], row->state);
	conf_done(&conf);
	json_decref(network);
	json_decref(config);
}

/*** what may stand in a file ***/

static void drops_what_is_no_word(void **state UNUSED)
{
	static struct resolv r;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };

	r = (struct resolv){ 0 };
	resolv_add(&r.nameservers, resolv_word("192.0.2.1", FROM_NODE), &arena);
	resolv_add(&r.searches, resolv_word("a b", FROM_NODE), &arena);
	resolv_add(&r.searches, resolv_word("", FROM_NODE), &arena);
	resolv_add(&r.searches, resolv_word("ok", FROM_NODE), &arena);
	resolv_add(&r.options, resolv_option("x:\1", FROM_NODE), &arena);
	policy_clean(&r, "the file", &w);
	assert_int_equal(r.nameservers.n, 1);
	assert_int_equal(r.searches.n, 1);
	assert_string_equal(r.searches.at[0].text, "ok");
	assert_int_equal(r.options.n, 0);
	assert_int_equal(w.n, 3);
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(drops_what_is_no_word) };

	return RUN_ROWS("policies", rows, is_computed) +
	       RUN_ROWS("the host's network", on_hosts, is_computed_on_host) +
	       RUN_ROWS("families", families, adds_no_aaaa) +
	       RUN_ROWS("what is not known", waits, waits_or_not) + RUN_TESTS("words", others);
}
