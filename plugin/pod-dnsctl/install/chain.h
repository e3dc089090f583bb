/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chain.h: adds pod-dns to the text of a conflist, and removes it. Pure.
 *
 * The text is read and printed by jansson: keys keep their order, and the new text has the
 * indentation of the old one. Spelling may change: "\u0041" becomes "A", 1e3 becomes 1000.0. A file
 * that jansson cannot keep whole is refused (ERR_DECODE): one with a key that is given twice, or an
 * integer of more than 64 bits.
 */
#ifndef POD_DNSCTL_CHAIN_H
#define POD_DNSCTL_CHAIN_H

#include "err.h"
#include "text.h"

#include <jansson.h>

/*
 * Appends to `out` the conflist `text` with `object` (of type pod-dns) as its last plugin; an
 * object of ours that is there is replaced in its place. If nothing changes, the text does not
 * either. ERR_DECODE: not JSON. ERR_CONFIG: the chain cannot be extended: `plugins` is empty,
 * pod-dns is the first, multus is on top, or pod-dns does not know the CNI version.
 */
bool chain_add(struct text *out, const char *text, const json_t *object, struct err *e);

/*
 * The same for a file with one plugin (.conf, .json), made a list as libcni does: the plugin
 * becomes the first item; the list gets its name and cniVersion.
 */
bool chain_from_plugin(struct text *out, const char *text, const json_t *object, struct err *e);

/* Appends `text` without our objects. ERR_CONFIG where nothing would be left of the chain. */
bool chain_remove(struct text *out, const char *text, struct err *e);

/* Our object in a conflist: a new reference, or NULL if it is missing. */
json_t *chain_object(const char *text);

/* Whether two texts are the same JSON; the order of keys does not count. */
bool chain_is_same(const char *text, const char *other);

#endif
