/* SPDX-License-Identifier: Apache-2.0 */
/* today.c: the configurations that the next ADDs would use. */
#include "pod-dnsctl/today.h"
#include "pod-dnsctl/conflist.h"
#include "pod-dnsctl/netdir.h"
#include "config/conf.h"
#include "config/conf_file.h"

#include <dirent.h>
#include <string.h>

static bool hash_network(uint64_t *hash, const json_t *network, struct arena *a)
{
	struct warnings warnings = { .arena = a };
	struct network_conf conf = { .file = NULL };
	struct err e = { 0 };
	bool known = conf_file_read(&conf, network, &warnings, &e);

	if (known)
		*hash = conf_hash(conf.own);
	conf_file_done(&conf);
	return known;
}

static void add_network_hash(struct today *t, const char *path, struct arena *a)
{
	auto_conflist list = { .path = path };

	if (t->n == TODAY_NETWORKS || !conflist_read(&list, path, NULL) || !list.name)
		return;
	t->at[t->n].name = arena_print(a, "%s", list.name);
	t->at[t->n].known = hash_network(&t->at[t->n].hash, list.network, a);
	t->n++;
}

void today_read(struct today *t, const char *folder, struct arena *a)
{
	const struct dirent *entry;
	struct netdir node;
	DIR *dir;

	t->n = 0;
	if (!folder) {
		netdir_find(&node, a);
		folder = node.conf;
	}
	dir = opendir(folder);
	while (dir && (entry = readdir(dir)))
		if (netdir_is_network(entry->d_name))
			add_network_hash(t, arena_print(a, "%s/%s", folder, entry->d_name), a);
	if (dir)
		(void)closedir(dir);
}

bool today_has(const struct today *t, const char *network)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->at[i].name, network) == 0)
			return true;
	return false;
}

bool today_is_stale(const struct today *t, const char *network, uint64_t hash)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->at[i].name, network) == 0)
			return t->at[i].known && t->at[i].hash != hash;
	return false;
}
