/* SPDX-License-Identifier: Apache-2.0 */
/* missing.c: the networks that pod-dns knows, and their pods without a record. */
#include "pod-dnsctl/inventory/missing.h"
#include "file.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { ENTRY_MAX = 4 << 20 };

/*** networks ***/

struct known_network *known_network_named(const struct known_networks *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->at[i].name, name) == 0)
			return &all->at[i];
	return NULL;
}

static void add_known(struct known_networks *all, const char *name, bool chained)
{
	if (all->at && all->n < NETWORKS_MAX && name && *name && !known_network_named(all, name))
		all->at[all->n++] = (struct known_network){ .name = name, .chained = chained };
}

/* The networks of files that are kept for `uninstall`: FILE.pod-dns-saved. */
static void add_saved(struct known_networks *all, const char *folder, struct arena *a)
{
	static const char saved[] = ".pod-dns-saved";
	DIR *dir = folder ? opendir(folder) : NULL;
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);
		auto_text text = TEXT_UP_TO(ENTRY_MAX);
		json_auto_t *document = NULL;

		if (len < sizeof(saved) || strcmp(entry->d_name + len - strlen(saved), saved) != 0)
			continue;
		if (file_read(&text, dirfd(dir), entry->d_name, false, NULL) && text.at)
			document = json_loadb(text.at, text.len, 0, NULL);
		if (json_is_string(json_object_get(document, "name")))
			add_known(all,
				  arena_print(a, "%s",
					      json_string_value(json_object_get(document, "name"))),
				  false);
	}
	if (dir)
		(void)closedir(dir);
}

struct known_networks known_networks_find(const struct networks *networks, const struct rundir *r,
					  struct arena *a)
{
	struct known_networks all = { .at = arena_alloc(a, NETWORKS_MAX * sizeof(*all.at)) };
	struct rundir_list folders = { 0 };

	for (size_t i = 0; i < networks->n; i++)
		add_known(&all, networks->at[i].list.name, true);
	if (r->fd >= 0)
		(void)rundir_list(&folders, r, ".", a);
	for (size_t i = 0; i < folders.n; i++)
		if (*folders.at[i] != '.')
			add_known(&all, folders.at[i], false);
	add_saved(&all, networks->folder, a);
	return all;
}

/*** libcni's cache ***/

/* Parses a cache entry. False: it is not one, or of a network that is not known. Strings lie in
 * the document and in the arena. *netns is NULL if the entry does not name it. */
static bool parse_entry(struct view *v, const char **netns, const json_t *doc,
			const struct known_networks *known, struct arena *a)
{
	struct attachment *at = &v->record.at;
	const char *name, *namespace;

	*v = (struct view){ .state = "missing", .steer = "?" };
	at->network = json_string_value(json_object_get(doc, "networkName"));
	at->container_id = json_string_value(json_object_get(doc, "containerId"));
	at->ifname = json_string_value(json_object_get(doc, "ifName"));
	if (!at->network || !at->container_id || !at->ifname ||
	    !known_network_named(known, at->network))
		return false;
	name = libcni_cache_arg(doc, "K8S_POD_NAME");
	namespace = libcni_cache_arg(doc, "K8S_POD_NAMESPACE");
	v->pod = name && namespace ? arena_print(a, "%s/%s", namespace, name) : at->container_id;
	*netns = libcni_cache_netns(doc);
	return true;
}

/* An adoption that was killed has left half of a record. */
static bool is_half(const struct rundir *r, const char *path)
{
	auto_record record = RECORD_BLANK;

	return record_read(&record, r, path) == RECORD_KNOWN && record.adopting;
}

/* Names with a slash, and long names, never get a record. */
static bool entry_has_record(const struct rundir *r, const struct attachment *at)
{
	char path[RECORD_PATH];

	if (strchr(at->network, '/') || strchr(at->container_id, '/') || strchr(at->ifname, '/') ||
	    !record_path(path, at, NULL))
		return true;
	return r->fd >= 0 && faccessat(r->fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
	       !is_half(r, path);
}

static void read_entry(int folder, const char *name, const struct rundir *r,
		       const struct known_networks *known, missing_reader *read, void *context)
{
	json_auto_t *doc = libcni_cache_open(folder, name);
	auto_arena a = { 0 };
	const char *netns;
	struct view v;

	if (!parse_entry(&v, &netns, doc, known, &a) || entry_has_record(r, &v.record.at))
		return;
	if (netns && access(netns, F_OK) < 0)
		v.state = "gone";
	if (known->with_gone || strcmp(v.state, "gone") != 0)
		read(&v, context);
}

bool missing_each(const char *folder, const struct rundir *r, const struct known_networks *known,
		  missing_reader *read, void *context, struct err *e)
{
	const struct dirent *entry;
	DIR *dir;

	folder = folder ? folder : LIBCNI_CACHE;
	dir = opendir(folder);
	if (!dir) /* libcni may have attached nothing yet */
		return errno == ENOENT || err_errno(e, ERR_IO, "%s", folder);
	while ((entry = readdir(dir)))
		if (*entry->d_name != '.')
			read_entry(dirfd(dir), entry->d_name, r, known, read, context);
	(void)closedir(dir);
	return true;
}
