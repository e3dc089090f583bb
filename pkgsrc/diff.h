/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h: what differs between two texts, as a unified diff (diff -u). */
#ifndef PKG_DIFF_H
#define PKG_DIFF_H

#include "text.h"

/*
 * Appends the unified diff from `old` to `new` to `out`, with the two names and three lines of
 * context; "" if the texts are equal. A missing newline at the end is noted as diff -u does.
 * Memory grows with the product of the numbers of lines that differ: for small files only. `out`
 * latches if that is over 64 MiB.
 */
void diff_unified(struct text *out, const char *old_name, const char *old, const char *new_name,
		  const char *new);

#endif
