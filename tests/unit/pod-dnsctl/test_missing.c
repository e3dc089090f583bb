/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of libcni's cache: whose they are, and what is none. */
#include <string.h>
#include "rows.h"
#include "arena.h"
#include "pod-dnsctl/inventory/missing.c"

static const struct row {
	const char *name, *entry;
	const char *pod, *netns; /* pod NULL: not one of ours */
} rows[] = {
	{ "a pod of Kubernetes",
	  "{'networkName':'lab','containerId':'c','ifName':'eth0','cniArgs':[['K8S_POD_NAME','web']"
	  ","
	  "['K8S_POD_NAMESPACE','shop']],'netns':'/run/netns/a'}",
	  "shop/web", "/run/netns/a" },
	{ "a container, and where the result says it is",
	  "{'networkName':'lab','containerId':'c','ifName':'eth0','result':{'interfaces':"
	  "[{'name':'br0'},{'name':'eth0','sandbox':'/run/netns/b'}]}}",
	  "c", "/run/netns/b" },
	{ "nowhere", "{'networkName':'lab','containerId':'c','ifName':'eth0'}", "c", NULL },
	{ "another network", "{'networkName':'x','containerId':'c','ifName':'eth0'}", NULL, NULL },
	{ "no interface", "{'networkName':'lab','containerId':'c'}", NULL, NULL },
	{ "arguments of other kinds",
	  "{'networkName':'lab','containerId':'c','ifName':'eth0','cniArgs':[1,[],[2],['K8S_POD_"
	  "NAME']]}",
	  "c", NULL },
	{ "no object", "[]", NULL, NULL },
	{ "no JSON", "{", NULL, NULL },
};

static void parses(void **state)
{
	const struct row *row = *state;
	const char *netns = NULL;
	struct known_network lab = { .name = "lab" };
	const struct known_networks known = { .at = &lab, .n = 1 };
	const char *text = rows_json(row->entry);
	auto_arena arena = { 0 };
	struct view v;
	json_t *doc = json_loads(text, 0, NULL);

	assert_int_equal(parse_entry(&v, &netns, doc, &known, &arena), row->pod != NULL);
	if (row->pod)
		assert_string_equal(v.pod, row->pod);
	if (row->netns)
		assert_string_equal(netns, row->netns);
	else
		assert_null(netns);
	json_decref(doc);
}

int main(void)
{
	return RUN_ROWS("missing", rows, parses);
}
