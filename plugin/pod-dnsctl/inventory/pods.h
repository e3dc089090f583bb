/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pods.h: Kubernetes' pod objects, as `kubectl get pod -o json` prints them.
 *
 * A file holds one pod, or a List, which is read an item at a time: memory does not grow with it.
 */
#ifndef POD_DNSCTL_PODS_H
#define POD_DNSCTL_PODS_H

#include "err.h"
#include "text.h"

#include <jansson.h>
#include <stdio.h>

struct pods {
	const char *path; /* "-" is shown as "stdin" */
	FILE *from;
	struct text item, envelope; /* the item being read; the document around the items */
	size_t n;		    /* items so far */
	bool list;		    /* it is a List; known before the first item is returned */
	bool over;
	/* The scanner's state: open brackets, in a string, behind a backslash. */
	int depth;
	bool string, escaped;
	bool items;	     /* in the document's array `items` */
	size_t key, key_end; /* in `envelope`: the last string at the document's top level */
};

/* "-" is stdin. ERR_IO. The caller calls pods_close() in any case. */
bool pods_open(struct pods *p, const char *path, struct err *e);
void pods_close(struct pods *p);

/* The next pod: the caller's. NULL with e->code 0: that was the last one. ERR_IO, ERR_DECODE. */
json_t *pods_next(struct pods *p, struct err *e);

#endif
