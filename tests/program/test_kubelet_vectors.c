/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kubernetes' own rules: each case of vectors/kubelet.json (what kubelet v1.32 and the API server's
 * validation make of a pod) is a test of the pure middle: decoding, policy, merge, limits. Guards
 * are ours alone and stay out. Where we differ on purpose, the table below says why, and what is
 * wanted instead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rows.h"
#include "cni/args.h"
#include "arena.h"
#include "config/request.h"
#include "config/conf.h"
#include "config/dnsconfig.h"
#include "policy/limits.h"
#include "policy/policy.h"
#include "names.h"
#include "stage.h"
#include "stage.c"
#include "want.c"

#define ERROR "{'error':'ours'}"
#define NO_NODE \
	"resolvConf \"\" inherits nothing: kubelet's 127.0.0.1 serves the host's network only"
#define NOTHING	   "{'nameservers':[],'searches':[],'options':[],'warnings':[]}"
#define UNREAD	   "the node's file is read only when the policy needs it"
#define NOT_A_NAME "no API server lets this policy through: refused, not guessed at"

static const struct difference {
	const char *id, *why, *want;
} differences[] = {
	{ "host-file-missing-none", UNREAD,
	  "{'nameservers':['192.0.2.53'],'searches':[],'options':[],'warnings':[]}" },
	{ "host-file-bad-none", UNREAD,
	  "{'nameservers':['192.0.2.53'],'searches':[],'options':[],'warnings':[]}" },
	{ "namespace-empty-leading-dot", "no namespace is `default`",
	  "{'nameservers':['10.96.0.10'],'searches':['default.svc.cluster.local',"
	  "'svc.cluster.local','cluster.local'],'options':['ndots:5'],'warnings':[]}" },
	{ "pol-default-no-resolvconf", NO_NODE, NOTHING },
	{ "pol-default-no-resolvconf-v4-node", NO_NODE, NOTHING },
	{ "pol-default-no-resolvconf-v6-node", NO_NODE, NOTHING },
	{ "pol-default-no-resolvconf-dual-v6v4", NO_NODE, NOTHING },
	{ "fallback-no-cluster-dns-no-resolvconf", NO_NODE,
	  "{'nameservers':[],'searches':[],'options':[],'warnings':['missing-cluster-dns']}" },
	{ "policy-unknown-hostnetwork-still-cluster", NOT_A_NAME, ERROR },
	{ "policy-empty-string-at-kubelet", NOT_A_NAME, ERROR },
	{ "val-search-underscore-strict",
	  "searches are validated as since v1.34, where the relaxed form has no switch",
	  "{'nameservers':['10.96.0.10'],'searches':['ns1.svc.cluster.local','svc.cluster.local',"
	  "'cluster.local','_sip._tcp.a_b.example'],'options':['ndots:5'],'warnings':[]}" },
};

/* One case on its way through. */
struct flow {
	const json_t *vector;
	struct arena arena;
	struct warnings warnings;
	struct conf conf;
	struct args args;
	struct pod pod;
	struct request request;
	struct resolv node, prev, out;
	struct decision decision;
	json_t *network;
	char *text; /* of the node's file, cut into words */
	struct err err;
};

static const json_t *get(const struct flow *f, const char *key)
{
	return json_object_get(f->vector, key);
}

static bool make_conf(struct flow *f)
{
	const json_t *file = get(f, "host_resolv_conf");

	f->network = json_pack("{s:O, s:O, s:s}", "clusterDNS", get(f, "cluster_dns"),
			       "clusterDomain", get(f, "cluster_domain"), "resolvConf",
			       json_is_null(file) ? "" : "/node/resolv.conf");
	assert_non_null(f->network);
	conf_init(&f->conf);
	return conf_decode(&f->conf, f->network, &f->err) &&
	       conf_check(&f->conf, &f->warnings, &f->err);
}

static bool make_pod(struct flow *f)
{
	const char *args = arena_print(&f->arena, "K8S_POD_NAME=p;K8S_POD_NAMESPACE=%s",
				       json_string_value(get(f, "namespace")));

	if (!args_parse(&f->args, args, &f->arena, &f->err) ||
	    !request_pod(&f->pod, &f->args, &f->err))
		return false;
	f->pod.host_network = json_is_true(get(f, "host_network"));
	return true;
}

/* In kubelet's world policy and dnsConfig are the pod's. */
static bool make_ask(struct flow *f)
{
	const json_t *config = get(f, "dns_config");

	f->request =
		(struct request){ .policy = policy_named(json_string_value(get(f, "dns_policy"))) };
	if (f->request.policy == POLICY_UNSET)
		return err_set(&f->err, ERR_CONFIG, "no such policy");
	if (json_is_null(config))
		return true;
	return dnsconfig_read(config, NULL, &f->request.dns, &f->err) &&
	       dnsconfig_fits_pod(&f->request.dns, &f->err);
}

/* What add does of files: the node's is read when the decision needs it. */
static bool read_node(struct flow *f)
{
	const char *file = json_string_value(get(f, "host_resolv_conf"));
	size_t size = json_string_length(get(f, "host_resolv_conf"));

	if (!f->decision.needs_node || !file)
		return true;
	if (json_is_true(get(f, "host_resolv_conf_missing")))
		return err_set(&f->err, ERR_IO, "no such file");
	f->text = calloc(size + 1, 1);
	assert_non_null(f->text);
	memcpy(f->text, file, size);
	return !resolv_parse(&f->node, f->text, size, RESOLV_NODE, FROM_NODE) ||
	       err_set(&f->err, ERR_IO, "a nameserver without a value");
}

