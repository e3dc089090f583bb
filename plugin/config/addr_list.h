/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addr_list.h: lists of addresses, paired by rank within their family.
 *
 * The n-th IPv4 address of clusterDNS belongs to the n-th IPv4 address of nodeCache.addresses and
 * of nodeCache.fallback; the same holds for IPv6. A repeated address counts once.
 */
#ifndef POD_DNS_ADDR_LIST_H
#define POD_DNS_ADDR_LIST_H

#include "domain.h"

/* The reader of a list; *out owns it. */
json_reader addr_list_read;

/* Makes an empty list with room for `n`. */
bool addr_list_make(struct addr_list *list, size_t n, struct err *e);
void addr_list_done(struct addr_list *list);

/* The index of the first equal address; list->n if it is not in the list. */
size_t addr_list_find(const struct addr_list *list, const struct addr *a);
bool addr_list_have(const struct addr_list *list, const struct addr *a);

/* How many different addresses of a's family stand before it (or in all, if it is not there). */
size_t addr_list_rank(const struct addr_list *list, const struct addr *a);

/* The address of that rank; NULL: the list has fewer. */
const struct addr *addr_list_of_rank(const struct addr_list *list, bool v4, size_t rank);

#endif
