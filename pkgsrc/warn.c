/* SPDX-License-Identifier: Apache-2.0 */
/* warn.c: collects warnings, which main prints and the record keeps. */
#include "warn.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

void warn(struct warnings *w, const char *kind, const char *fmt, ...)
{
	char text[1024], shown[1536];
	va_list args;

	if (!w->at)
		w->at = arena_alloc(w->arena, WARNINGS_MAX * sizeof(*w->at));
	if (!w->at) {
		w->lost++;
		return;
	}
	if (w->n == WARNINGS_MAX) {
		w->at[w->n - 1] = (struct warning){
			.kind = "warnings-lost",
			.text = arena_print(w->arena, "%zu more warnings", ++w->lost + 1),
			.pod = w->pod,
		};
		return;
	}
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text_escape(shown, sizeof(shown), text);
	w->at[w->n++] = (struct warning){
		.kind = kind,
		.text = arena_print(w->arena, "%s", shown),
		.pod = w->pod,
	};
}
