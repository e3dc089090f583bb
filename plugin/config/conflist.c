/* SPDX-License-Identifier: Apache-2.0 */
/* conflist.c: reads a conflist and finds the plugin's object in it. */
#include "config/conflist.h"
#include "file.h"
#include "hint.h"
#include "config/netdir.h"
#include "json.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { DOCUMENT_MAX = 64 << 20 }; /* bytes */

static const char *shown(const char *path)
{
	return strcmp(path, "-") == 0 ? "stdin" : path;
}

const char *conflist_first(const char *folder, struct arena *a, struct err *e)
{
	char name[NAME_MAX + 1];

	if (!netdir_first(name, folder, e))
		return NULL;
	if (*name)
		return arena_print(a, "%s/%s", folder, name);
	(void)err_set(e, ERR_IO, "%s: the folder contains no network", folder);
	return NULL;
}

const char *own_conflist(struct arena *a, struct err *e)
{
	struct netdir node;

	netdir_find(&node, a);
	return conflist_first(node.conf, a, e);
}

bool conflist_is_ours(const json_t *plugin)
{
	const char *type = json_string_value(json_object_get(plugin, "type"));

	return type && strcmp(type, "pod-dns") == 0;
}

/* The end of the text before the fault, without white space. */
static char before(const char *text, int position)
{
	while (position > 0 && strchr(" \t\r\n", text[position - 1]))
		position--;
	return position > 0 ? text[position - 1] : '\0';
}

/* The mistake that was most likely made; NULL: unknown. */
static const char *likely_fault(const char *text, size_t len, const char *jansson)
{
	const char *at = text + strspn(text, " \t\r\n");
	size_t word = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	json_error_t fault;

	if (!*at)
		return "the file is empty";
	if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
		return "the file begins with a byte order mark: sed -i '1s/^\\xEF\\xBB\\xBF//' "
		       "removes it";
	if (word && (at[word] == ':' || strncmp(at, "---", 3) == 0))
		return "this looks like YAML; a conflist is JSON";
	json_decref(json_loadb(text, len, 0, &fault));
	if (strstr(jansson, "near '/'") || strstr(jansson, "near '#'"))
		return "JSON has no comments";
	if (fault.position > 0 && (size_t)fault.position <= len &&
	    strchr("}]", text[fault.position - 1]) && before(text, fault.position - 1) == ',')
		return "there is a comma before the closing bracket";
	return NULL;
}

json_t *conflist_load(const char *path, struct err *e)
{
	auto_text text = TEXT_UP_TO(DOCUMENT_MAX);
	const char *why, *place;
	auto_arena a = { 0 };
	json_t *document;

	if (strcmp(path, "-") == 0 ? !file_read_fd(&text, STDIN_FILENO, "stdin", e)
				   : !file_read(&text, AT_FDCWD, path, true, e))
		return NULL;
	document = json_read(text.at ? text.at : "", text.len, false, e);
	if (document)
		return document;
	why = likely_fault(text.at ? text.at : "", text.len, e ? e->text : "");
	if (why && e) {
		place = arena_print(&a, "%.*s", (int)strcspn(e->text, ":"), e->text);
		err_clear(e);
		(void)err_set(e, ERR_DECODE, "%s: %s", place, why);
	}
	(void)err_in(e, "%s: ", shown(path));
	return NULL;
}

static const json_t *find_ours(struct conflist *c)
{
	const json_t *plugins = json_object_get(c->document, "plugins");
	const json_t *plugin;

	c->list = json_is_array(plugins);
	if (!c->list)
		return conflist_is_ours(c->document) ? c->document : NULL;
	json_array_foreach (plugins, c->place, plugin)
		if (conflist_is_ours(plugin))
			return plugin;
	return NULL;
}

/* The plugin's object gets the list's name and version, as in libcni. */
static bool make_network(struct conflist *c, const json_t *ours)
{
	json_t *version = json_object_get(c->document, "cniVersion");

	c->network = json_deep_copy(ours);
	if (!c->network || json_object_set_new(c->network, "name", json_string(c->name)) != 0)
		return false;
	return !version || json_object_set(c->network, "cniVersion", version) == 0;
}

static bool fault_no_plugin(const struct conflist *c, struct err *e)
{
	const json_t *plugin;
	size_t i;

	json_array_foreach (json_object_get(c->document, "plugins"), i, plugin) {
		const char *type = json_string_value(json_object_get(plugin, "type"));
		struct hint hint = HINT(type ? type : "");

		hint_try(&hint, "pod-dns");
		if (hint.best)
			return err_set(e, ERR_CONFIG,
				       "%s: no plugin of type \"pod-dns\" (plugins[%zu] is "
				       "\"%s\")",
				       c->path, i, type);
	}
	return err_set(e, ERR_CONFIG, "%s: no plugin of type \"pod-dns\"", c->path);
}

bool conflist_read(struct conflist *c, const char *path, struct err *e)
{
	const json_t *name, *ours;

	*c = (struct conflist){ .path = shown(path) };
	c->document = conflist_load(path, e);
	if (!c->document)
		return false;
	if (!json_is_object(c->document))
		return err_set(e, ERR_CONFIG, "%s: not an object", c->path);
	name = json_object_get(c->document, "name");
	if (!json_is_plain_string(name) || !json_string_length(name))
		return err_set(e, ERR_CONFIG, "%s: %s", c->path,
			       conflist_is_ours(c->document)
				       ? "this is the object of one plugin, not a conflist with "
					 "\"plugins\""
				       : "name: missing: the network has no name");
	c->name = json_string_value(name);
	ours = find_ours(c);
	if (!ours)
		return fault_no_plugin(c, e);
	return make_network(c, ours) || err_set(e, ERR_IO, "%s: out of memory", c->path);
}

void conflist_done(struct conflist *c)
{
	json_decref(c->network);
	json_decref(c->document);
	*c = (struct conflist){ 0 };
}
