/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h: explains an attachment, as JSON and for people. */
#ifndef POD_DNSCTL_EXPLAIN_H
#define POD_DNSCTL_EXPLAIN_H

#include "pod-dnsctl/ctl.h"
#include "pod-dnsctl/view.h"

/* The caller's. */
json_t *explain_json(const struct view *v);

void explain_show(const struct view *v, struct ctl *ctl);

#endif
