/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_types.c: check: the types that libcni itself wants.
 *
 * libcni decodes each object of a list into struct PluginConf (containernetworking/cni,
 * pkg/types/types.go). If a value there has another type, the runtime refuses the whole network.
 */
#include "json.h"
#include "pod-dnsctl/check/check.h"

#include <stdio.h>
#include <string.h>

/* A JSON value for a message, cut. */
static const char *value_shown(const json_t *v, struct arena *a)
{
	char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT);
	const char *kept = arena_print(a, "%.60s", text ? text : "");

	free(text);
	return kept;
}

static void refuse_type(struct findings *f, const char *path, const char *expected,
			const json_t *got)
{
	findings_add(f, SEVERITY_ERROR, "type", path, NULL,
		     "expected %s, got %s: the runtime would refuse the whole network", expected,
		     value_shown(got, f->arena));
}

static bool is_null(const json_t *v)
{
	return !v || json_is_null(v);
}

static void expect_string(const json_t *v, const char *path, struct findings *f)
{
	if (!is_null(v) && !json_is_string(v))
		refuse_type(f, path, "a string", v);
}

static void check_strings(const json_t *v, const char *path, struct findings *f)
{
	const json_t *item;
	size_t i;

	if (!is_null(v) && !json_is_array(v))
		refuse_type(f, path, "a list", v);
	json_array_foreach (v, i, item)
		expect_string(item, arena_print(f->arena, "%s[%zu]", path, i), f);
}

static bool is_object(const json_t *v, const char *path, struct findings *f)
{
	if (!is_null(v) && !json_is_object(v))
		refuse_type(f, path, "an object", v);
	return json_is_object(v);
}

static void expect_dns(const json_t *dns, const char *path, struct findings *f)
{
	static const char *const lists[] = { "nameservers", "search", "options" };

	if (!is_object(dns, path, f))
		return;
	expect_string(json_object_get(dns, "domain"), arena_print(f->arena, "%s.domain", path), f);
	for (size_t i = 0; i < LEN(lists); i++)
		check_strings(json_object_get(dns, lists[i]),
			      arena_print(f->arena, "%s.%s", path, lists[i]), f);
}

static void check_declared(const json_t *declared, const char *path, struct findings *f)
{
	const json_t *value;
	const char *name;

	if (!is_object(declared, path, f))
		return;
	json_object_foreach ((json_t *)declared, name, value)
		if (!is_null(value) && !json_is_boolean(value))
			refuse_type(f, arena_print(f->arena, "%s.%s", path, name), "true or false",
				    value);
}

/* `place`: how paths of its keys begin; "" for our own object. */
static void check_plugin_types(const json_t *plugin, const char *place, struct findings *f)
{
	const json_t *ipam = json_object_get(plugin, "ipam");
	struct arena *a = f->arena;

	expect_string(json_object_get(plugin, "cniVersion"), arena_print(a, "%scniVersion", place),
		      f);
	expect_string(json_object_get(plugin, "name"), arena_print(a, "%sname", place), f);
	check_declared(json_object_get(plugin, "capabilities"),
		       arena_print(a, "%scapabilities", place), f);
	expect_dns(json_object_get(plugin, "dns"), arena_print(a, "%sdns", place), f);
	if (is_object(ipam, arena_print(a, "%sipam", place), f))
		expect_string(json_object_get(ipam, "type"), arena_print(a, "%sipam.type", place),
			      f);
}

static void check_plugin(const json_t *plugin, size_t i, bool own, struct findings *f)
{
	const char *path = arena_print(f->arena, "plugins[%zu]", i);
	const json_t *type = json_object_get(plugin, "type");

	if (!json_is_object(plugin)) {
		refuse_type(f, path, "an object", plugin);
		return;
	}
	if (!json_string_length(type))
		findings_add(f, SEVERITY_ERROR, "type", arena_print(f->arena, "%s.type", path),
			     NULL, "%s: the runtime would refuse the whole network",
			     type ? "is not the name of a plugin" : "missing");
	check_plugin_types(plugin, own ? "" : arena_print(f->arena, "%s.", path), f);
}

void check_types(const struct conflist *list, struct findings *f)
{
	const json_t *plugins = json_object_get(list->document, "plugins"), *plugin;
	size_t i;

	if (!list->list)
		check_plugin_types(list->document, "", f);
	json_array_foreach (plugins, i, plugin)
		check_plugin(plugin, i, i == list->place, f);
}
