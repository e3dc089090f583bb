/* SPDX-License-Identifier: Apache-2.0 */
/*
 * out.h: what people read.
 *
 * Whatever is printed passes through here: control characters, and what is no UTF-8, come out as
 * \xNN; colours only where a terminal reads and NO_COLOR is not set. It latches: after a write that
 * failed (a full disk, a reader that is gone) later ones are pointless, out_ok() is false, and main
 * exits 1.
 */
#ifndef POD_DNSCTL_OUT_H
#define POD_DNSCTL_OUT_H

#include "base.h"

#include <jansson.h>
#include <stdio.h>

enum out_style { OUT_PLAIN, OUT_BOLD, OUT_DIM, OUT_GREEN, OUT_YELLOW, OUT_RED };

struct out {
	FILE *to;
	bool tty, colour;
	int failed; /* 0, or the errno of the first write that failed */
};

/* Prints to `to`, which the caller closes. */
void out_open(struct out *o, FILE *to);

/* A part of a line, in a style; a newline in it is escaped too. */
void out_put(struct out *o, enum out_style style, const char *fmt, ...) PRINTF(3, 4);
void out_end(struct out *o); /* the line's */

/* A line. */
void out_line(struct out *o, const char *fmt, ...) PRINTF(2, 3);

/* A text of lines, as it is but for control characters. */
void out_text(struct out *o, const char *text);

/* A JSON string of a text; it is escaped where it is no UTF-8: a long one may be cut anywhere. */
json_t *out_string(const char *text);

/* A JSON value, indented, with a newline behind it. Not taken. */
void out_json(struct out *o, const json_t *value);

/* Whether all of it was written so far: flushes. */
bool out_ok(struct out *o);

#endif
