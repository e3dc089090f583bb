/* SPDX-License-Identifier: Apache-2.0 */
/* conflist.c: reads a conflist and finds the plugin's object in it. */
#include "pod-dnsctl/inventory/conflist.h"
#include "pod-dnsctl/install/chain.h"
#include "file.h"
#include "json.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { DOCUMENT_MAX = 64 << 20 }; /* bytes */

static const char *shown(const char *path)
{
	return strcmp(path, "-") == 0 ? "stdin" : path;
}

json_t *conflist_load(const char *path, struct err *e)
{
	auto_text text = TEXT_UP_TO(DOCUMENT_MAX);
	json_t *document;

	if (strcmp(path, "-") == 0 ? !file_read_fd(&text, STDIN_FILENO, "stdin", e)
				   : !file_read(&text, AT_FDCWD, path, true, e))
		return NULL;
	document = json_read(text.at ? text.at : "", text.len, false, e);
	if (!document)
		(void)err_in(e, "%s: ", shown(path));
	return document;
}

static const json_t *find_ours(struct conflist *c)
{
	const json_t *plugins = json_object_get(c->document, "plugins");
	const json_t *plugin;

	c->list = json_is_array(plugins);
	if (!c->list)
		return chain_is_ours(c->document) ? c->document : NULL;
	json_array_foreach (plugins, c->place, plugin)
		if (chain_is_ours(plugin))
			return plugin;
	return NULL;
}

/* As libcni does: the plugin's object gets the list's name and version. */
static bool make_network(struct conflist *c, const json_t *ours)
{
	json_t *version = json_object_get(c->document, "cniVersion");

	c->network = json_deep_copy(ours);
	if (!c->network || json_object_set_new(c->network, "name", json_string(c->name)) != 0)
		return false;
	return !version || json_object_set(c->network, "cniVersion", version) == 0;
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
		return err_set(e, ERR_CONFIG, "%s: name: the network has none", c->path);
	c->name = json_string_value(name);
	ours = find_ours(c);
	if (!ours)
		return err_set(e, ERR_CONFIG, "%s: no plugin of type \"pod-dns\"", c->path);
	return make_network(c, ours) || err_set(e, ERR_IO, "%s: out of memory", c->path);
}

void conflist_done(struct conflist *c)
{
	json_decref(c->network);
	json_decref(c->document);
	*c = (struct conflist){ 0 };
}
