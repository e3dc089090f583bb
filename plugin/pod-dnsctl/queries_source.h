/* SPDX-License-Identifier: Apache-2.0 */
/* queries_source.h: finds the resolv.conf for a prediction: a file, a pod's, or one that a conflist
 * would make. */
#ifndef POD_DNSCTL_QUERIES_SOURCE_H
#define POD_DNSCTL_QUERIES_SOURCE_H

#include "pod-dnsctl/ctl.h"
#include "pod-dnsctl/queries.h"

/* Fills text, source and autopath zone, from the second operand, --conf, --file or
 * /etc/resolv.conf. Warnings about the pod become notes. ERR_IO, ERR_CONFIG. */
bool queries_read_source(struct queries *q, struct ctl *ctl, struct err *e);

#endif
