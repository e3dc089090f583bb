/* SPDX-License-Identifier: Apache-2.0 */
/* conflist.h: reads a conflist and finds the plugin's object in it. */
#ifndef POD_DNS_CONFLIST_H
#define POD_DNS_CONFLIST_H

#include "arena.h"
#include "err.h"

#include <jansson.h>

/* conflist_read() fills it, conflist_done() empties it, in any case. */
struct conflist {
	const char *path; /* as given; "-" is shown as "stdin" */
	json_t *document; /* owned */
	const char *name; /* of the network */
	size_t place;	  /* the index of our object in `plugins` */
	bool list;	  /* it has `plugins`; else it is a .conf of one plugin */
	/* Our object as the runtime hands it to the plugin: with the network's name and cniVersion.
	 * Owned. */
	json_t *network;
};

/*
 * Reads a conflist, or a .conf of one plugin, and finds the first object of type "pod-dns". "-" is
 * stdin. ERR_IO, ERR_DECODE (line and column), ERR_CONFIG; each names the file.
 */
bool conflist_read(struct conflist *c, const char *path, struct err *e);
void conflist_done(struct conflist *c);
#define auto_conflist __attribute__((cleanup(conflist_done))) struct conflist

/* Whether an item of `plugins` is pod-dns. */
bool conflist_is_ours(const json_t *plugin);

/* The path of the network that a runtime with this folder uses. In the arena; NULL: ERR_IO. */
const char *conflist_first(const char *folder, struct arena *a, struct err *e);

/* The same for this node's runtime. */
const char *own_conflist(struct arena *a, struct err *e);

/* Reads a JSON document from a file, "-" being stdin: the caller's, or NULL. The error names it. */
json_t *conflist_load(const char *path, struct err *e);

#endif
