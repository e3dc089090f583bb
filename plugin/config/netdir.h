/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netdir.h: finds the folders where a node's container runtime has networks and plugins.
 *
 * A runtime uses the first network by name in its folder (libcni's ConfFiles: .conf, .conflist,
 * .json).
 */
#ifndef POD_DNS_NETDIR_H
#define POD_DNS_NETDIR_H

#include "arena.h"
#include "err.h"

#include <limits.h>

enum { NETDIR_BINS = 8 };

struct netdir {
	const char *conf;	       /* the folder of networks */
	const char *bins[NETDIR_BINS]; /* the folders of plugins, in order; NULL ends the list */
	const char *socket;	       /* the runtime's CRI socket; NULL: unknown */
};

/*
 * From the configuration of containerd (conf_dir, bin_dir, bin_dirs, the socket's address) or CRI-O
 * (network_dir, plugin_dirs), else the defaults: /etc/cni/net.d, /opt/cni/bin and the folders of
 * Debian and Fedora. Files that cannot be read are skipped. Strings lie in the arena.
 */
void netdir_find(struct netdir *n, struct arena *a);

/* Applies the text of a configuration file, TOML as those two write it, to *n. */
void netdir_read(struct netdir *n, const char *text, struct arena *a);

/* The folder of n->bins that has the plugin `type`; the first if none has. */
const char *netdir_bin_of(const struct netdir *n, const char *type);

/* Whether a runtime would load a file of that name. */
bool netdir_is_network(const char *name);

/* The file name of the first network; "": the folder is empty. ERR_IO. */
bool netdir_first(char out[static NAME_MAX + 1], const char *folder, struct err *e);

#endif
