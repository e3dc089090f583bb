/* SPDX-License-Identifier: Apache-2.0 */
/* warn.h: what went not quite as somebody wanted; collected, then told by main and the record. */
#ifndef POD_DNS_WARN_H
#define POD_DNS_WARN_H

#include "arena.h"

enum { WARNINGS_MAX = 64 };

struct warning {
	const char *kind; /* a literal such as "search-limit": what metrics count by */
	const char *text; /* one line, escaped; in the arena */
	const char *pod;  /* NAMESPACE/POD; NULL: it concerns no single pod */
};

struct warnings {
	struct arena *arena;
	struct warning at[WARNINGS_MAX];
	size_t n, lost;	 /* the last one of many says how many more there were */
	const char *pod; /* whom the warnings to come concern; one word, in the arena */
};

void warn(struct warnings *w, const char *kind, const char *fmt, ...) PRINTF(3, 4);

#endif
