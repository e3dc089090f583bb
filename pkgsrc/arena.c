/* SPDX-License-Identifier: Apache-2.0 */
/* arena.c: strings and lists that live as long as the call. */
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct arena_piece {
	struct arena_piece *next;
	_Alignas(max_align_t) char bytes[];
};

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_piece *piece = malloc(sizeof(*piece) + size);

	if (!piece) {
		a->failed = true;
		return NULL;
	}
	piece->next = a->pieces;
	a->pieces = piece;
	return piece->bytes;
}

const char *arena_print(struct arena *a, const char *fmt, ...)
{
	char soon[256], *text = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(soon, sizeof(soon), fmt, args);
	va_end(args);
	if (len >= 0)
		text = arena_alloc(a, (size_t)len + 1);
	if (!text) {
		a->failed = true;
		return "";
	}
	if ((size_t)len < sizeof(soon))
		return memcpy(text, soon, (size_t)len + 1);
	va_start(args, fmt);
	(void)vsnprintf(text, (size_t)len + 1, fmt, args);
	va_end(args);
	return text;
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
