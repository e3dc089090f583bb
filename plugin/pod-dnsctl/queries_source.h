/* SPDX-License-Identifier: Apache-2.0 */
/* queries_source.h: the resolv.conf that a lookup is foretold with: a file's, a pod's, or what a
 * conflist would make. */
#ifndef POD_DNSCTL_QUERIES_SOURCE_H
#define POD_DNSCTL_QUERIES_SOURCE_H

#include "pod-dnsctl/ctl.h"
#include "pod-dnsctl/queries.h"

/* Fills the text, its source and the autopath zone: from the second operand, --conf, --file, or
 * /etc/resolv.conf. What is said of the pod on the way are notes. ERR_IO, ERR_CONFIG. */
bool queries_read_source(struct queries *q, struct ctl *ctl, struct err *e);

#endif
