/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of JSON whose faults are their own: what a table of the plugin's does not show. */
#include "json.h"
#include "rows.h"

#include <string.h>

/* Words whose list is longer than an error may be. */
static const char *const words[] = {
	"a-word-of-some-length-0",
	"a-word-of-some-length-1",
	"a-word-of-some-length-2",
	"a-word-of-some-length-3",
	"a-word-of-some-length-4",
	"a-word-of-some-length-5",
	"a-word-of-some-length-6",
	"a-word-of-some-length-7",
	"a-word-of-some-length-8",
	"a-word-of-some-length-9",
	"the-tenth-word-of-all",
	"the-last",
	NULL,
};

struct choice {
	int word;
};

static const struct json_row rows[] = {
	JSON_ROW("word", json_read_word, struct choice, word, .words = words),
};
static const struct json_table table = JSON_TABLE(rows, 0);

static bool read_choice(const char *text, struct choice *choice, struct err *e)
{
	json_auto_t *document = json_read(text, strlen(text), false, e);

	assert_non_null(document);
	return json_decode(document, &table, choice, e);
}

static void any_word_is_known(void **state UNUSED)
{
	struct choice choice = { .word = -1 };
	struct err err = { 0 };
	char text[64];

	for (int i = 0; words[i]; i++) {
		(void)snprintf(text, sizeof(text), "{'word':'%s'}", words[i]);
		if (!read_choice(rows_json(text), &choice, &err))
			fail_msg("%s", err.text);
		assert_int_equal(choice.word, i);
	}
}

static const struct unknown {
	const char *name, *in, *got;
} unknowns[] = {
	{ "no such word", "{'word':'other'}", "got \"other\"" },
	{ "a part of one", "{'word':'the-las'}", "got \"the-las\" (did you mean \"the-last\"?)" },
	{ "more than one", "{'word':'the-last '}",
	  "got \"the-last \" (did you mean \"the-last\"?)" },
	{ "a number", "{'word':1}", "got 1" },
};

/* The words that fit, and the value. */
static void says_what_it_knows(void **state)
{
	static const char begins[] = "word: expected one of a-word-of-some-length-0, a-word-";
	const struct unknown *unknown = *state;
	struct choice choice = { .word = -1 };
	struct err err = { 0 };
	size_t len, tail = strlen(unknown->got);

	assert_false(read_choice(rows_json(unknown->in), &choice, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	assert_int_equal(choice.word, -1);
	len = strlen(err.text);
	assert_true(len > tail && len < sizeof(err.text) - 1);
	assert_int_equal(strncmp(err.text, begins, strlen(begins)), 0);
	assert_string_equal(err.text + len - tail, unknown->got);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(any_word_is_known) };

int main(void)
{
	return RUN_TESTS("json: words", tests) +
	       RUN_ROWS("json: other words", unknowns, says_what_it_knows);
}
