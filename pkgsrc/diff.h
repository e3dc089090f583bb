/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h: what differs between two texts, as a unified diff (diff -u). */
#ifndef PKG_DIFF_H
#define PKG_DIFF_H

#include "text.h"

/*
 * Appends the unified diff from `old` to `new` to `out`, with three lines of context, headed by
 * the two names. Appends nothing where the texts are equal. A text whose last line has no newline
 * gets the note that diff -u gives it. Memory grows with the product of the numbers of lines that
 * differ: for configuration, not for data. Latches in `out` where that is over 64 MiB.
 */
void diff_unified(struct text *out, const char *old_name, const char *old, const char *new_name,
		  const char *new);

#endif
