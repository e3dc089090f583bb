/* SPDX-License-Identifier: Apache-2.0 */
/* arena.c: strings that live as long as the call. */
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>

struct arena_piece {
	struct arena_piece *next;
	char text[];
};

const char *arena_print(struct arena *a, const char *fmt, ...)
{
	struct arena_piece *piece = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len >= 0)
		piece = malloc(sizeof(*piece) + (size_t)len + 1);
	if (!piece) {
		a->failed = true;
		return "";
	}
	va_start(args, fmt);
	(void)vsnprintf(piece->text, (size_t)len + 1, fmt, args);
	va_end(args);
	piece->next = a->pieces;
	a->pieces = piece;
	return piece->text;
}

bool arena_ok(const struct arena *a)
{
	return !a->failed;
}

void arena_done(struct arena *a)
{
	while (a->pieces) {
		struct arena_piece *next = a->pieces->next;

		free(a->pieces);
		a->pieces = next;
	}
}
