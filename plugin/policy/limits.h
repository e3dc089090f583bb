/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h: cuts the lists to `limits`. */
#ifndef POD_DNS_LIMITS_H
#define POD_DNS_LIMITS_H

#include "domain.h"
#include "warn.h"

/*
 * Drops servers and searches beyond the limits (KEP-2595), with a warning. The operator's added
 * servers are dropped before the pod's own, else the end of the list is.
 */
void limits_apply(struct resolv *r, const struct limits *limits, struct warnings *w);

#endif
