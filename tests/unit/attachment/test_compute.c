/* SPDX-License-Identifier: Apache-2.0 */
/* A pod's DNS, computed: without a call, a namespace or root, for one pod and for a thousand. */
#include "rows.h"
#include "scarce.h"
#include "attachment/compute.h"

#include <stdio.h>
#include <string.h>

#define NODE "search node.example\nnameserver 192.0.2.53\n"
#define CLUSTER                                                                        \
	"search shop.svc.cluster.local svc.cluster.local cluster.local node.example\n" \
	"nameserver 10.96.0.10\noptions ndots:5\n"
#define CACHE "'nodeCache':{'addresses':['169.254.20.10'],'steer':'pod'}"

/* One pod's way: what a struct compute_input borrows from. */
struct flow {
	struct arena arena;
	struct warnings warnings;
	json_t *document;
	struct network_conf network;
	struct node_resolv node_resolv;
	char node_text[256];
	struct compute_input input;
	struct computed computed;
	struct err err;
};

static void set_node(struct flow *f, const char *text)
{
	f->node_resolv = (struct node_resolv){ .is_read = true };
	(void)snprintf(f->node_text, sizeof f->node_text, "%s", text);
	(void)resolv_parse(&f->node_resolv.lists, f->node_text, strlen(text), RESOLV_NODE,
			   FROM_NODE, &f->arena);
}

static void set_up(struct flow *f, const char *network)
{
	*f = (struct flow){ .network.conf.cluster_domain = NULL };
	f->warnings.arena = &f->arena;
	f->document = json_loads(network, 0, NULL);
	assert_non_null(f->document);
	assert_true(conf_file_read(&f->network, f->document, &f->warnings, &f->err));
	set_node(f, NODE);
	f->input = (struct compute_input){
		.network = &f->network,
		.pod = { .name = "web", .namespace = "shop", .uid = "" },
		.request.policy = POLICY_UNSET,
		.node_resolv = &f->node_resolv,
	};
	f->input.mode = compute_mode(&f->network, &f->input.pod);
}

static void tear_down(struct flow *f)
{
	runtime_dns_done(&f->input.runtime_dns);
	conf_file_done(&f->network);
	json_decref(f->document);
	arena_done(&f->arena);
}

/*** rows ***/

