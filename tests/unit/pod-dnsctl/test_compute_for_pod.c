/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kubernetes' own rules: each case of vectors/kubelet.json (what kubelet v1.32 and the API server's
 * validation make of a pod) as a pod and a node. What compute() makes of the pod's request must be
 * what is wanted, and what it makes of that as the runtime's configuration too. Where we differ on
 * purpose (pod-dnsctl(8), render), the table below says why, and what is wanted instead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "vectors.h"
#include "pod-dnsctl/inventory/compute_for_pod.h"

#define UNREAD "the node's file is read only when the policy needs it"
#define EMPTY  "resolvConf \"\": kubelet's 127.0.0.1 serves the host's network only"

static const struct difference {
	const char *id, *why;
	const char *text;    /* NULL: nothing is written; "": it is refused */
	const char *warning; /* NULL: none of kubelet's */
} differences[] = {
	{ "host-file-missing-none", UNREAD, "nameserver 192.0.2.53\n", NULL },
	{ "host-file-bad-none", UNREAD, "nameserver 192.0.2.53\n", NULL },
	{ "namespace-empty-leading-dot", "no namespace is `default`",
	  "search default.svc.cluster.local svc.cluster.local cluster.local\n"
	  "nameserver 10.96.0.10\noptions ndots:5\n",
	  NULL },
	{ "pol-default-no-resolvconf", EMPTY, NULL, NULL },
	{ "pol-default-no-resolvconf-v4-node", EMPTY, NULL, NULL },
	{ "pol-default-no-resolvconf-v6-node", EMPTY, NULL, NULL },
	{ "pol-default-no-resolvconf-dual-v6v4", EMPTY, NULL, NULL },
	{ "fallback-no-cluster-dns-no-resolvconf", EMPTY, NULL, "missing-cluster-dns" },
	{ "policy-unknown-hostnetwork-still-cluster", "no API server lets this policy through", "",
	  NULL },
	{ "policy-empty-string-at-kubelet", "kubectl prints no empty policy: refused", "", NULL },
	{ "val-search-underscore-strict",
	  "searches are validated as since v1.34, where the relaxed form has no switch",
	  "search ns1.svc.cluster.local svc.cluster.local cluster.local _sip._tcp.a_b.example\n"
	  "nameserver 10.96.0.10\noptions ndots:5\n",
	  NULL },
};

static const struct difference *find_difference(const char *id)
{
	for (size_t i = 0; i < LEN(differences); i++)
		if (strcmp(differences[i].id, id) == 0)
			return &differences[i];
	return NULL;
}

/*** the case, as files and as a pod ***/

static const json_t *get(const json_t *vector, const char *key)
{
	return json_object_get(vector, key);
}

static void write_node(const char *path, const json_t *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(json_string_value(text), 1, json_string_length(text), f),
			 json_string_length(text));
	assert_int_equal(fclose(f), 0);
}

static void write_conflist(const char *path, const json_t *vector, const char *node)
{
	json_t *list = json_pack("{s:s, s:s, s:[{s:s, s:s, s:O, s:O, s:s}]}", "cniVersion", "1.0.0",
				 "name", "net", "plugins", "type", "pod-dns", "guards", "off",
				 "clusterDNS", get(vector, "cluster_dns"), "clusterDomain",
				 get(vector, "cluster_domain"), "resolvConf", node);

	assert_non_null(list);
	assert_int_equal(json_dump_file(list, path, 0), 0);
	json_decref(list);
}

static json_t *make_pod(const json_t *vector)
{
	json_t *pod =
		json_pack("{s:s, s:{s:s, s:O}, s:{s:O, s:O, s:O}}", "kind", "Pod", "metadata",
			  "name", "p", "namespace", get(vector, "namespace"), "spec", "dnsPolicy",
			  get(vector, "dns_policy"), "hostNetwork", get(vector, "host_network"),
			  "dnsConfig", get(vector, "dns_config"));

	assert_non_null(pod);
	return pod;
}

/*** what came out ***/

static void check_list(const struct resolv_list *got, const json_t *want)
{
	assert_int_equal(got->n, json_array_size(want));
	for (size_t i = 0; i < got->n; i++)
		assert_string_equal(got->at[i].text, json_string_value(json_array_get(want, i)));
}

