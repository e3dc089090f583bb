/* SPDX-License-Identifier: Apache-2.0 */
/* pods.h: Kubernetes' pod objects, as `kubectl get pod -o json` prints them: one pod, or a List. */
#ifndef POD_DNSCTL_PODS_H
#define POD_DNSCTL_PODS_H

#include "err.h"

#include <jansson.h>

struct pods {
	const char *path; /* "-" is shown as "stdin" */
	json_t *document; /* owned */
	const json_t *items;
	size_t n;  /* items so far */
	bool list; /* it is a List */
};

/* "-" is stdin. ERR_IO, ERR_DECODE. The caller calls pods_close() in any case. */
bool pods_open(struct pods *p, const char *path, struct err *e);
void pods_close(struct pods *p);

/* The next pod, which lives until pods_close(). NULL with e->code 0: that was the last one.
 * ERR_DECODE. */
json_t *pods_next(struct pods *p, struct err *e);

#endif