static const struct row {
	const char *name, *network;
	const char *runtime; /* what the runtime decided; NULL: it does not say */
	const char *text;    /* NULL: nothing is to be written */
	enum state state;
	bool serves, steers;
} rows[] = {
	{ "cluster first", "{'clusterDNS':['10.96.0.10']}", NULL, CLUSTER, COMPUTED, true, false },
	{ "what kubelet decided", "{'clusterDNS':['10.96.0.10']}", CLUSTER, CLUSTER, COMPUTED, true,
	  false },
	{ "the operator's words",
	  "{'clusterDNS':['10.96.0.10'],'dnsConfig':{'options':[{'name':'ndots','value':'2'}]}}",
	  CLUSTER,
	  "search shop.svc.cluster.local svc.cluster.local cluster.local node.example\n"
	  "nameserver 10.96.0.10\noptions ndots:2\n",
	  COMPUTED, true, false },
	{ "a pod that chose is left", "{'clusterDNS':['10.96.0.10']}", "nameserver 192.0.2.1\n",
	  "nameserver 192.0.2.1\n", KEPT, true, false },
	{ "steered", "{'clusterDNS':['10.96.0.10']," CACHE "}", CLUSTER, CLUSTER, COMPUTED, true,
	  true },
	{ "left, and asks nobody who is steered", "{'clusterDNS':['10.96.0.10']," CACHE "}",
	  "nameserver 192.0.2.1\n", "nameserver 192.0.2.1\n", KEPT, true, false },
	{ "observed", "{'clusterDNS':['10.96.0.10'],'mode':'observe'," CACHE "}", CLUSTER, CLUSTER,
	  COMPUTED, false, false },
	{ "off", "{'clusterDNS':['10.96.0.10'],'mode':'off'}", CLUSTER, NULL, PASSED, false,
	  false },
	{ "a rule that says Keep", "{'rules':[{'namespaces':['shop'],'dnsPolicy':'Keep'}]}", NULL,
	  NULL, PASSED, false, false },
	{ "autopath, steered: the searches of ClusterFirst stay behind it",
	  "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'ClusterFirstWithAutopath'," CACHE "}", CLUSTER,
	  "search search.shop.cluster.local.ap.k8s.io shop.svc.cluster.local svc.cluster.local "
	  "cluster.local node.example\nnameserver 10.96.0.10\noptions ndots:5\n",
	  COMPUTED, true, true },
	{ "KEP-2009: autopath alone, where the cache does not fail open",
	  "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'ClusterFirstWithAutopath','nodeCache':"
	  "{'addresses':['169.254.20.10'],'steer':'pod','failOpen':false}}",
	  NULL,
	  "search search.shop.cluster.local.ap.k8s.io\nnameserver 10.96.0.10\noptions ndots:5\n",
	  COMPUTED, true, true },
	{ "likewise with dnat",
	  "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'ClusterFirstWithAutopath','nodeCache':"
	  "{'addresses':['169.254.20.10'],'steer':'dnat'}}",
	  CLUSTER,
	  "search search.shop.cluster.local.ap.k8s.io\nnameserver 10.96.0.10\noptions ndots:5\n",
	  COMPUTED, true, true },
	{ "autopath by the cluster's own DNS, in a zone of its own",
	  "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'ClusterFirstWithAutopath','autopath':"
	  "'cluster','autopathZone':'ap.example'}",
	  NULL,
	  "search search.shop.cluster.local.ap.example\nnameserver 10.96.0.10\noptions ndots:5\n",
	  COMPUTED, true, false },
	{ "autopath without a cache",
	  "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'ClusterFirstWithAutopath'}", CLUSTER, CLUSTER,
	  COMPUTED, true, false },
	{ "a rule's autopath, and a rule that does not steer",
	  "{'clusterDNS':['10.96.0.10'],'rules':[{'namespaces':['shop'],'steer':false,'dnsPolicy':"
	  "'ClusterFirstWithAutopath'}]," CACHE "}",
	  CLUSTER, CLUSTER, COMPUTED, true, false },
	{ "autopath, and caches as nameservers: the pod has no rules",
	  "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'ClusterFirstWithAutopath','nodeCache':"
	  "{'addresses':['169.254.20.10'],'steer':'nameserver'}}",
	  NULL,
	  "search shop.svc.cluster.local svc.cluster.local cluster.local node.example\n"
	  "nameserver 169.254.20.10\nnameserver 10.96.0.10\noptions ndots:5\n",
	  COMPUTED, true, false },
	{ "autopath without clusterDomain",
	  "{'clusterDNS':['10.96.0.10'],'clusterDomain':'','dnsPolicy':'ClusterFirstWithAutopath'"
	  "," CACHE "}",
	  NULL, "search node.example\nnameserver 10.96.0.10\noptions ndots:5\n", COMPUTED, true,
	  true },
	{ "autopath without clusterDNS",
	  "{'dnsPolicy':'ClusterFirstWithAutopath','autopath':'cluster'}", NULL, NODE, COMPUTED,
	  true, false },
	{ "autopath is not for a pod that chose",
	  "{'clusterDNS':['10.96.0.10'],'dnsPolicy':"
	  "'ClusterFirstWithAutopath'," CACHE "}",
	  "nameserver 192.0.2.1\n", "nameserver 192.0.2.1\n", KEPT, true, false },
	{ "autopath, and the pod's own words",
	  "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'ClusterFirstWithAutopath','nodeCache':"
	  "{'addresses':['169.254.20.10'],'steer':'pod','failOpen':false}}",
	  "search shop.svc.cluster.local svc.cluster.local cluster.local node.example own.example\n"
	  "nameserver 10.96.0.10\noptions ndots:1\n",
	  "search search.shop.cluster.local.ap.k8s.io own.example\nnameserver 10.96.0.10\n"
	  "options ndots:1\n",
	  COMPUTED, true, true },
	{ "autopath, observed",
	  "{'clusterDNS':['10.96.0.10'],'mode':'observe','dnsPolicy':'ClusterFirstWithAutopath'"
	  "," CACHE "}",
	  CLUSTER,
	  "search search.shop.cluster.local.ap.k8s.io shop.svc.cluster.local svc.cluster.local "
	  "cluster.local node.example\nnameserver 10.96.0.10\noptions ndots:5\n",
	  COMPUTED, false, false },
	{ "nothing to write", "{'dnsPolicy':'Default','resolvConf':''}", NULL, NULL, COMPUTED, true,
	  false },
};

static void computes(void **state)
{
	const struct row *row = *state;
	struct flow f;

	set_up(&f, rows_json(row->network));
	if (row->runtime)
		assert_true(
			runtime_dns_parse(&f.input.runtime_dns, row->runtime, &f.warnings, &f.err));
	assert_true(compute(&f.computed, &f.input, &f.warnings, &f.err));
	assert_int_equal(f.computed.decision.state, row->state);
	assert_int_equal(f.computed.serves, row->serves);
	assert_int_equal(f.computed.steers, row->steers);
	if (row->text)
		assert_string_equal(f.computed.outcome.text, row->text);
	else
		assert_null(f.computed.outcome.text);
	tear_down(&f);
}

