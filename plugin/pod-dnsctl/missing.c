/* SPDX-License-Identifier: Apache-2.0 */
/* missing.c: finds pods of our networks that have no record. */
#include "pod-dnsctl/missing.h"
#include "state/record.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { ENTRY_MAX = 4 << 20 };

static const char *string_in(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* cniArgs is a list of pairs. */
static const char *arg_of(const json_t *entry, const char *name)
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

/* From the entry (libcni 1.2 and later), else from the result's first interface in a sandbox. */
static const char *netns_of(const json_t *entry)
{
	const char *netns = string_in(entry, "netns");
	const json_t *interface;
	size_t i;

	if (netns && *netns)
		return netns;
	json_array_foreach (json_object_get(json_object_get(entry, "result"), "interfaces"), i,
			    interface) {
		const char *sandbox = string_in(interface, "sandbox");

		if (sandbox && *sandbox)
			return sandbox;
	}
	return NULL;
}

bool missing_parse(struct missing *m, const char **netns, json_t **doc, const char *text,
		   size_t len, const struct networks *networks, struct arena *a)
{
	const char *name, *namespace;

	*doc = json_loadb(text, len, 0, NULL);
	*m = (struct missing){ .network = string_in(*doc, "networkName"),
			       .container_id = string_in(*doc, "containerId"),
			       .ifname = string_in(*doc, "ifName") };
	if (!m->network || !m->container_id || !m->ifname || !network_named(networks, m->network))
		return false;
	name = arg_of(*doc, "K8S_POD_NAME");
	namespace = arg_of(*doc, "K8S_POD_NAMESPACE");
	m->pod = name && namespace ? arena_print(a, "%s/%s", namespace, name) : m->container_id;
	*netns = netns_of(*doc);
	return true;
}

/* Names with a slash and long names have no record. */
static bool has_attachment(const struct rundir *r, const struct missing *m)
{
	const struct attachment at = { m->network, m->container_id, m->ifname };
	char path[RECORD_PATH];

	if (strchr(m->network, '/') || strchr(m->container_id, '/') || strchr(m->ifname, '/') ||
	    !record_path(path, &at, NULL))
		return true;
	return r->fd >= 0 && faccessat(r->fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void look_at_entry(const struct networks *networks, const struct rundir *r, int dir,
			  const char *name, missing_visitor *visit, void *context)
{
	auto_text text = TEXT_UP_TO(ENTRY_MAX);
	struct arena a = { 0 };
	json_t *doc = NULL;
	const char *netns;
	struct missing m;

	if (file_read(&text, dir, name, false, NULL) && text.at &&
	    missing_parse(&m, &netns, &doc, text.at, text.len, networks, &a) &&
	    !has_attachment(r, &m) && (!netns || access(netns, F_OK) == 0))
		visit(&m, context);
	json_decref(doc);
	arena_done(&a);
}

bool missing_each(const struct networks *networks, const struct rundir *r, const char *folder,
		  missing_visitor *visit, void *context, struct err *e)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	if (!dir && errno == ENOENT)
		return true; /* libcni has attached nothing yet */
	if (!dir)
		return err_errno(e, ERR_IO, "%s", folder);
	while ((entry = readdir(dir)))
		if (*entry->d_name != '.')
			look_at_entry(networks, r, dirfd(dir), entry->d_name, visit, context);
	(void)closedir(dir);
	return true;
}