/* kubelet's order of options is random: they are a set. */
static void check_options(const struct resolv_list *got, const json_t *want)
{
	assert_int_equal(got->n, json_array_size(want));
	for (size_t i = 0; i < json_array_size(want); i++)
		assert_non_null(resolv_find(got, json_string_value(json_array_get(want, i))));
}

static bool is_warned(const struct warnings *w, const char *kind)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->at[i].kind, kind) == 0)
			return true;
	return false;
}

static bool is_in(const json_t *list, const char *word)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), word) == 0)
			return true;
	return false;
}

/* Only what kubelet warns of, too. */
static void check_warnings(const struct warnings *w, const json_t *want)
{
	static const char *const kinds[] = { "nameserver-limit", "search-limit",
					     "missing-cluster-dns", "invalid-cluster-dns-ip" };

	for (size_t i = 0; i < LEN(kinds); i++)
		if (is_warned(w, kinds[i]) != is_in(want, kinds[i]))
			fail_msg("a warning %s: %d", kinds[i], is_warned(w, kinds[i]));
}

static void check_difference(const struct difference *d, bool done, const struct pod_dns *p,
			     const struct warnings *w)
{
	json_auto_t *warnings = json_pack("[s*]", d->warning);

	if (d->text && !*d->text) {
		assert_false(done);
		return;
	}
	if (d->text)
		assert_string_equal(p->outcome->text, d->text);
	else
		assert_null(p->outcome->text);
	check_warnings(w, warnings);
}

static void check_lists(const struct resolv *got, const json_t *want)
{
	check_list(&got->nameservers, json_object_get(want, "nameservers"));
	check_list(&got->searches, json_object_get(want, "searches"));
	check_options(&got->options, json_object_get(want, "options"));
}

static void check(const json_t *vector, bool done, const struct pod_dns *p,
		  const struct warnings *w)
{
	const struct difference *ours = find_difference(json_string_value(get(vector, "id")));
	const json_t *want = get(vector, "want");

	if (ours) {
		check_difference(ours, done, p, w);
		return;
	}
	assert_int_equal(done, !json_object_get(want, "error"));
	if (!done)
		return;
	check_lists(&p->kubelet.resolv, want);
	check_lists(&p->outcome->resolv, want);
	check_warnings(w, json_object_get(want, "warnings"));
}

static void computes(void **state)
{
	const json_t *vector = *state, *file = get(vector, "host_resolv_conf");
	char folder[] = "/tmp/pdt-pod-XXXXXX", node[64], conflist[64];
	auto_arena arena = { 0 };
	struct warnings warnings = { .arena = &arena };
	json_auto_t *pod = make_pod(vector);
	struct pod_network network;
	struct pod_dns dns;
	struct err e = { 0 };
	bool done;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(node, sizeof node, "%s/node", folder);
	(void)snprintf(conflist, sizeof conflist, "%s/conflist", folder);
	if (!json_is_true(get(vector, "host_resolv_conf_missing")) && json_is_string(file))
		write_node(node, file);
	write_conflist(conflist, vector, json_is_null(file) ? "" : node);
	assert_true(pod_network_read(&network, conflist, &arena, &e));
	(void)compute_for_pod(&dns, &network, NULL, &warnings, &e);
	assert_string_equal(dns.who, "default/(no name)");
	pod_dns_done(&dns);
	err_clear(&e);
	warnings.n = 0;
	done = compute_for_pod(&dns, &network, pod, &warnings, &e);
	(void)unlink(node);
	(void)unlink(conflist);
	(void)rmdir(folder);
	check(vector, done, &dns, &warnings);
	pod_dns_done(&dns);
	pod_network_done(&network);
}

/* A difference that names no case would hide nothing but its own mistake. */
static void every_difference_is_a_case(const json_t *vectors)
{
	size_t found = 0;

	for (size_t i = 0; i < json_array_size(vectors); i++)
		found += find_difference(
				 json_string_value(get(json_array_get(vectors, i), "id"))) != NULL;
	if (found != LEN(differences))
		abort();
}

int main(void)
{
	json_t *vectors = json_load_file("tests/data/vectors/kubelet.json", JSON_ALLOW_NUL, NULL);
	int failed;

	every_difference_is_a_case(vectors);
	failed = run_vectors("compute for pod", vectors, computes, (struct around){ 0 });
	json_decref(vectors);
	return failed;
}
