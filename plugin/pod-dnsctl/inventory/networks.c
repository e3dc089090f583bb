/* SPDX-License-Identifier: Apache-2.0 */
/* networks.c: reads the networks of today that have pod-dns in them. */
#include "pod-dnsctl/inventory/networks.h"
#include "config/conf.h"
#include "config/netdir.h"

#include <dirent.h>
#include <string.h>

static void read_today(struct live_network *n, struct arena *a)
{
	struct warnings warnings = { .arena = a };
	struct err e = { 0 };

	n->fails = !conf_file_read(&n->conf, n->list.network, &warnings, &e);
	if (n->fails)
		n->why = arena_print(a, "ADD would fail: %s: %s", n->list.path, e.text);
	else if (n->conf.unusable)
		n->why = warnings.n ? warnings.at[0].text : "its configFile cannot be used";
	n->hash = n->fails ? 0 : conf_hash(n->conf.own);
}

static void add_network(struct networks *all, const char *path, struct arena *a)
{
	struct live_network *n = &all->at[all->n];

	*n = (struct live_network){ 0 };
	if (conflist_read(&n->list, path, NULL) && !live_network_named(all, n->list.name)) {
		read_today(n, a);
		all->n++;
	} else {
		conflist_done(&n->list);
	}
}

bool networks_read(struct networks *all, const char *folder, struct arena *a, struct err *e)
{
	struct dirent **names = NULL;
	struct netdir node;
	int n;

	if (!folder) {
		netdir_find(&node, a);
		folder = node.conf;
	}
	*all = (struct networks){ .folder = folder };
	n = scandir(folder, &names, NULL, alphasort);
	if (n < 0)
		return err_errno(e, ERR_IO, "%s", folder);
	all->at = calloc(NETWORKS_MAX, sizeof(*all->at));
	for (int i = 0; i < n; i++) {
		if (all->at && all->n < NETWORKS_MAX && netdir_is_network(names[i]->d_name))
			add_network(all, arena_print(a, "%s/%s", folder, names[i]->d_name), a);
		free(names[i]);
	}
	free(names);
	return all->at || err_set(e, ERR_IO, "out of memory");
}

void networks_done(struct networks *all)
{
	for (size_t i = 0; i < all->n; i++) {
		node_resolv_done(&all->at[i].node_resolv);
		conf_file_done(&all->at[i].conf);
		conflist_done(&all->at[i].list);
	}
	free(all->at);
	*all = (struct networks){ 0 };
}

struct live_network *live_network_named(const struct networks *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->at[i].list.name, name) == 0)
			return &all->at[i];
	return NULL;
}

bool live_network_outdates(const struct networks *all, const struct record *record)
{
	const struct live_network *n = live_network_named(all, record->at.network);

	return n && !n->fails && n->hash != record->config;
}
