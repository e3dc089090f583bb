/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netdir.h: where a node's container runtime looks for networks and for plugins.
 *
 * A runtime takes the network that comes first by name in its folder (libcni's ConfFiles: .conf,
 * .conflist, .json).
 */
#ifndef POD_DNSCTL_NETDIR_H
#define POD_DNSCTL_NETDIR_H

#include "arena.h"
#include "err.h"

#include <limits.h>

enum { NETDIR_BINS = 8 };

struct netdir {
	const char *conf;	       /* the folder of networks */
	const char *bins[NETDIR_BINS]; /* where plugins are looked for, in this order; NULL ends */
	const char *socket;	       /* the runtime's CRI socket, where one is known; or NULL */
};

/*
 * What containerd's configuration (conf_dir, bin_dir, bin_dirs, the socket's address) or CRI-O's
 * (network_dir, plugin_dirs) says, else the defaults of both: /etc/cni/net.d, /opt/cni/bin and
 * where Debian and Fedora have the plugins. Reads below /etc; a file that cannot be read says
 * nothing. Strings lie in the arena.
 */
void netdir_find(struct netdir *n, struct arena *a);

/* One configuration file's text, TOML as those two write it, over `n`. */
void netdir_read(struct netdir *n, const char *text, struct arena *a);

/* The folder of n->bins that holds the plugin `type`; the first where none does. */
const char *netdir_bin_of(const struct netdir *n, const char *type);

/* Whether a runtime would load a file of that name. */
bool netdir_is_network(const char *name);

/* The name of the network that comes first; "" where there is none. ERR_IO. */
bool netdir_first(char out[static NAME_MAX + 1], const char *folder, struct err *e);

/*
 * The turn to change networks in a folder: an flock on the folder itself, so that nothing remains
 * of it and whoever sees the folder sees the lock, in whichever container. Waits. *turn is a
 * descriptor to be closed; -1 where there is no such folder. ERR_IO.
 */
bool netdir_lock(int *turn, const char *folder, struct err *e);

/*
 * Tells whoever watches the folder that the change to come is meant: a file of this name comes and
 * goes. The turn is held: who has it next finds the event in his queue. ERR_IO.
 */
#define NETDIR_INSTALL	 ".pod-dns-install"
#define NETDIR_UNINSTALL ".pod-dns-uninstall"
bool netdir_say(const char *folder, const char *name, struct err *e);

#endif