static bool compute(struct flow *f)
{
	const struct inputs in = {
		.conf = &f->conf,
		.pod = &f->pod,
		.request = &f->request,
		.prev = &f->prev,
		.node = &f->node,
		.arena = &f->arena,
	};

	policy_decide(&f->decision, &in, &f->warnings);
	if (!read_node(f))
		return false;
	policy_clean(&f->node, "node", &f->warnings);
	if (!policy_compute(&f->out, &f->decision, &in, &f->warnings, &f->err))
		return false;
	limits_apply(&f->out, &f->conf.limits, &f->warnings);
	return true;
}

/*** what came out ***/

static void check_list(const char *name, const struct resolv_list *got, const json_t *want)
{
	json_t *list = json_array();

	for (size_t i = 0; i < got->n; i++)
		(void)json_array_append_new(list, json_string_nocheck(got->at[i].text));
	if (!json_equal(list, want))
		fail_msg("%s: %s, wanted %s", name, want_text(list), want_text(want));
	json_decref(list);
}

static bool is_in(const json_t *list, const char *word)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), word) == 0)
			return true;
	return false;
}

/* kubelet's order of options is random: they are a set. */
static void check_options(const struct resolv_list *got, const json_t *want)
{
	for (size_t i = 0; i < got->n; i++)
		if (!is_in(want, got->at[i].text))
			fail_msg("option %s, wanted %s", got->at[i].text, want_text(want));
	if (got->n != json_array_size(want))
		fail_msg("%zu options, wanted %s", got->n, want_text(want));
}

static bool is_warned(const struct warnings *w, const char *kind)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->at[i].kind, kind) == 0)
			return true;
	return false;
}

/* Only what kubelet warns of, too. */
static void check_warnings(const struct warnings *w, const json_t *want)
{
	static const char *const kinds[] = { "nameserver-limit", "search-limit",
					     "missing-cluster-dns", "invalid-cluster-dns-ip" };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (is_warned(w, kinds[i]) != is_in(want, kinds[i]))
			fail_msg("warning %s, wanted %s",
				 is_warned(w, kinds[i]) ? kinds[i] : "(none)", want_text(want));
}

static void check_flow(const struct flow *f, bool ok, const json_t *want)
{
	if (json_object_get(want, "error")) {
		if (ok)
			fail_msg("no error, wanted %s", want_text(want));
		return;
	}
	if (!ok)
		fail_msg("error \"%s\", wanted %s", f->err.text, want_text(want));
	check_list("nameservers", &f->out.nameservers, json_object_get(want, "nameservers"));
	check_list("searches", &f->out.searches, json_object_get(want, "searches"));
	check_options(&f->out.options, json_object_get(want, "options"));
	check_warnings(&f->warnings, json_object_get(want, "warnings"));
}

static const struct difference *find_difference(const json_t *vector)
{
	const char *id = json_string_value(json_object_get(vector, "id"));

	for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
		if (strcmp(differences[i].id, id) == 0)
			return &differences[i];
	return NULL;
}

static void computes(void **state)
{
	const struct difference *ours = find_difference(*state);
	struct flow *f = calloc(1, sizeof *f);
	json_t *want;
	bool ok;

	assert_non_null(f);
	f->vector = *state;
	f->warnings.arena = &f->arena;
	want = ours ? want_load(rows_json(ours->want), ours->id)
		    : json_incref(json_object_get(f->vector, "want"));
	ok = make_conf(f) && make_pod(f) && make_ask(f) && compute(f);
	check_flow(f, ok, want);
	json_decref(want);
	conf_done(&f->conf);
	json_decref(f->network);
	arena_done(&f->arena);
	free(f->text);
	free(f);
}

/* A difference that names no case would hide nothing but its own mistake. */
static void every_difference_is_a_case(void **state)
{
	size_t found = 0;

	for (size_t i = 0; i < json_array_size(*state); i++)
		found += find_difference(json_array_get(*state, i)) != NULL;
	assert_int_equal(found, sizeof differences / sizeof *differences);
}

int main(void)
{
	json_t *vectors = json_load_file("tests/data/vectors/kubelet.json", JSON_ALLOW_NUL, NULL);
	const size_t n = json_array_size(vectors);
	struct CMUnitTest *tests = calloc(n + 1, sizeof *tests);
	int failed;

	for (size_t i = 0; tests && i < n; i++)
		tests[i] = (struct CMUnitTest){
			.name = json_string_value(want_at(json_array_get(vectors, i), "/id")),
			.test_func = computes,
			.initial_state = json_array_get(vectors, i),
		};
	if (tests)
		tests[n] = (struct CMUnitTest){ .name = "every difference is a case",
						.test_func = every_difference_is_a_case,
						.initial_state = vectors };
	failed = _cmocka_run_group_tests("kubelet vectors", tests, n + 1, NULL, NULL);
	free(tests);
	json_decref(vectors);
	return failed || n == 0;
}
