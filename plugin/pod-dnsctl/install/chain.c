/* SPDX-License-Identifier: Apache-2.0 */
/* chain.c: adds pod-dns to the text of a conflist, and removes it. */
#include "pod-dnsctl/install/chain.h"
#include "cni/cni.h"
#include "config/conflist.h"
#include "json.h"

#include <string.h>

static bool is_type(const json_t *plugin, const char *type)
{
	const char *is = json_string_value(json_object_get(plugin, "type"));

	return is && strcmp(is, type) == 0;
}

/* Multus calls another conflist, its delegate: pod-dns belongs into that one. */
static bool refuse_multus(const json_t *plugin, struct err *e)
{
	const char *delegate = json_string_value(json_object_get(plugin, "clusterNetwork"));

	if (!is_type(plugin, "multus") && !is_type(plugin, "multus-shim"))
		return true;
	return err_set(e, ERR_CONFIG,
		       "multus calls another network's plugins: chain pod-dns into %s",
		       delegate ? delegate : "the file of its delegate");
}

/* Two equal keys, and integers of more than 64 bits, would not be printed as they were. */
static json_t *read_network(const char *text, struct err *e)
{
	json_error_t fault;
	json_t *network = json_loads(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &fault);

	if (!network)
		(void)err_set(e, ERR_DECODE, "line %d, column %d: %s", fault.line, fault.column,
			      fault.text);
	else if (!json_is_object(network))
		(void)err_set(e, ERR_CONFIG, "the file is not a JSON object");
	if (json_is_object(network))
		return network;
	json_decref(network);
	return NULL;
}

static bool check_list_version(const json_t *network, struct err *e)
{
	const json_t *version = json_object_get(network, "cniVersion");

	if (!version || (json_is_string(version) && cni_is_supported(json_string_value(version))))
		return true;
	return err_set(e, ERR_CONFIG, "cniVersion: pod-dns does not know this version of CNI");
}

static bool check_plugins(const json_t *plugins, struct err *e)
{
	const json_t *plugin;
	size_t i;

	if (!json_array_size(plugins))
		return err_set(e, ERR_CONFIG, "plugins: expected a list of plugins");
	json_array_foreach (plugins, i, plugin) {
		if (!json_is_object(plugin))
			return err_set(e, ERR_CONFIG, "plugins[%zu]: expected an object", i);
		if (!refuse_multus(plugin, e))
			return false;
	}
	return true;
}

/*** printing ***/

/* Prints lines that are indented by one blank a level, with `step` in the place of each blank. */
static void put_lines(struct text *out, const char *lines, const char *step)
{
	size_t width = strspn(step, " \t");

	for (const char *line = lines; *line;) {
		size_t deep = strspn(line, " "), len = strcspn(line, "\n");

		for (size_t i = 0; i < deep; i++)
			text_put(out, step, width);
		len += line[len] == '\n';
		text_put(out, line + deep, len - deep);
		line += len;
	}
}

/* Numbers are printed with as many digits as they need: 0.1 stays 0.1. */
static char *dump_network(const json_t *network, size_t flags)
{
	auto_mem char *shorter = json_dumps(network, flags | JSON_REAL_PRECISION(15));
	json_auto_t *again = shorter ? json_loads(shorter, JSON_ALLOW_NUL, NULL) : NULL;

	if (json_equal(again, network))
		return json_dumps(network, flags | JSON_REAL_PRECISION(15));
	return json_dumps(network, flags | JSON_REAL_PRECISION(17));
}

/* Prints the network with the indentation of `text`: of its first line that is indented. */
static bool print_network(struct text *out, const json_t *network, const char *text, struct err *e)
{
	const char *line = strchr(text, '\n'), *step = line;
	bool one_line = !line || !line[strspn(line, " \t\r\n")];
	auto_mem char *dumped = dump_network(network, one_line ? 0 : JSON_INDENT(1));

	while (step && !strspn(++step, " \t"))
		step = strchr(step, '\n');
	if (dumped)
		put_lines(out, dumped, step ? step : "");
	if (text_ends_with(text, "\n"))
		text_put(out, "\n", 1);
	return (dumped && text_ok(out)) || err_set(e, ERR_IO, "out of memory");
}

/*** the edits ***/

bool chain_add(struct text *out, const char *text, const json_t *object, struct err *e)
{
	json_auto_t *network = read_network(text, e);
	json_t *plugins = json_object_get(network, "plugins");
	size_t i = 0;

	if (!network || !check_list_version(network, e) || !check_plugins(plugins, e))
		return false;
	while (i < json_array_size(plugins) && !conflist_is_ours(json_array_get(plugins, i)))
		i++;
	if (i == 0)
		return err_set(e, ERR_CONFIG,
			       "plugins[0]: pod-dns needs the result of a plugin before it");
	if (json_equal(json_array_get(plugins, i), object)) {
		text_print(out, "%s", text);
		return text_ok(out) || err_set(e, ERR_IO, "out of memory");
	}
	if (i < json_array_size(plugins) ? json_array_set(plugins, i, (json_t *)object) != 0
					 : json_array_append(plugins, (json_t *)object) != 0)
		return err_set(e, ERR_IO, "out of memory");
	return print_network(out, network, text, e);
}

bool chain_from_plugin(struct text *out, const char *text, const json_t *object, struct err *e)
{
	json_auto_t *plugin = read_network(text, e), *network = NULL;

	if (!plugin || !check_list_version(plugin, e) || !refuse_multus(plugin, e))
		return false;
	if (!json_is_string(json_object_get(plugin, "type")))
		return err_set(e, ERR_CONFIG, "type: expected a plugin's name");
	if (!json_is_string(json_object_get(plugin, "name")))
		return err_set(e, ERR_CONFIG, "name: expected the network's name");
	network = json_pack("{s:O*, s:O, s:[O, O]}", "cniVersion",
			    json_object_get(plugin, "cniVersion"), "name",
			    json_object_get(plugin, "name"), "plugins", plugin, object);
	return (network || err_set(e, ERR_IO, "out of memory")) &&
	       print_network(out, network, text, e);
}

bool chain_remove(struct text *out, const char *text, struct err *e)
{
	json_auto_t *network = read_network(text, e);
	json_t *plugins = json_object_get(network, "plugins");

	if (!network)
		return false;
	for (size_t i = json_array_size(plugins); i-- > 0;)
		if (conflist_is_ours(json_array_get(plugins, i)))
			(void)json_array_remove(plugins, i);
	if (!json_array_size(plugins))
		return err_set(e, ERR_CONFIG, "plugins: it holds only pod-dns");
	return print_network(out, network, text, e);
}

json_t *chain_object(const char *text)
{
	json_auto_t *network = json_loads(text, JSON_ALLOW_NUL, NULL);
	json_t *plugin;
	size_t i;

	json_array_foreach (json_object_get(network, "plugins"), i, plugin)
		if (conflist_is_ours(plugin))
			return json_incref(plugin);
	return NULL;
}

bool chain_is_same(const char *text, const char *other)
{
	json_auto_t *one = json_loads(text, JSON_ALLOW_NUL, NULL);
	json_auto_t *two = json_loads(other, JSON_ALLOW_NUL, NULL);

	return json_equal(one, two);
}
