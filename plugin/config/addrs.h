/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addrs.h: a list of addresses, each family counted apart.
 *
 * clusterDNS, nodeCache.addresses and nodeCache.fallback are paired by rank:
 * the n-th address of a family belongs to the n-th of that family in the other
 * list. A repeated address counts once.
 */
#ifndef POD_DNS_ADDRS_H
#define POD_DNS_ADDRS_H

#include "domain.h"

/* The index of the first address that is the same; the list's length where
 * there is none. */
size_t addrs_find(const struct addrs *list, const struct addr *a);
bool addrs_have(const struct addrs *list, const struct addr *a);

/* How many different addresses of a's family stand before it, or in the list
 * where it is not. */
size_t addrs_rank(const struct addrs *list, const struct addr *a);

/* The address of that rank; NULL: there are not so many. */
const struct addr *addrs_of_rank(const struct addrs *list, bool v4, size_t rank);

#endif
