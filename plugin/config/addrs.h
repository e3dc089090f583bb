/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addrs.h: lists of addresses, paired by rank within their family.
 *
 * The n-th IPv4 address of clusterDNS belongs to the n-th IPv4 address of nodeCache.addresses and
 * of nodeCache.fallback; likewise IPv6. A repeated address counts once.
 */
#ifndef POD_DNS_ADDRS_H
#define POD_DNS_ADDRS_H

#include "domain.h"

/* The reader of a list; *out owns it. */
json_reader addrs_read;

/* Makes an empty list with room for `n`. */
bool addrs_make(struct addrs *list, size_t n, struct err *e);
void addrs_done(struct addrs *list);

/* The index of the first equal address; list->n where there is none. */
size_t addrs_find(const struct addrs *list, const struct addr *a);
bool addrs_have(const struct addrs *list, const struct addr *a);

/* How many different addresses of a's family stand before it (or in all, if it is not there). */
size_t addrs_rank(const struct addrs *list, const struct addr *a);

/* The address of that rank; NULL: the list has fewer. */
const struct addr *addrs_of_rank(const struct addrs *list, bool v4, size_t rank);

#endif
