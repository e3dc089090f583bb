/* SPDX-License-Identifier: Apache-2.0 */
/* hint.h: what a misspelt word was probably meant to be. */
#ifndef PKG_HINT_H
#define PKG_HINT_H

#include "base.h"

struct hint {
	const char *word; /* as it was written */
	const char *best; /* the most similar candidate so far; NULL: none is similar */
	unsigned distance;
};
#define HINT(misspelt) ((struct hint){ .word = (misspelt) })

/*
 * Compares a candidate. It is similar if it differs only in case, or in at most two letters
 * (missing, added, changed, or swapped with a neighbour) that are less than half of it.
 */
void hint_try(struct hint *h, const char *candidate);

#endif
