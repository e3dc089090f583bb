/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of libcni's cache: whose they are, and what is none. */
#include <string.h>
#include "rows.h"
#include "arena.h"
#include "pod-dnsctl/missing.h"

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
	const char *text = rows_json(row->entry), *netns = NULL;
	struct network lab = { .list.name = "lab" };
	const struct networks networks = { .at = &lab, .n = 1 };
	struct arena arena = { 0 };
	struct missing m;
	json_t *doc;

	assert_int_equal(missing_parse(&m, &netns, &doc, text, strlen(text), &networks, &arena),
			 row->pod != NULL);
	if (row->pod)
		assert_string_equal(m.pod, row->pod);
	if (row->netns)
		assert_string_equal(netns, row->netns);
	else
		assert_null(netns);
	json_decref(doc);
	arena_done(&arena);
}

int main(void)
{
	return RUN_ROWS("missing", rows, parses);
}
