/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row of a table is a test of its own, reported by its own name:
 *
 *	static const struct row { const char *name, *in, *error; } rows[] = { … };
 *	struct CMUnitTest tests[sizeof rows / sizeof *rows];
 *	ROWS(tests, rows, decodes);
 *	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
 *
 * JSON in a row is written with ' and becomes " when it is used: rows_json().
 */
#ifndef ROWS_H
#define ROWS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

/* The test finds its row in *state. */
#define ROWS(tests, rows, run)                                                       \
	do {                                                                         \
		for (size_t row_ = 0; row_ < sizeof(rows) / sizeof *(rows); row_++)  \
			(tests)[row_] = (struct CMUnitTest){                         \
				.name = (rows)[row_].name,                           \
				.test_func = (run),                                  \
				.initial_state = (void *)(uintptr_t) & (rows)[row_], \
			};                                                           \
	} while (0)

/* TEXT with each ' as ", in one of a few static buffers: good until the fourth next call. */
static inline const char *rows_json(const char *text)
{
	static char ring[4][8192];
	static unsigned turn;
	char *out = ring[turn++ % 4];
	size_t n = 0;

	for (; n < sizeof ring[0] - 1 && text[n]; n++)
		out[n] = text[n];
	assert_int_equal(text[n], '\0');
	out[n] = '\0';
	for (char *c = out; *c; c++)
		if (*c == '\'')
			*c = '"';
	return out;
}

#endif