/* Wherever memory ends, it fails: nobody gets a part of a configuration. */
static void fails_without_memory(void **state)
{
	const struct row *row = *state;
	bool done = false;

	for (size_t i = 0; !done; i++) {
		struct flow f;

		set_up(&f, rows_json(row->network));
		if (row->runtime)
			assert_true(runtime_dns_parse(&f.input.runtime_dns, row->runtime,
						      &f.warnings, &f.err));
		scarce_left = i;
		done = compute(&f.computed, &f.input, &f.warnings, &f.err);
		scarce_left = SCARCE_NOT;
		assert_int_equal(done, arena_ok(&f.arena));
		assert_int_equal(f.err.code, done ? 0 : ERR_IO);
		tear_down(&f);
	}
}

/*** who has the node's lists ***/

static const struct of_node {
	const char *name, *network, *runtime;
	bool is;
	const char *node; /* its file; NULL: NODE */
} of_nodes[] = {
	{ "kubelet's Default", "{'clusterDNS':['10.96.0.10']}", NODE, .is = true },
	{ "another server", "{'clusterDNS':['10.96.0.10']}", "nameserver 192.0.2.1\n",
	  .is = false },
	{ "an option more", "{'clusterDNS':['10.96.0.10']}", NODE "options ndots:2\n",
	  .is = false },
	{ "of four servers kubelet's three", "{}",
	  "nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\n", .is = true,
	  .node = "nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\nnameserver "
		  "192.0.2.4\n" },
	{ "an operator who says Keep", "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'Keep'}", NODE,
	  .is = false },
	{ "an operator who says Default",
	  "{'rules':[{'namespaces':['shop'],'dnsPolicy':'Default'}],"
	  "'clusterDNS':['10.96.0.10']}",
	  CLUSTER, .is = false },
};

static void tells_whose_lists(void **state)
{
	const struct of_node *row = *state;
	struct flow f;

	set_up(&f, rows_json(row->network));
	if (row->node)
		set_node(&f, row->node);
	assert_true(runtime_dns_parse(&f.input.runtime_dns, row->runtime, &f.warnings, &f.err));
	assert_true(compute(&f.computed, &f.input, &f.warnings, &f.err));
	assert_int_equal(f.computed.of_node, row->is);
	tear_down(&f);
}

/*** the request ***/

static void a_faulty_request_fails(void **state UNUSED)
{
	struct flow f;

	set_up(&f, "{\"clusterDNS\":[\"10.96.0.10\"]}");
	f.input.request = (struct request){ .policy = NONE, .policy_channel = "annotation" };
	assert_false(compute(&f.computed, &f.input, &f.warnings, &f.err));
	assert_int_equal(f.err.code, ERR_CONFIG);
	tear_down(&f);
}

static void or_is_ignored_and_the_input_is_as_it_was(void **state UNUSED)
{
	struct flow f;

	set_up(&f, "{\"clusterDNS\":[\"10.96.0.10\"],\"onPodError\":\"ignore\"}");
	f.input.request = (struct request){ .policy = NONE, .policy_channel = "annotation" };
	assert_true(compute(&f.computed, &f.input, &f.warnings, &f.err));
	assert_string_equal(f.computed.outcome.text, CLUSTER);
	assert_int_equal(f.input.request.policy, NONE);
	assert_int_equal(f.computed.request.policy, POLICY_UNSET);
	assert_string_equal(f.warnings.at[0].kind, "pod-error");
	tear_down(&f);
}

/*** what depends on the rules ***/

static void an_outcome_for_a_pod_without_its_rules(void **state UNUSED)
{
	struct flow f;
	const struct outcome *o;

	set_up(&f,
	       rows_json(
		       "{'clusterDNS':['10.96.0.10'],'dnsPolicy':'ClusterFirstWithAutopath'," CACHE
		       "}"));
	assert_true(compute(&f.computed, &f.input, &f.warnings, &f.err));
	assert_true(f.computed.needs_rules);
	assert_int_equal(f.warnings.n, 0);
	o = computed_pick(&f.computed, true, &f.warnings);
	assert_int_equal(o->policy, CLUSTER_FIRST_WITH_AUTOPATH);
	assert_int_equal(f.warnings.n, 0);
	o = computed_pick(&f.computed, false, &f.warnings);
	assert_int_equal(o->policy, CLUSTER_FIRST);
	assert_string_equal(o->text, CLUSTER);
	assert_string_equal(f.warnings.at[0].kind, "autopath");
	tear_down(&f);
}

