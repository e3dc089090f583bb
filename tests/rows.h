/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of tests. A row is a test of its own, reported by its own name, its first member:
 *
 *	static const struct row { const char *name, *in, *error; } rows[] = { … };
 *
 *	static void decodes(void **state)
 *	{
 *		const struct row *row = *state;
 *		…
 *
 *	int main(void)
 *	{
 *		return RUN_ROWS("decode", rows, decodes) + RUN_TESTS("others", others);
 *	}
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
#include "base.h"

/* What surrounds a group, and each of its tests; NULL: nothing. STAGE (stage.h) is one. */
struct around {
	CMFixtureFunction enter, setup, teardown;
};

/* Runs a group of struct CMUnitTest. Returns how many failed. */
#define RUN_TESTS(group, tests, ...) \
	run_group((group), (tests), LEN(tests), (struct around){ __VA_ARGS__ })

/* Runs the test function for each row, which it finds in *state. */
#define RUN_ROWS(group, rows, test, ...)                              \
	run_rows((group), (rows), LEN(rows), sizeof((rows)[0]), test, \
		 (struct around){ __VA_ARGS__ })

static inline int run_group(const char *group, const struct CMUnitTest *tests, size_t n,
			    struct around around)
{
	struct CMUnitTest *all = calloc(n + 1, sizeof(*all));
	int failed;

	if (!all)
		abort();
	for (size_t i = 0; i < n; i++) {
		all[i] = tests[i];
		all[i].setup_func = around.setup;
		all[i].teardown_func = around.teardown;
	}
	failed = _cmocka_run_group_tests(group, all, n, around.enter, NULL);
	free(all);
	return failed;
}

static inline int run_rows(const char *group, const void *rows, size_t n, size_t size,
			   CMUnitTestFunction test, struct around around)
{
	struct CMUnitTest *all = calloc(n + 1, sizeof(*all));
	int failed;

	if (!all)
		abort();
	for (size_t i = 0; i < n; i++) {
		const void *row = (const char *)rows + i * size;

		all[i] = (struct CMUnitTest){ .name = *(const char *const *)row,
					      .test_func = test,
					      .initial_state = (void *)(uintptr_t)row };
	}
	failed = run_group(group, all, n, around);
	free(all);
	return failed;
}

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
