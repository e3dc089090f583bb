/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runtime_dns.h: the finished configuration: what the runtime decided for a pod before CNI runs.
 *
 * It is capability `dns` where containerd hands it down, else, in a call of a CRI runtime, the text
 * of the pod's file. Once an ADD of ours has written that file, the text is in its record.
 */
#ifndef POD_DNS_RUNTIME_DNS_H
#define POD_DNS_RUNTIME_DNS_H

#include "domain.h"
#include "targets/sandbox.h"
#include "text.h"
#include "warn.h"

struct runtime_dns {
	const char *from;    /* "capability", "file"; NULL: the runtime does not say */
	struct resolv lists; /* marked FROM_RUNTIME */
	const char
		*runtime_text; /* the file as the runtime wrote, or will write it; NULL: unknown */
	const char *written;   /* what we wrote, while the file still holds it; else NULL */
	struct text buffer;    /* what lists borrow from */
};

/*
 * Reads both. ERR_DECODE for a capability that is none, ERR_IO for a file that cannot be read.
 * runtime_dns_done() gives back, in either case.
 */
bool runtime_dns_read(struct runtime_dns *f, const json_t *network, const struct sandbox *sandbox,
		      struct warnings *w, struct err *e);

/* From the runtime's text alone. */
bool runtime_dns_parse(struct runtime_dns *f, const char *text, struct warnings *w, struct err *e);

void runtime_dns_done(struct runtime_dns *f);

#endif