/*** where the file goes ***/

static void targets_are_planned_for_a_pod_with_a_file(void **state UNUSED)
{
	struct sandbox sandbox = SANDBOX_NONE;
	struct pod_netns netns = { .path = "/run/netns/pod" };
	struct flow f;

	set_up(&f, rows_json("{'clusterDNS':['10.96.0.10'],'targets':['netns','/a/resolv.conf']}"));
	f.input.sandbox = &sandbox;
	f.input.netns = &netns;
	sandbox.container_id = "c1";
	assert_true(compute(&f.computed, &f.input, &f.warnings, &f.err));
	assert_true(f.computed.has_file);
	assert_int_equal(f.computed.plan.n, 2);
	assert_int_equal(f.computed.plan.at[0].kind, TARGET_NETNS);
	assert_string_equal(f.computed.plan.at[1].path, "/a/resolv.conf");
	f.input.mode = MODE_OBSERVE;
	assert_true(compute(&f.computed, &f.input, &f.warnings, &f.err));
	assert_false(f.computed.has_file);
	assert_int_equal(f.computed.plan.n, 0);
	tear_down(&f);
}

/*** many pods ***/

enum { PODS = 1000 };

/* Each with its own namespace; by turns as kubelet decided, as it asks itself, and as it comes. */
static void compute_one(struct flow *f, int i)
{
	static const char *const policies[] = { "cluster", "none", "default" };
	auto_arena arena = { 0 };
	struct warnings warnings = { .arena = &arena };
	struct compute_input in = f->input;
	struct computed computed;
	char name[16], runtime[256], search[64];
	int way = i % (int)LEN(policies);

	(void)snprintf(name, sizeof name, "ns%d", i);
	(void)snprintf(search, sizeof search, "search ns%d.svc.cluster.local ", i);
	(void)snprintf(runtime, sizeof runtime,
		       "search ns%d.svc.cluster.local svc.cluster.local cluster.local\n"
		       "nameserver 10.96.0.10\noptions ndots:5 x:%d\n",
		       i, i);
	in.pod.name = in.pod.namespace = name;
	in.mode = compute_mode(in.network, &in.pod);
	in.request.policy = way == 2 ? DEFAULT : POLICY_UNSET;
	if (way == 0)
		assert_true(runtime_dns_parse(&in.runtime_dns, runtime, &warnings, &f->err));
	assert_true(compute(&computed, &in, &warnings, &f->err));
	assert_int_equal(computed.decision.state, COMPUTED);
	assert_int_equal(computed.steers, way != 2);
	if (way == 2)
		assert_string_equal(computed.outcome.text, NODE);
	else
		assert_memory_equal(computed.outcome.text, search, strlen(search));
	if (way == 0)
		assert_non_null(strstr(computed.outcome.text, "options ndots:2 x:"));
	runtime_dns_done(&in.runtime_dns);
}

/* What all pods share is as it was, and what a pod needs is gone with its arena. */
static void a_thousand_pods(void **state UNUSED)
{
	const struct arena_piece *last;
	struct resolv node;
	struct flow f;

	set_up(&f, rows_json("{'clusterDNS':['10.96.0.10']," CACHE
			     ",'dnsConfig':{'options':[{'name':'ndots','value':'2'}]}}"));
	node = f.node_resolv.lists;
	last = f.arena.pieces;
	for (int i = 0; i < PODS; i++)
		compute_one(&f, i);
	assert_memory_equal(&f.node_resolv.lists, &node, sizeof node);
	assert_string_equal(resolv_text(&node, sizeof NODE, &f.arena), NODE);
	assert_ptr_equal(f.arena.pieces->next, last);
	assert_int_equal(f.warnings.n, 0);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(a_faulty_request_fails),
		cmocka_unit_test(or_is_ignored_and_the_input_is_as_it_was),
		cmocka_unit_test(an_outcome_for_a_pod_without_its_rules),
		cmocka_unit_test(targets_are_planned_for_a_pod_with_a_file),
		cmocka_unit_test(a_thousand_pods),
	};

	return RUN_ROWS("compute", rows, computes) +
	       RUN_ROWS("without memory", rows, fails_without_memory) +
	       RUN_ROWS("of the node", of_nodes, tells_whose_lists) + RUN_TESTS("pods", others);
}
