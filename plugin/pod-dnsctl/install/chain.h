/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chain.h: adds pod-dns to the text of a conflist, and removes it. Pure.
 *
 * A conflist belongs to its owner: everything but our object keeps its bytes, order and
 * indentation. jansson tells what the text means. Where its parts begin and end is found by
 * scanning the text that jansson has accepted.
 */
#ifndef POD_DNSCTL_CHAIN_H
#define POD_DNSCTL_CHAIN_H

#include "err.h"
#include "text.h"

#include <jansson.h>

/*
 * Appends to `out` the conflist `text` with `object` (of type pod-dns) as its last plugin; an
 * object of ours that is there is replaced in its place. If nothing changes, the text does not
 * either. ERR_DECODE: no JSON. ERR_CONFIG: the chain cannot be extended: there are no plugins, ours
 * as the first, or multus, or a CNI version that pod-dns does not know.
 */
bool chain_add(struct text *out, const char *text, const json_t *object, struct err *e);

/*
 * The same for a file with one plugin (.conf, .json), made a list as libcni does: the plugin
 * becomes the first item, as written; the list gets its name and cniVersion.
 */
bool chain_from_plugin(struct text *out, const char *text, const json_t *object, struct err *e);

/* Appends `text` without our objects. ERR_CONFIG where nothing would be left of the chain. */
bool chain_remove(struct text *out, const char *text, struct err *e);

/* Whether an item of `plugins` is pod-dns. */
bool chain_is_ours(const json_t *plugin);

/* Our object in a conflist: a new reference, or NULL where there is none. */
json_t *chain_object(const char *text);

#endif
