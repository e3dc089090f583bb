/* SPDX-License-Identifier: Apache-2.0 */
/* nri_metrics.h: what `pod-dnsctl metrics` tells of pod-dns-nri. */
#ifndef POD_DNS_NRI_METRICS_H
#define POD_DNS_NRI_METRICS_H

#include "state/rundir.h"
#include "text.h"

/* Appends the metrics in Prometheus' text format. */
void nri_metrics(struct text *out, const struct rundir *r);

#endif
