/* SPDX-License-Identifier: Apache-2.0 */
/* check_pods.c: check: computes what pods would get, for the warnings. */
#include "attachment/compute.h"
#include "config/rule.h"
#include "pod-dnsctl/check/check.h"

#include <stdio.h>
#include <string.h>

/* A name that the glob matches; NULL: the glob is too long or too complex for this. */
static const char *name_for(const char *glob, struct arena *a)
{
	char name[256];
	size_t n = 0;

	for (; *glob && n < sizeof(name) - 1; glob++) {
		if (*glob == '*')
			continue;
		if (*glob == '[' || *glob == '\\')
			return NULL;
		name[n++] = *glob == '?' ? 'x' : *glob;
	}
	name[n] = '\0';
	return *glob ? NULL : arena_print(a, "%s", name);
}

static const char *first_name(const json_t *globs, const char *otherwise, struct arena *a)
{
	const char *glob = json_string_value(json_array_get(globs, 0));

	return glob ? name_for(glob, a) : otherwise;
}

/* Whether the finding is there already: one that all rules have is reported once. */
static bool is_said(const struct findings *f, const struct warning *w)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->at[i].file, f->file) == 0 && strcmp(f->at[i].kind, w->kind) == 0 &&
		    strcmp(f->at[i].text, w->text) == 0)
			return true;
	return false;
}

static void tell_new(struct findings *f, const struct warnings *all, const char *path)
{
	struct warning kept[WARNINGS_MAX];
	struct warnings fresh = { .at = kept };

	for (size_t i = 0; i < all->n; i++)
		if (!is_said(f, &all->at[i]) && strcmp(all->at[i].kind, "unpaired") != 0)
			fresh.at[fresh.n++] = all->at[i];
	for (size_t i = 0; i < fresh.n; i++) {
		struct warnings one = { .at = &fresh.at[i], .n = 1 };
		bool missing = strcmp(fresh.at[i].kind, "missing-cluster-dns") == 0;

		findings_add_warnings(f, &one, missing ? "clusterDNS" : path);
	}
}

/* For a pod that requests nothing on a node with a server and no search. */
static void check_pod(const struct network_conf *network, const struct pod *pod, const char *path,
		      struct findings *f)
{
	static struct computed computed; /* large, as is the input */
	static struct compute_input in;
	static struct node_resolv node_resolv;
	struct warnings w = { .arena = f->arena };
	struct err e = { 0 };

	node_resolv = (struct node_resolv){ .is_read = true };
	resolv_add(&node_resolv.lists.nameservers, resolv_word("192.0.2.53", FROM_NODE), f->arena);
	in = (struct compute_input){
		.network = network,
		.pod = *pod,
		.mode = compute_mode(network, pod),
		.request = { .policy = POLICY_UNSET },
		.node_resolv = &node_resolv,
	};
	if (!compute_is_needed(&in))
		return;
	if (!compute(&computed, &in, &w, &e))
		findings_add_err(f, "policy", &e);
	tell_new(f, &w, path);
}

void check_pods(const struct network_conf *network, struct findings *f)
{
	const struct rules *rules = &network->conf.rules;
	struct pod pod = { .name = "", .namespace = "default", .uid = "" };
	char path[48];

	check_pod(network, &pod, "dnsConfig", f);
	for (size_t i = 0; i < rules->n; i++) {
		pod.namespace = first_name(rules->at[i].namespaces, "default", f->arena);
		pod.name = first_name(rules->at[i].pods, "", f->arena);
		pod.host_network = rules->at[i].host_network;
		if (!pod.namespace || !pod.name || rule_of(rules, &pod) != &rules->at[i])
			continue;
		(void)snprintf(path, sizeof(path), "rules[%zu].dnsConfig", i);
		check_pod(network, &pod, path, f);
	}
}
