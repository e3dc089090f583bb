/* SPDX-License-Identifier: Apache-2.0 */
/* What may be printed, and output that latches. */
#include "rows.h"
#include "text.h"

#include <string.h>

static const struct row {
	const char *name, *in, *escaped;
	bool word;
} rows[] = {
	{ "plain", "ndots:5", "ndots:5", true },
	{ "empty", "", "", false },
	{ "blank", "a b", "a b", false },
	{ "tab", "a\tb", "a\\x09b", false },
	{ "line break", "a\nnameserver 6.6.6.6", "a\\x0anameserver 6.6.6.6", false },
	{ "escape sequence", "\033[2J", "\\x1b[2J", false },
	{ "delete", "a\177", "a\\x7f", false },
	{ "C1 control", "a\xc2\x9b", "a\\x9b", false },
	{ "next line", "\xc2\x85", "\\x85", false },
	{ "no-break space", "a\xc2\xa0", "a\xc2\xa0", false },
	{ "ideographic space", "\xe3\x80\x80", "\xe3\x80\x80", false },
	{ "letters of others", "b\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80",
	  "b\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80", true },
	{ "stray byte", "a\x80", "a\\x80", false },
	{ "cut short", "a\xe2\x82", "a\\xe2\\x82", false },
	{ "overlong slash", "\xc0\xaf", "\\xc0\\xaf", false },
	{ "overlong NUL", "\xe0\x80\x80", "\\xe0\\x80\\x80", false },
	{ "surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", false },
	{ "beyond Unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", false },
	{ "soft hyphen",
	  "a\xc2\xad"
	  "b",
	  "a\\xadb", true },
	{ "right-to-left override",
	  "a\xe2\x80\xae"
	  "b",
	  "a\\u202eb", true },
	{ "first of the bidi isolates", "\xe2\x81\xa6", "\\u2066", true },
	{ "Arabic letter mark", "\xd8\x9c", "\\u061c", true },
	{ "line separator", "a\xe2\x80\xa8", "a\\u2028", false },
	{ "paragraph separator", "a\xe2\x80\xa9", "a\\u2029", false },
	{ "zero-width space", "\xe2\x80\x8b", "\\u200b", true },
	{ "zero-width no-break space", "\xef\xbb\xbf", "\\ufeff", true },
	{ "last before the formats", "\xe2\x80\x8a", "\xe2\x80\x8a", false },
	{ "hyphen, after the formats", "\xe2\x80\x90", "\xe2\x80\x90", true },
	{ "a tag, beyond 16 bits", "\xf3\xa0\x80\xa1", "\\U000e0021", true },
	{ "never UTF-8", "\xff", "\\xff", false },
};

static void shows(void **state)
{
	const struct row *row = *state;
	char out[64];

	assert_int_equal(text_is_word(row->in), row->word);
	text_escape(out, sizeof out, row->in);
	assert_string_equal(out, row->escaped);
}

static void tells_utf8(void **state UNUSED)
{
	assert_true(text_is_utf8(""));
	assert_true(text_is_utf8("a b\n\xe2\x82\xac"));
	assert_false(text_is_utf8("a\x80"));
	assert_false(text_is_utf8("\xed\xa0\x80"));
	assert_false(text_is_utf8("nameserver\xe2\x82"));
}

static void escape_is_cut_whole(void **state UNUSED)
{
	char out[8];

	text_escape(out, 8, "abcd\033e"); /* four and four do not fit with the NUL */
	assert_string_equal(out, "abcd");
	text_escape(out, 4, "ab\xe2\x82\xac");
	assert_string_equal(out, "ab");
	text_escape(out, 1, "a");
	assert_string_equal(out, "");
}

static void latches(void **state UNUSED)
{
	struct text t = TEXT_UP_TO(5);

	text_print(&t, "%s", "abc");
	text_put(&t, "de", 2);
	assert_true(text_ok(&t));
	assert_string_equal(t.at, "abcde");
	text_put(&t, "f", 1);
	assert_false(text_ok(&t));
	text_put(&t, "", 0);
	assert_false(text_ok(&t));
	assert_string_equal(t.at, "abcde");
	text_done(&t);
	assert_true(text_ok(&t));
	text_print(&t, "%d", 12345);
	assert_string_equal(t.at, "12345");
	text_done(&t);
}

static void grows(void **state UNUSED)
{
	struct text t = TEXT_UP_TO(1 << 20);

	for (int i = 0; i < 10000; i++)
		text_print(&t, "%04d\n", i);
	assert_true(text_ok(&t));
	assert_int_equal(t.len, 50000);
	assert_string_equal(t.at + 49995, "9999\n");
	text_done(&t);
}

static void is_cut(void **state UNUSED)
{
	auto_text t = TEXT_UP_TO(1 << 20);

	text_cut(&t, 0);
	assert_null(t.at);
	text_print(&t, "%s", "abc");
	text_cut(&t, 4);
	assert_string_equal(t.at, "abc");
	text_cut(&t, 1);
	text_put(&t, "d", 1);
	assert_string_equal(t.at, "ad");
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(tells_utf8),
					     cmocka_unit_test(escape_is_cut_whole),
					     cmocka_unit_test(latches), cmocka_unit_test(grows),
					     cmocka_unit_test(is_cut) };

	return RUN_ROWS("text", rows, shows) + RUN_TESTS("text under construction", others);
}
