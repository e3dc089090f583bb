/* SPDX-License-Identifier: Apache-2.0 */
/* check_chain.c: check: the plugin's place in the chain, CNI version, capabilities. */
#include "cni/cni.h"
#include "config/request.h"
#include "json.h"
#include "pod-dnsctl/check/check.h"
#include "pod-dnsctl/check/runtime_version.h"

#include <stdio.h>
#include <string.h>

/* Plugins that make a result of their own and ignore the one before. */
static bool makes_own_result(const char *type)
{
	static const char *const types[] = { "bridge", "ptp",	   "macvlan",	  "ipvlan", "vlan",
					     "dummy",  "loopback", "host-device", "tap" };

	for (size_t i = 0; i < LEN(types); i++)
		if (strcmp(types[i], type) == 0)
			return true;
	return false;
}

static void check_neighbours(const struct conflist *list, struct findings *f)
{
	const json_t *plugins = json_object_get(list->document, "plugins"), *plugin;
	char path[32];
	size_t i;

	if (!list->list || list->place == 0)
		findings_add(f, SEVERITY_ERROR, "chain", list->list ? "plugins[0]" : "", NULL,
			     "pod-dns is not chained: it needs the result of a plugin before it");
	json_array_foreach (plugins, i, plugin) {
		const char *type = json_string_value(json_object_get(plugin, "type"));

		if (i <= list->place || !type)
			continue;
		(void)snprintf(path, sizeof(path), "plugins[%zu]", i);
		if (strcmp(type, "pod-dns") == 0)
			findings_add(f, SEVERITY_ERROR, "chain", path, NULL,
				     "pod-dns appears twice in plugins: remove one");
		else if (makes_own_result(type))
			findings_add(f, SEVERITY_WARNING, "dns-dropped", path, NULL,
				     "%s makes a result of its own: the dns that pod-dns puts into "
				     "it is dropped; pod-dns must be the last",
				     type);
	}
}

/* libcni does not load a list with this name, and the plugin refuses its calls. */
static void check_name(const struct conflist *list, struct findings *f)
{
	if (!cni_is_id(list->name))
		findings_add(f, SEVERITY_ERROR, "conflist", "name", NULL,
			     "\"%s\" is not a network's name: letters, digits, and after the first "
			     "of them . _ and -",
			     list->name);
}

/* The version must be known to pod-dns and to the runtime. */
static void check_cni_version(const struct conflist *list, struct findings *f)
{
	const json_t *written = json_object_get(list->document, "cniVersion");
	const char *version = json_string_value(written);
	struct runtime_version runtime;

	if (!version) {
		findings_add(f, SEVERITY_ERROR, "cni-version", "cniVersion", "1.0.0",
			     written && !json_is_null(written)
				     ? "is not a string"
				     : "missing: it would be 0.1.0, without CHECK, GC and STATUS");
		return;
	}
	if (!cni_is_supported(version)) {
		findings_add(f, SEVERITY_ERROR, "cni-version", "cniVersion", "1.0.0",
			     "\"%s\" is not a version that pod-dns knows", version);
		return;
	}
	if (runtime_version_find(&runtime) && cni_compare(version, runtime.cni) > 0)
		findings_add(f, SEVERITY_WARNING, "cni-version", "cniVersion", runtime.cni,
			     "\"%s\" is newer than %s %s on this machine knows (%s)", version,
			     runtime.name, runtime.version, runtime.cni);
}

/*** capabilities ***/

static const char *const capabilities[] = { "dns", REQUEST_ANNOTATIONS, "dnsPolicy", "dnsConfig" };

static const char *capability_hint(const char *name)
{
	for (size_t i = 0; i < LEN(capabilities); i++)
		if (strcasestr(capabilities[i], name))
			return capabilities[i];
	return NULL;
}

static bool is_capability(const char *name)
{
	for (size_t i = 0; i < LEN(capabilities); i++)
		if (strcmp(capabilities[i], name) == 0)
			return true;
	return false;
}

static void check_capabilities(const struct conflist *list, struct findings *f)
{
	const json_t *declared = json_object_get(list->network, "capabilities"), *value;
	const char *name;

	if (declared && !json_is_null(declared) && !json_is_object(declared))
		return; /* check_types() reports it */
	json_object_foreach ((json_t *)declared, name, value)
		if (!is_capability(name))
			findings_add(f, SEVERITY_WARNING, "capability", "capabilities",
				     capability_hint(name), "\"%s\" is nothing that pod-dns reads",
				     name);
	if (json_array_size(json_object_get(list->network, "clusterDNS")) &&
	    !json_is_true(json_object_get(declared, "dns")))
		findings_add(f, SEVERITY_WARNING, "capability", "capabilities", "dns",
			     "without \"dns\" containerd does not say what kubelet decided: on "
			     "containerd 2.x each pod is decided late");
	if (json_array_size(json_object_get(list->network, "podMay")) &&
	    !json_is_true(json_object_get(declared, REQUEST_ANNOTATIONS)))
		findings_add(f, SEVERITY_WARNING, "capability", "capabilities", REQUEST_ANNOTATIONS,
			     "podMay lets pods ask, and without \"%s\" no annotation is seen",
			     REQUEST_ANNOTATIONS);
}

void check_chain(const struct conflist *list, struct findings *f)
{
	check_name(list, f);
	check_cni_version(list, f);
	check_neighbours(list, f);
	check_capabilities(list, f);
}
