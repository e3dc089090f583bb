/* SPDX-License-Identifier: Apache-2.0 */
/* warn.h: collects warnings, which main prints and the record keeps. */
#ifndef POD_DNS_WARN_H
#define POD_DNS_WARN_H

#include "arena.h"

enum { WARNINGS_MAX = 64 };

struct warning {
	const char *kind; /* a literal such as "search-limit", by which metrics count */
	const char *text; /* one line, escaped; in the arena */
	const char *pod;  /* NAMESPACE/POD; NULL: it concerns no single pod */
	const char *hint; /* what was probably meant; a literal, or NULL */
};

struct warnings {
	struct arena *arena;
	struct warning *at; /* in the arena, once there is one: a copy of the struct shares it */
	size_t n, lost;	    /* lost: beyond the bound; the last warning says how many */
	const char *pod;    /* the pod of the next warnings, NAMESPACE/POD in the arena; or NULL */
};

/* If memory runs out, the warning is lost and arena_ok() is false. */
void warn(struct warnings *w, const char *kind, const char *fmt, ...) PRINTF(3, 4);

#endif
