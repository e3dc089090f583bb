/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arenas whose memory ends: scarce_left says how many allocations they still get. It includes
 * arena.c, in the place of the library's.
 */
#ifndef SCARCE_H
#define SCARCE_H

#include <stdint.h>
#include <stdlib.h>

#define SCARCE_NOT SIZE_MAX
static size_t scarce_left = SCARCE_NOT;

static void *scarce_malloc(size_t size)
{
	if (scarce_left == 0)
		return NULL;
	if (scarce_left != SCARCE_NOT)
		scarce_left--;
	return malloc(size);
}

#define malloc scarce_malloc
#include "arena.c"
#undef malloc

#endif
