/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netdir.h: finds the folders where a node's container runtime has networks and plugins.
 *
 * A runtime uses the first network by name in its folder (libcni's ConfFiles: .conf, .conflist,
 * .json).
 */
#ifndef POD_DNSCTL_NETDIR_H
#define POD_DNSCTL_NETDIR_H

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

/* The file name of the first network; "": there is none. ERR_IO. */
bool netdir_first(char out[static NAME_MAX + 1], const char *folder, struct err *e);

/*
 * Takes the lock for changing networks in a folder, and waits for it. It is an flock on the folder
 * itself, so that nothing is left behind and every container that sees the folder sees the lock.
 * Closing *turn releases it; -1: there is no such folder. ERR_IO.
 */
bool netdir_lock(int *turn, const char *folder, struct err *e);

/*
 * Announces a change to those who watch the folder, by making and removing a file of this name. The
 * lock is held: whoever gets it next finds the event in its queue. ERR_IO.
 */
#define NETDIR_INSTALL	 ".pod-dns-install"
#define NETDIR_UNINSTALL ".pod-dns-uninstall"
bool cni_dirs_announce(const char *folder, const char *name, struct err *e);

/*** watching it ***/

struct netdir_watch {
	const char *folder;
	int fd;		  /* inotify's */
	bool uninstalled; /* an uninstall announced itself, and no install since */
	bool lost;	  /* events were lost, perhaps an announcement; reset by the caller */
};

#define NETDIR_UNWATCHED ((struct netdir_watch){ .fd = -1 })

/* Begins. `folder` must live as long as *w. ERR_IO: there is no such folder. */
bool netdir_watch_begin(struct netdir_watch *w, const char *folder, struct err *e);

/* Waits until the folder changes, and then until it is quiet. ERR_IO: it is gone. */
bool netdir_watch_wait(struct netdir_watch *w, struct err *e);

/* Takes note of what has been announced so far. ERR_IO: the folder is gone. */
bool netdir_watch_read(struct netdir_watch *w, struct err *e);

static inline void done_auto_netdir_watch(const struct netdir_watch *w)
{
	close_auto_fd(&w->fd);
}
#define auto_netdir_watch __attribute__((cleanup(done_auto_netdir_watch))) struct netdir_watch

#endif
