/* limits.h: how many servers and searches a pod gets. */
#ifndef POD_DNS_LIMITS_H
#define POD_DNS_LIMITS_H

#include "domain.h"
#include "warn.h"

/* Trims what a libc would not read or Kubernetes would not pass on (KEP-2595), with a warning. */
void limits_apply(struct resolv *r, const struct limits *limits, struct warnings *w);

#endif
