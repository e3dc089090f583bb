/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chain.h: pod-dns in a network's chain of plugins, as an edit of the file's text. Pure.
 *
 * A conflist is its owner's: everything that is not our object keeps its bytes, its order and its
 * indentation. What the text means is read by jansson; where its parts begin and end is found by a
 * scan of the text that jansson has accepted.
 */
#ifndef POD_DNSCTL_CHAIN_H
#define POD_DNSCTL_CHAIN_H

#include "err.h"
#include "text.h"

#include <jansson.h>

/*
 * Appends to `out` the conflist `text` with `object` (which has a type, ours) as the last of its
 * plugins; an object of ours that is there already is replaced where it stands. Equal content
 * gives equal text. ERR_DECODE: no JSON. ERR_CONFIG: JSON, but no chain that can be extended: no
 * plugins, a multus on top, a version of CNI that pod-dns does not know.
 */
bool chain_add(struct text *out, const char *text, const json_t *object, struct err *e);

/*
 * The same for a file with one plugin (.conf, .json), as libcni makes a list of it: the plugin is
 * its first item, as written; name and cniVersion are the list's too.
 */
bool chain_from_plugin(struct text *out, const char *text, const json_t *object, struct err *e);

/* Appends `text` without our objects. ERR_CONFIG where nothing would be left of the chain. */
bool chain_remove(struct text *out, const char *text, struct err *e);

/* Whether an item of `plugins` is pod-dns. */
bool chain_is_ours(const json_t *plugin);

/* Our object in a conflist: a new reference, or NULL where there is none. */
json_t *chain_object(const char *text);

#endif
