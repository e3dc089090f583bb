/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of libcni's cache as runtimes have left them: what a call is made of again. */
#include <fcntl.h>
#include <string.h>
#include "rows.h"
#include "pod-dnsctl/inventory/libcni_cache.h"

#define FOLDER "tests/data/libcni/"

static const struct row {
	const char *name;	  /* the runtime, and the file in FOLDER */
	const char *netns;	  /* how its path begins */
	const char *arg;	  /* part of CNI_ARGS */
	const char *capabilities; /* of the plugin; what runtimeConfig then has: */
	const char *servers;	  /* NULL: it has no dns */
} rows[] = {
	{ "containerd-1.6.20.json", "/var/run/netns/cni-", "IgnoreUnknown=1",
	  "{'capabilities':{'dns':true}}", "[\"10.96.0.10\"]" },
	{ "containerd-2.1.4.json", "/var/run/netns/cni-", "K8S_POD_NAMESPACE=shop",
	  "{'capabilities':{'dns':true}}", "null" },
	{ "containerd-2.1.4.json", "/var/run/netns/cni-",
	  "K8S_POD_INFRA_CONTAINER_ID=", "{'capabilities':{'dns':false}}", NULL },
};

static void reads(void **state)
{
	const struct row *row = *state;
	json_auto_t *object = json_loads(rows_json(row->capabilities), 0, NULL);
	auto_arena arena = { 0 };
	json_auto_t *entry =
		libcni_cache_open(AT_FDCWD, arena_print(&arena, FOLDER "%s", row->name));
	json_auto_t *network = libcni_cache_network(entry, object);
	const json_t *dns = json_object_get(json_object_get(network, "runtimeConfig"), "dns");
	char *servers;

	assert_non_null(entry);
	assert_string_equal(libcni_cache_arg(entry, "K8S_POD_NAMESPACE"), "shop");
	assert_non_null(strstr(libcni_cache_args(entry, &arena), row->arg));
	assert_memory_equal(libcni_cache_netns(entry), row->netns, strlen(row->netns));
	if (!row->servers) {
		assert_null(dns);
		return;
	}
	servers = json_dumps(json_object_get(dns, "Servers"), JSON_COMPACT | JSON_ENCODE_ANY);
	assert_string_equal(servers, row->servers);
	free(servers);
}

int main(void)
{
	return RUN_ROWS("libcni_cache", rows, reads);
}
