/* SPDX-License-Identifier: Apache-2.0 */
/* queries.h: a lookup foretold, for a libc, and what may stand in its place. Pure. */
#ifndef POD_DNSCTL_QUERIES_H
#define POD_DNSCTL_QUERIES_H

#include "pod-dnsctl/libc.h"

struct out;

/* What is known of a name that may be asked for. */
struct queries_known {
	const char *name;
	enum libc_answer answer;
};

/* A name, and the file it is looked up with. */
struct queries {
	const char *name, *text;
	const char *source;	   /* of the text, in words */
	const char *autopath_zone; /* of the configuration, or the default */
	size_t n;		   /* of what is known: the first that names a name counts */
	const struct queries_known *known;
	struct arena *arena;
};

/* What the server says to a name: that it does not exist, unless something else is known. */
enum libc_answer queries_answer(const struct queries *q, const char *name);

/* The lookup with q's text. *conf is the text as the libc reads it; `out` borrows from it. */
void queries_look_up(struct libc_lookup *out, struct libc_conf *conf, const struct queries *q,
		     enum libc libc);

/* The same with `ndots:2`. */
void queries_with_ndots(struct libc_lookup *out, struct libc_conf *conf, const struct queries *q,
			enum libc libc);

/* The same with KEP-2009's server-side search. False: the text is no cluster-first one. */
bool queries_with_autopath(struct libc_lookup *out, struct libc_conf *conf, const struct queries *q,
			   enum libc libc);

/* For a person: the candidates, when each libc asks for them, and the totals. `libcs`: how many,
 * from `first` on. */
void queries_show(const struct queries *q, enum libc first, size_t libcs, struct out *out);

#endif
