/* today.c: the configurations that a network's next ADD would use. */
#include "pod-dnsctl/today.h"
#include "pod-dnsctl/conflist.h"
#include "pod-dnsctl/netdir.h"
#include "config/conf.h"
#include "config/conf_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void hash_network(char out[static 17], const json_t *network, struct arena *a)
{
	struct warnings warnings = { .arena = a };
	struct network_conf conf = { .file = NULL };
	struct err e = { 0 };

	out[0] = '\0';
	if (conf_file_read(&conf, network, &warnings, &e))
		(void)snprintf(out, 17, "%016" PRIx64, conf_hash(conf.own));
	conf_file_done(&conf);
}

static void read_one(struct today *t, const char *path, struct arena *a)
{
	auto_conflist list = { .path = path };
	struct err ignored = { 0 };

	if (t->n == TODAY_NETWORKS || !conflist_read(&list, path, &ignored) || !list.name)
		return;
	t->at[t->n].name = arena_print(a, "%s", list.name);
	hash_network(t->at[t->n].hash, list.network, a);
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
			read_one(t, arena_print(a, "%s/%s", folder, entry->d_name), a);
	if (dir)
		(void)closedir(dir);
}

static const char *hash_of(const struct today *t, const char *network)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->at[i].name, network) == 0)
			return t->at[i].hash;
	return NULL;
}

bool today_has(const struct today *t, const char *network)
{
	return hash_of(t, network) != NULL;
}

bool today_is_stale(const struct today *t, const char *network, const char *hash)
{
	const char *now = hash_of(t, network);

	return hash && now && *now && strcmp(now, hash) != 0;
}
