/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h: how many servers and searches a pod gets. */
#ifndef POD_DNS_LIMITS_H
#define POD_DNS_LIMITS_H

#include "domain.h"
#include "warn.h"

/*
 * Trims what a libc would not read or Kubernetes would not pass on (KEP-2595), with a warning. Of
 * servers, the operator's additions go before the pod's own, and then the end of the list; of
 * searches the end.
 */
void limits_apply(struct resolv *r, const struct limits *limits, struct warnings *w);

#endif
