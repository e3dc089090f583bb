/* SPDX-License-Identifier: Apache-2.0 */
/* apply_networks.c: reads the networks of today that have pod-dns, with their files. */
#include "pod-dnsctl/apply_networks.h"
#include "pod-dnsctl/netdir.h"
#include "pod-dnsctl/today.h"

#include <dirent.h>
#include <string.h>

static void read_network(struct apply_network *n, struct arena *a)
{
	struct warnings warnings = { .arena = a };
	struct err e = { 0 };

	n->fails = !conf_file_read(&n->network, n->list.network, &warnings, &e);
	if (n->fails)
		n->why = arena_print(a, "ADD would fail: %s: %s", n->list.path, e.text);
	else if (n->network.unusable)
		n->why = warnings.n ? warnings.at[0].text : "its configFile cannot be used";
}

static void add_network(struct apply_networks *all, const char *path, struct arena *a)
{
	struct apply_network *n = &all->at[all->n];

	*n = (struct apply_network){ 0 };
	if (conflist_read(&n->list, path, NULL) && n->list.name &&
	    !apply_network_named(all, n->list.name)) {
		read_network(n, a);
		all->n++;
	} else {
		conflist_done(&n->list);
	}
}

bool apply_networks_read(struct apply_networks *all, const char *folder, struct arena *a,
			 struct err *e)
{
	struct dirent **names = NULL;
	int n = scandir(folder, &names, NULL, alphasort);

	*all = (struct apply_networks){ .folder = folder };
	if (n < 0)
		return err_errno(e, ERR_IO, "%s", folder);
	all->at = calloc(TODAY_NETWORKS, sizeof(*all->at));
	for (int i = 0; i < n; i++) {
		if (all->at && all->n < TODAY_NETWORKS && netdir_is_network(names[i]->d_name))
			add_network(all, arena_print(a, "%s/%s", folder, names[i]->d_name), a);
		free(names[i]);
	}
	free(names);
	return all->at || err_set(e, ERR_IO, "out of memory");
}

void apply_networks_done(struct apply_networks *all)
{
	for (size_t i = 0; i < all->n; i++) {
		nodefile_done(&all->at[i].node);
		conf_file_done(&all->at[i].network);
		conflist_done(&all->at[i].list);
	}
	free(all->at);
	*all = (struct apply_networks){ 0 };
}

struct apply_network *apply_network_named(const struct apply_networks *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->at[i].list.name, name) == 0)
			return &all->at[i];
	return NULL;
}
