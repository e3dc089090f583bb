/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that fit a terminal: words that do not fit begin another, and none is cut. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rows.h"
#include "pod-dnsctl/cli/columns.h"

#define TEN "0123456789"

static const struct row {
	const char *name;
	size_t width;
	const char *words[6];
	const char *line;
} rows[] = {
	{ "words", 0, { "a", "b" }, "a b\n" },
	{ "columns", 4, { "a", "b" }, "a   b\n" },
	{ "a word that fills its column", 2, { "ab", "c", "d" }, "ab c d\n" },
	{ "one that is too long for a line",
	  0,
	  { TEN TEN TEN TEN TEN TEN TEN TEN "x", "y" },
	  TEN TEN TEN TEN TEN TEN TEN TEN "x\n  y\n" },
	{ "the eightieth column", 0, { TEN TEN TEN TEN TEN TEN TEN "123456789" }, NULL },
	{ "one that would go beyond",
	  0,
	  { TEN TEN TEN TEN TEN TEN TEN, TEN },
	  TEN TEN TEN TEN TEN TEN TEN "\n  " TEN "\n" },
	{ "a control character", 0, { "\033[2J" }, "\\x1b[2J\n" },
};

static void fits(void **state)
{
	const struct row *row = *state;
	struct columns line = { .indent = 2 };
	struct out out;
	char *text;
	size_t size;

	out_open(&out, open_memstream(&text, &size));
	line.out = &out;
	for (size_t i = 0; row->words[i]; i++)
		columns_put(&line, OUT_PLAIN, row->width, row->words[i]);
	columns_end(&line);
	(void)fclose(out.to);
	if (row->line)
		assert_string_equal(text, row->line);
	else
		assert_null(strchr(text, '\n')[1] ? "more than a line" : NULL);
	free(text);
}

static void wraps(void **state UNUSED)
{
	struct out out;
	char *text;
	size_t size;

	out_open(&out, open_memstream(&text, &size));
	columns_wrap(&out, OUT_PLAIN, 4, " " TEN TEN TEN TEN TEN TEN TEN "  a " TEN " ");
	(void)fclose(out.to);
	assert_string_equal(text, "    " TEN TEN TEN TEN TEN TEN TEN " a\n    " TEN "\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(wraps) };

	return RUN_ROWS("columns", rows, fits) + RUN_TESTS("columns_wrap", tests);
}
