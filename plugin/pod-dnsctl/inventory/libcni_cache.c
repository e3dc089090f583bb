/* SPDX-License-Identifier: Apache-2.0 */
/* libcni_cache.c: what libcni keeps of each attachment. */
#include "pod-dnsctl/inventory/libcni_cache.h"
#include "file.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { ENTRY_MAX = 4 << 20, ARGS_TEXT_MAX = 1 << 20 };

json_t *libcni_cache_open(int folder, const char *name)
{
	auto_text text = TEXT_UP_TO(ENTRY_MAX);

	if (!file_read(&text, folder, name, false, NULL) || !text.at)
		return NULL;
	return json_loadb(text.at, text.len, 0, NULL);
}

/* The file is called NETWORK-CONTAINER-INTERFACE; our names hold no slash. */
json_t *libcni_cache_read(const char *folder, const struct attachment *at, struct arena *a)
{
	const char *path =
		arena_print(a, "%s/%s-%s-%s", folder, at->network, at->container_id, at->ifname);

	return libcni_cache_open(AT_FDCWD, path);
}

/*** CNI_ARGS: a list of pairs ***/

const char *libcni_cache_arg(const json_t *entry, const char *name)
{
	const json_t *pair;
	size_t i;

	json_array_foreach (json_object_get(entry, "cniArgs"), i, pair) {
		const char *key = json_string_value(json_array_get(pair, 0));

		if (key && strcmp(key, name) == 0)
			return json_string_value(json_array_get(pair, 1));
	}
	return NULL;
}

const char *libcni_cache_args(const json_t *entry, struct arena *a)
{
	auto_text text = TEXT_UP_TO(ARGS_TEXT_MAX);
	const json_t *pair;
	size_t i;

	text_put(&text, "", 0);
	json_array_foreach (json_object_get(entry, "cniArgs"), i, pair) {
		const char *key = json_string_value(json_array_get(pair, 0));
		const char *value = json_string_value(json_array_get(pair, 1));

		if (key && value)
			text_print(&text, "%s%s=%s", text.len ? ";" : "", key, value);
	}
	return text_ok(&text) ? arena_print(a, "%s", text.at) : NULL;
}

/*** the rest ***/

/* From the entry (libcni 1.2 and later), else from the result's first interface in a sandbox. */
const char *libcni_cache_netns(const json_t *entry)
{
	const char *netns = json_string_value(json_object_get(entry, "netns"));
	const json_t *interface;
	size_t i;

	if (netns && *netns)
		return netns;
	json_array_foreach (json_object_get(json_object_get(entry, "result"), "interfaces"), i,
			    interface) {
		const char *sandbox = json_string_value(json_object_get(interface, "sandbox"));

		if (sandbox && *sandbox)
			return sandbox;
	}
	return NULL;
}

/* Does what libcni's injectRuntimeConfig does: the plugin gets what its capabilities name. */
json_t *libcni_cache_network(const json_t *entry, const json_t *object)
{
	const json_t *given = json_object_get(entry, "capabilityArgs");
	json_t *network = json_copy((json_t *)object);
	json_auto_t *config = json_object();
	const json_t *declared;
	const char *name;

	json_object_foreach ((json_t *)json_object_get(object, "capabilities"), name, declared) {
		json_t *value = json_object_get(given, name);

		if (json_is_true(declared) && value)
			(void)json_object_set(config, name, value);
	}
	if (json_object_size(config))
		(void)json_object_set(network, "runtimeConfig", config);
	return network;
}
