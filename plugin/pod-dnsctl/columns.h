/* SPDX-License-Identifier: Apache-2.0 */
/* columns.h: lines that fit a terminal of 80 columns. */
#ifndef POD_DNSCTL_COLUMNS_H
#define POD_DNSCTL_COLUMNS_H

#include "pod-dnsctl/out.h"

/* A line under construction: what would go beyond column 80 begins another, below column `indent`.
 */
struct columns {
	struct out *out;
	size_t indent, at;
	bool begun;  /* there is a word on the line */
	bool padded; /* a blank stands before the next word */
};

/* A word in `width` columns, a blank behind it included; a longer one, and with 0 any, takes as
 * many as it has. */
void columns_put(struct columns *c, enum out_style style, size_t width, const char *word);
void columns_end(struct columns *c);

/* A text, broken between words, below column `indent`. */
void columns_wrap(struct out *out, enum out_style style, size_t indent, const char *text);

#endif
