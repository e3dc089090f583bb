/* SPDX-License-Identifier: Apache-2.0 */
/*
 * out.h: output for people.
 *
 * All output goes through here. Control characters and what is not UTF-8 are printed as \xNN.
 * Colours are used only on a terminal and without NO_COLOR. It latches: after a write has failed (a
 * full disk, a closed pipe) nothing more is written, out_ok() is false, and main exits 1.
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

/* Prints part of a line in a style. A newline in it is escaped too. */
void out_put(struct out *o, enum out_style style, const char *fmt, ...) PRINTF(3, 4);
void out_end(struct out *o); /* ends the line */

/* Prints a line. */
void out_line(struct out *o, const char *fmt, ...) PRINTF(2, 3);

/* Prints lines; only control characters are changed. */
void out_text(struct out *o, const char *text);

/* A JSON string; what is not UTF-8 is escaped, since texts may be cut within a character. */
json_t *out_string(const char *text);

/* Prints a JSON value, indented, and a newline. The value stays the caller's. */
void out_json(struct out *o, const json_t *value);

/* Flushes. Whether everything was written so far. */
bool out_ok(struct out *o);

#endif
