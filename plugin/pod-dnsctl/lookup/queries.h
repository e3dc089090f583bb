/* SPDX-License-Identifier: Apache-2.0 */
/* queries.h: predicts a lookup, for each libc and with alternatives. Pure. */
#ifndef POD_DNSCTL_QUERIES_H
#define POD_DNSCTL_QUERIES_H

#include "pod-dnsctl/lookup/libc.h"

struct out;

/* The known answer for a name. */
struct queries_known {
	const char *name;
	enum libc_answer answer;
};

/* A name, and the file it is looked up with. */
struct queries {
	const char *name, *text;
	const char *source;	   /* where the text comes from, for people */
	const char *autopath_zone; /* of the configuration, or the default */
	size_t n;		   /* of `known`; the first entry for a name counts */
	const struct queries_known *known;
	struct arena *arena;
};

/* The answer for a name: LIBC_NXDOMAIN unless another is known. */
enum libc_answer queries_answer(const struct queries *q, const char *name);

/* Predicts the lookup with q's text. *conf is the text as the libc reads it; *out points into it.
 */
void queries_look_up(struct libc_lookup *out, struct libc_conf *conf, const struct queries *q,
		     enum libc libc);

/* The same with `ndots:2`. */
struct queries queries_with_ndots(const struct queries *q);

/* The same with KEP-2009's server-side search. False: the text is not cluster-first. */
bool queries_with_autopath(struct queries *with, const struct queries *q);

/* Prints, for people, the candidates, when each libc asks for them, and the totals, for `libcs`
 * libcs from `first` on. */
void queries_show(const struct queries *q, enum libc first, size_t libcs, struct out *out);

#endif
