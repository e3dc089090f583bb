/* SPDX-License-Identifier: Apache-2.0 */
/* addresses.h: a pod's own addresses, from prevResult. Pure. */
#ifndef POD_DNS_ADDRESSES_H
#define POD_DNS_ADDRESSES_H

#include "domain.h"

#include <jansson.h>

/* Those of interfaces in the sandbox, or of none (CNI 0.2.0's ip4 and ip6 too). */
void addresses_of_result(struct addresses *list, const json_t *prev);

bool addresses_have(const struct addresses *list, const struct addr *a);

#endif
