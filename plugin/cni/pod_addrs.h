/* SPDX-License-Identifier: Apache-2.0 */
/* pod_addrs.h: a pod's own addresses, from prevResult. Pure. */
#ifndef POD_DNS_POD_ADDRS_H
#define POD_DNS_POD_ADDRS_H

#include "domain.h"

#include <jansson.h>

/* Those of interfaces in the sandbox, or of none (CNI 0.2.0's ip4 and ip6 too). */
void pod_addrs_of_result(struct pod_addrs *list, const json_t *prev);

/* Whether these are IPv4 addresses alone, and at least one. Only the first ADDRESSES_MAX count: a
 * pod with so many is not known to have no other. */
bool pod_addrs_only_ipv4(const json_t *prev);

bool pod_addrs_have(const struct pod_addrs *list, const struct addr *a);

#endif
