/* today.c: the configurations that a network's next ADD would use. */
#include "pod-dnsctl/today.h"
#include "pod-dnsctl/conflist.h"
#include "config/conf.h"
#include "config/conf_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What libcni reads. */
static bool is_conf(const char *name)
{
	static const char *const suffixes[] = { ".conf", ".conflist", ".json" };
	const char *suffix = strrchr(name, '.');

	for (size_t i = 0; suffix && i < LEN(suffixes); i++)
		if (strcmp(suffix, suffixes[i]) == 0)
			return true;
	return false;
}

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
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	t->n = 0;
	while (dir && (entry = readdir(dir)))
		if (is_conf(entry->d_name))
			read_one(t, arena_print(a, "%s/%s", folder, entry->d_name), a);
	if (dir)
		(void)closedir(dir);
}

bool today_is_stale(const struct today *t, const char *network, const char *hash)
{
	for (size_t i = 0; hash && i < t->n; i++)
		if (strcmp(t->at[i].name, network) == 0)
			return *t->at[i].hash && strcmp(t->at[i].hash, hash) != 0;
	return false;
}
