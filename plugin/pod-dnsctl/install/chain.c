/* SPDX-License-Identifier: Apache-2.0 */
/* chain.c: adds pod-dns to the text of a conflist, and removes it. */
#include "pod-dnsctl/install/chain.h"
#include "cni/cni.h"
#include "json.h"

#include <string.h>

/* Part of a text. */
struct span {
	const char *from, *to;
};

/*** where things are, in a text that jansson has accepted ***/

static const char *scan_space(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

static const char *scan_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* The end of the value that begins at p. Both kinds of brackets are counted together. */
static const char *scan_value(const char *p)
{
	size_t depth = 0;

	if (*p == '"')
		return scan_string(p);
	if (*p != '{' && *p != '[')
		return p + strcspn(p, ",]} \t\r\n");
	do {
		if (*p == '"') {
			p = scan_string(p);
			continue;
		}
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		p++;
	} while (*p && depth);
	return p;
}

/* The value of the object's member `key`; none if any key is written with escapes. */
static bool scan_member(struct span *out, const char *object, const char *key)
{
	size_t len = strlen(key);
	bool found = false;

	for (const char *p = scan_space(object + 1); *p == '"';) {
		struct span name = { p + 1, scan_string(p) - 1 }, value;

		if (memchr(name.from, '\\', (size_t)(name.to - name.from)))
			return false;
		p = scan_space(name.to + 1);
		value.from = scan_space(p + 1); /* behind the colon */
		value.to = scan_value(value.from);
		if ((size_t)(name.to - name.from) == len && memcmp(name.from, key, len) == 0) {
			*out = value;
			found = true;
		}
		p = scan_space(value.to);
		p = *p == ',' ? scan_space(p + 1) : p;
	}
	return found;
}

/* The next item of an array; `p` is its bracket or the end of the item before. */
static bool scan_item(struct span *item, const char *p)
{
	p = scan_space(p);
	if (*p == '[' || *p == ',')
		p = scan_space(p + 1);
	if (!*p || *p == ']')
		return false;
	*item = (struct span){ p, scan_value(p) };
	return true;
}

/*** what it means ***/

static bool is_type(const json_t *plugin, const char *type)
{
	const char *is = json_string_value(json_object_get(plugin, "type"));

	return is && strcmp(is, type) == 0;
}

bool chain_is_ours(const json_t *plugin)
{
	return is_type(plugin, "pod-dns");
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

static bool check_list_version(const json_t *network, struct err *e)
{
	const json_t *version = json_object_get(network, "cniVersion");

	if (!version || (json_is_string(version) && cni_is_supported(json_string_value(version))))
		return true;
	return err_set(e, ERR_CONFIG, "cniVersion: this is no version of CNI that pod-dns knows");
}

static json_t *read_object(const char *text, struct err *e)
{
	json_t *network = json_read(text, strlen(text), true, e);

	if (!network || json_is_object(network))
		return network;
	json_decref(network);
	(void)err_set(e, ERR_CONFIG, "it is no JSON object");
	return NULL;
}

/* The list's plugins, checked; NULL: see *e. The caller owns *network, which holds them. */
static const json_t *read_plugins(json_t **network, const char *text, struct err *e)
{
	const json_t *plugins, *plugin;
	size_t i;

	if (!(*network = read_object(text, e)) || !check_list_version(*network, e))
		return NULL;
	plugins = json_object_get(*network, "plugins");
	if (!json_array_size(plugins)) {
		(void)err_set(e, ERR_CONFIG, "plugins: expected a list of plugins");
		return NULL;
	}
	json_array_foreach (plugins, i, plugin) {
		if (!json_is_object(plugin)) {
			(void)err_set(e, ERR_CONFIG, "plugins[%zu]: expected an object", i);
			return NULL;
		}
		if (!refuse_multus(plugin, e))
			return NULL;
	}
	return plugins;
}

/* Where the plugins stand in the text. */
static bool find_plugins(struct span *plugins, const char *text, struct err *e)
{
	return scan_member(plugins, scan_space(text), "plugins") ||
	       err_set(e, ERR_CONFIG, "plugins: cannot be found: write all keys without escapes");
}

/*** the edit ***/

/* The white space before p on its line; false: there is more than white space. */
static bool indentation(struct span *out, const char *text, const char *p)
{
	const char *from = p;

	while (from > text && (from[-1] == ' ' || from[-1] == '\t'))
		from--;
	*out = (struct span){ from, p };
	return from > text && from[-1] == '\n';
}

/* One step of indentation: that of the item's members beyond the item's, else two blanks. */
static struct span indentation_step(const struct span *base, const char *text, const char *item)
{
	static const char two[] = "  ";
	size_t len = (size_t)(base->to - base->from);
	struct span inner;

	if (*item == '{' && indentation(&inner, text, scan_space(item + 1)) &&
	    (size_t)(inner.to - inner.from) > len)
		return (struct span){ inner.from + len, inner.to };
	return (struct span){ two, two + 2 };
}

static void put_span(struct text *out, const struct span *s)
{
	text_put(out, s->from, (size_t)(s->to - s->from));
}

/* Prints the object over several lines, each indented by `base` and a step for each level. */
static void put_lines(struct text *out, const json_t *object, const struct span *base,
		      const struct span *step)
{
	auto_mem char *dumped = json_dumps(object, JSON_INDENT(1));

	out->failed |= !dumped;

	for (const char *line = dumped; line && *line;) {
		size_t deep = strspn(line, " "), len = strcspn(line, "\n");

		if (line != dumped) {
			text_put(out, "\n", 1);
			put_span(out, base);
		}
		for (size_t i = 0; i < deep; i++)
			put_span(out, step);
		text_put(out, line + deep, len - deep);
		line += len + (line[len] == '\n');
	}
}

/* Prints the object formatted like `item`, its neighbour or the one it replaces. */
static void put_like(struct text *out, const json_t *object, const char *text, const char *item)
{
	auto_mem char *dumped = NULL;
	struct span base, step;

	if (indentation(&base, text, item)) {
		step = indentation_step(&base, text, item);
		put_lines(out, object, &base, &step);
		return;
	}
	dumped = json_dumps(object, 0);
	out->failed |= !dumped;
	text_print(out, "%s", dumped ? dumped : "");
}

static void put_replaced(struct text *out, const char *text, const struct span *item,
			 const json_t *object)
{
	text_put(out, text, (size_t)(item->from - text));
	put_like(out, object, text, item->from);
	text_print(out, "%s", item->to);
}

/* Prints the object behind the last item, separated as the two items before, or as usual. */
static void put_appended(struct text *out, const char *text, const struct span *last,
			 const json_t *object)
{
	struct span base;

	text_put(out, text, (size_t)(last->to - text));
	if (indentation(&base, text, last->from)) {
		text_print(out, ",\n");
		put_span(out, &base);
	} else {
		text_print(out, ", ");
	}
	put_like(out, object, text, last->from);
	text_print(out, "%s", last->to);
}

static bool check_text(const struct text *out, struct err *e)
{
	return text_ok(out) || err_set(e, ERR_IO, "out of memory");
}

bool chain_add(struct text *out, const char *text, const json_t *object, struct err *e)
{
	json_auto_t *network = NULL;
	const json_t *plugins = read_plugins(&network, text, e), *plugin;
	struct span list = { text, text }, item = list;
	const char *p;
	size_t i;

	if (!plugins || !find_plugins(&list, text, e))
		return false;
	p = list.from;
	json_array_foreach (plugins, i, plugin) {
		if (!scan_item(&item, p))
			return err_set(e, ERR_CONFIG, "plugins[%zu]: cannot be found", i);
		p = item.to;
		if (!chain_is_ours(plugin))
			continue;
		if (i == 0)
			return err_set(
				e, ERR_CONFIG,
				"plugins[0]: pod-dns needs the result of a plugin before it");
		if (json_equal(plugin, object))
			text_print(out, "%s", text);
		else
			put_replaced(out, text, &item, object);
		return check_text(out, e);
	}
	put_appended(out, text, &item, object);
	return check_text(out, e);
}

/* Prints the text, trimmed, with four blanks before each line after the first. */
static void put_deeper(struct text *out, const char *text)
{
	const char *from = scan_space(text), *end = scan_value(from);

	for (const char *p = from; p < end; p++) {
		text_put(out, p, 1);
		if (*p == '\n')
			text_print(out, "    ");
	}
}

bool chain_from_plugin(struct text *out, const char *text, const json_t *object, struct err *e)
{
	static const char deep[] = "    ", two[] = "  ";
	const struct span base = { deep, deep + 4 }, step = { two, two + 2 };
	json_auto_t *plugin = read_object(text, e);
	struct span name, version;
	const char *start = scan_space(text);

	if (!plugin || !check_list_version(plugin, e) || !refuse_multus(plugin, e))
		return false;
	if (!json_is_string(json_object_get(plugin, "type")))
		return err_set(e, ERR_CONFIG, "type: expected a plugin's name");
	if (!scan_member(&name, start, "name"))
		return err_set(e, ERR_CONFIG, "name: is missing, or a key is written with escapes");
	text_print(out, "{\n");
	if (scan_member(&version, start, "cniVersion")) {
		text_print(out, "  \"cniVersion\": ");
		put_span(out, &version);
		text_print(out, ",\n");
	}
	text_print(out, "  \"name\": ");
	put_span(out, &name);
	text_print(out, ",\n  \"plugins\": [\n    ");
	put_deeper(out, text);
	text_print(out, ",\n    ");
	put_lines(out, object, &base, &step);
	text_print(out, "\n  ]\n}\n");
	return check_text(out, e);
}

/* The item with its comma: from the end of the item before it, or up to the next. */
static struct span cut_of(const struct span *before, const struct span *item)
{
	struct span next;

	if (before->to)
		return (struct span){ before->to, item->to };
	if (scan_item(&next, item->to))
		return (struct span){ item->from, next.from };
	return *item;
}

bool chain_remove(struct text *out, const char *text, struct err *e)
{
	json_auto_t *network = read_object(text, e);
	const json_t *plugins = json_object_get(network, "plugins"), *plugin;
	struct span list = { text, text }, before = { 0 }, item = list;
	const char *p, *copied = text;
	size_t i, kept = 0;

	if (!network || !find_plugins(&list, text, e))
		return false;
	p = list.from;
	json_array_foreach (plugins, i, plugin) {
		if (!scan_item(&item, p))
			return err_set(e, ERR_CONFIG, "plugins[%zu]: cannot be found", i);
		p = item.to;
		if (chain_is_ours(plugin)) {
			struct span cut = cut_of(&before, &item);

			text_put(out, copied, (size_t)(cut.from - copied));
			copied = cut.to;
			if (before.to)
				before.to = cut.to; /* the next may be ours, too */
		} else {
			before = item;
			kept++;
		}
	}
	if (!kept)
		return err_set(e, ERR_CONFIG, "plugins: nothing but pod-dns is in it");
	text_print(out, "%s", copied);
	return check_text(out, e);
}

json_t *chain_object(const char *text)
{
	json_auto_t *network = read_object(text, NULL);
	const json_t *plugin;
	size_t i;

	json_array_foreach (json_object_get(network, "plugins"), i, plugin)
		if (chain_is_ours(plugin))
			return json_incref((json_t *)plugin);
	return NULL;
}
