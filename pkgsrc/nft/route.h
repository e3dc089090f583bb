/* SPDX-License-Identifier: Apache-2.0 */
/* route.h: asks by which route the kernel sends packets (rtnetlink). */
#ifndef PKG_ROUTE_H
#define PKG_ROUTE_H

#include "addr.h"
#include "nft/nl.h"

enum { ROUTES_MAX = 4 };

/*
 * Whether packets to all of the addresses (ROUTES_MAX at most) leave by the same device to the same
 * gateway. False also if one is reached without a gateway or not at all, or the kernel gives no
 * answer. `route` was opened by nl_open_route_in().
 */
bool route_is_shared(const struct nl *route, const struct addr *to, size_t n);

#endif
