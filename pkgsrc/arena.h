/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h: strings and lists that live as long as the call.
 *
 * It latches: without memory arena_print() returns "", and arena_ok() is false from then on. So the
 * caller checks once at the end.
 */
#ifndef PKG_ARENA_H
#define PKG_ARENA_H

#include "base.h"

struct arena {
	struct arena_piece *pieces;
	bool failed;
};

/* Aligned for any type. NULL: out of memory. */
void *arena_alloc(struct arena *a, size_t size);

const char *arena_print(struct arena *a, const char *fmt, ...) PRINTF(2, 3);
bool arena_ok(const struct arena *a);
void arena_done(struct arena *a);
#define auto_arena __attribute__((cleanup(arena_done))) struct arena

#endif
