/* SPDX-License-Identifier: Apache-2.0 */
/* result.h: prevResult, and the result that ADD prints: the same with another `dns`. */
#ifndef POD_DNS_RESULT_H
#define POD_DNS_RESULT_H

#include "domain.h"
#include "err.h"
#include "warn.h"

/*
 * Whether prevResult is a result of the network's version or of one that reads alike (0.1, 0.2;
 * 0.3, 0.4; 1.x), with addresses that are addresses. ERR_CONFIG if it is missing (a chained plugin
 * needs one), ERR_VERSION, ERR_DECODE.
 */
bool result_check(const json_t *prev, const char *version, struct err *e);

/*
 * A checked prevResult without what may not stand in a file: dropped from its dns, each with a
 * warning. Whatever becomes of it, nothing of the kind is printed or written. The caller's; NULL:
 * out of memory.
 */
json_t *result_clean(const json_t *prev, struct warnings *w);

/* A cleaned prevResult's dns as lists, marked FROM_PREV; domain is not made a search and stays
 * where it is.
 */
void result_dns(struct resolv *r, const json_t *prev, struct arena *a);

/*
 * prevResult in the network's version; with `r`, with the three lists of its dns replaced by those
 * of r, and no dns where that comes to nothing. The caller's; NULL: out of memory.
 */
json_t *result_make(const json_t *prev, const char *version, const struct resolv *r);

/*
 * The dns of a result: empty lists are left out. Its nameservers are only those that net.ParseIP
 * reads, as callers of CNI do: none with a zone. The caller's; NULL: out of memory.
 */
json_t *result_make_dns(const json_t *prev, const struct resolv *r);

/* An entry of `printed`'s lists that `prev`'s dns lacks, described in `out`; false: none. */
bool result_lacks(char *out, size_t room, const json_t *prev, const json_t *printed);

#endif
