/* SPDX-License-Identifier: Apache-2.0 */
/* columns.h: lines that fit a terminal of 80 columns. */
#ifndef POD_DNSCTL_COLUMNS_H
#define POD_DNSCTL_COLUMNS_H

#include "pod-dnsctl/cli/out.h"

/* A line. A word that would end beyond column 80 goes to the next line, at column `indent`. */
struct columns {
	struct out *out;
	size_t indent, at;
	bool whole;	/* lines are not broken */
	bool cut;	/* columns_name() cuts what is too long */
	bool begun;	/* there is a word on the line */
	bool padded;	/* a blank stands before the next word */
	size_t padding; /* blanks that are due before it: a line does not end in one */
};

/* Prints a word in `width` columns, a blank behind it included. A longer one takes what it needs.
 */
void columns_put(struct columns *c, enum out_style style, size_t width, const char *word);
/* The same for a name; a long one is cut, with `cut`. */
void columns_name(struct columns *c, enum out_style style, size_t width, const char *name);
void columns_text(struct columns *c, enum out_style style, const char *text); /* words */
void columns_end(struct columns *c);

/* Prints a text, broken between words, at column `indent`. */
void columns_wrap(struct out *out, enum out_style style, size_t indent, const char *text);

#endif
