/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runtime_dns.h: the DNS configuration that the runtime has made for a pod before it runs CNI.
 *
 * containerd hands it down by capability `dns`. Else, in a call of a CRI runtime, it is the text of
 * the pod's file. Once an ADD of ours has written that file, the runtime's text is in its record.
 */
#ifndef POD_DNS_RUNTIME_DNS_H
#define POD_DNS_RUNTIME_DNS_H

#include "domain.h"
#include "targets/sandbox.h"
#include "text.h"
#include "warn.h"

struct runtime_dns {
	const char *from;	  /* "capability", "file"; NULL: the runtime does not say */
	struct resolv lists;	  /* marked FROM_RUNTIME */
	const char *runtime_text; /* of the file, as the runtime writes it; NULL: unknown */
	bool recorded;		  /* that text is a record's: the file holds it still, or ours */
	const char *written;	  /* our text, if the file holds it now; else NULL */
	struct text buffer;	  /* what the lists point into */
};

/*
 * Reads the capability and the file. ERR_DECODE: the capability has wrong types. ERR_IO: the file
 * cannot be read. The caller calls runtime_dns_done() in any case.
 */
bool runtime_dns_read(struct runtime_dns *f, const json_t *network, const struct sandbox *sandbox,
		      struct warnings *w, struct err *e);

/* From the runtime's text alone. */
bool runtime_dns_parse(struct runtime_dns *f, const char *text, struct warnings *w, struct err *e);

void runtime_dns_done(struct runtime_dns *f);

#endif
