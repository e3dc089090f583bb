/* SPDX-License-Identifier: Apache-2.0 */
/* route.h: which way the kernel sends a packet, by rtnetlink. */
#ifndef PKG_ROUTE_H
#define PKG_ROUTE_H

#include "addr.h"
#include "nft/nl.h"

/*
 * Whether what goes to either address leaves by the same device for the same gateway. False too
 * where one is reached without a gateway or not at all, or the kernel cannot be asked. `route` was
 * opened by nl_open_route_in().
 */
bool route_is_shared(const struct nl *route, const struct addr *a, const struct addr *b);

#endif
