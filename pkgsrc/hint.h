/* SPDX-License-Identifier: Apache-2.0 */
/* hint.h: what a misspelt word was probably meant to be. */
#ifndef PKG_HINT_H
#define PKG_HINT_H

#include "base.h"

struct hint {
	const char *word; /* as it was written */
	const char *best; /* the nearest candidate so far; NULL: none is near */
	unsigned distance;
};
#define HINT(misspelt) ((struct hint){ .word = (misspelt) })

/*
 * Weighs a candidate. It is near where it differs in case alone, or by one or
 * two letters that are missing, too many, others or exchanged with their
 * neighbour, which are less than half of it.
 */
void hint_try(struct hint *h, const char *candidate);

#endif
