/* SPDX-License-Identifier: Apache-2.0 */
/* One error, or with a list all of them. */
#include "rows.h"
#include "arena.h"
#include "json.h"

#include <stdio.h>
#include <string.h>

struct inner {
	const char *name;
	unsigned size;
};

struct outer {
	int word;
	JSON_LIST(struct inner, 4) list;
	const json_t *items;
	struct inner one;
};

static const char *const words[] = { "first", "second", NULL };

static const struct json_row inner_rows[] = {
	JSON_ROW("name", json_read_string, struct inner, name, .required = true),
	JSON_ROW("size", json_read_uint, struct inner, size, .min = 1, .max = 9),
};
static const struct json_table inner_table = JSON_TABLE(inner_rows, 0);
static const struct json_row outer_rows[] = {
	JSON_ROW("word", json_read_word, struct outer, word, .words = words),
	JSON_ROW("list", json_read_list, struct outer, list, .item = json_read_object,
		 .table = &inner_table, .size = sizeof(struct inner), .max = 4),
	JSON_ROW("items", json_read_items, struct outer, items, .item = json_read_addr, .max = 4),
	JSON_ROW("one", json_read_object, struct outer, one, .table = &inner_table,
		 .alias = "eins"),
};
static const struct json_table outer_table = JSON_TABLE(outer_rows, 0);

static const struct row {
	const char *name, *in;
	const char *faults; /* a line each: PATH|TEXT|HINT */
} rows[] = {
	{ "nothing wrong", "{'word':'first'}", "" },
	{ "no object", "[]", "|expected an object, got []|\n" },
	{ "an unknown key", "{'wrod':'first'}",
	  "wrod|unknown key (did you mean \"word\"?)|word\n" },
	{ "a word", "{'word':'frist'}",
	  "word|expected one of first, second, got \"frist\" (did you mean \"first\"?)|first\n" },
	{ "all of several",
	  "{'word':5,'x-x':1,'one':{'name':'','size':10},'items':['::1','b','c']}",
	  "x-x|unknown key|\n"
	  "word|expected one of first, second, got 5|\n"
	  "items[1]|\"b\" is not an IP address|\n"
	  "items[2]|\"c\" is not an IP address|\n"
	  "one.name|must not be empty|\n"
	  "one.size|expected an integer from 1 to 9, got 10|\n" },
	{ "within items of a list", "{'list':[{'name':'a'},{'size':0},{'nam':'b','size':1}]}",
	  "list[1].name|missing|\n"
	  "list[1].size|expected an integer from 1 to 9, got 0|\n"
	  "list[2].nam|unknown key (did you mean \"name\"?)|name\n"
	  "list[2].name|missing|\n" },
	{ "a list's length alone", "{'list':[1,2,3,4,5]}", "list|5 entries, 4 at most|\n" },
	{ "the path of another spelling", "{'eins':{}}", "eins.name|missing|\n" },
	{ "both spellings", "{'one':{},'eins':{}}", "one|the same key as eins: set only one|\n" },
};

static void files_all(void **state)
{
	const struct row *row = *state;
	auto_arena arena = { 0 };
	struct err_list list = { .arena = &arena };
	struct err e = { .list = &list };
	struct outer out = { 0 };
	json_t *document = json_loads(rows_json(row->in), 0, NULL);
	char got[1024] = "";
	bool good;

	assert_non_null(document);
	good = json_decode(document, &outer_table, &out, &e);
	if (!good)
		assert_true(err_next(&e));
	assert_int_equal(e.code, 0);
	assert_int_equal(good, !*row->faults);
	for (size_t i = 0; i < list.n; i++)
		(void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s|%s|%s\n",
			       list.at[i].path, list.at[i].text,
			       list.at[i].hint ? list.at[i].hint : "");
	assert_string_equal(got, row->faults);
	assert_string_equal(list.path, "");
	json_decref(document);
}

/* Without a list the first is the error, whole. */
static void stops_at_the_first(void **state)
{
	const struct row *row = *state;
	const char *bar = strchr(row->faults, '|');
	struct err e = { 0 };
	struct outer out = { 0 };
	json_t *document = json_loads(rows_json(row->in), 0, NULL);
	char want[256];

	if (json_decode(document, &outer_table, &out, &e)) {
		assert_string_equal(row->faults, "");
	} else {
		(void)snprintf(want, sizeof want, "%.*s: %.*s", (int)(bar - row->faults),
			       row->faults, (int)strcspn(bar + 1, "|"), bar + 1);
		assert_string_equal(e.text, want);
		assert_int_equal(e.code, ERR_CONFIG);
	}
	json_decref(document);
}

static void the_first_report_wins(void **state UNUSED)
{
	struct err e = { 0 };

	assert_false(err_set(&e, ERR_IO, "%s", "one"));
	assert_false(err_set(&e, ERR_CONFIG, "%s", "two"));
	assert_false(err_in(&e, "%s: ", "step"));
	assert_string_equal(e.text, "step: one");
	assert_int_equal(e.code, ERR_IO);
	assert_false(err_next(&e));
	assert_int_equal(e.code, ERR_IO);
}

static void an_echo_is_not_filed(void **state UNUSED)
{
	static const char *const told[] = { "a.b[1]: x", "a.b[1]: y",	"a.b: z",    "a: u",
					    "a.bc: v",	 "a.b[1].c: w", "a.bc[0]: t" };
	auto_arena arena = { 0 };
	struct err_list list = { .arena = &arena };
	struct err e = { .list = &list };

	for (size_t i = 0; i < LEN(told); i++) {
		assert_false(err_set(&e, ERR_CONFIG, "%s", told[i]));
		assert_true(err_next(&e));
	}
	assert_int_equal(list.n, 2);
	assert_string_equal(list.at[0].path, "a.b[1]");
	assert_string_equal(list.at[1].path, "a.bc");
}

/* Who does not want to know why gives no struct err. */
static void nobody_may_want_to_know(void **state UNUSED)
{
	struct outer out = { 0 };
	json_t *document = json_loads(rows_json("{'wrod':1,'word':'frist'}"), 0, NULL);

	assert_false(json_decode(document, &outer_table, &out, NULL));
	(void)json_object_del(document, "wrod");
	assert_false(json_decode(document, &outer_table, &out, NULL));
	assert_false(err_next(NULL));
	json_decref(document);
}

static void a_full_list_counts(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct err_list list = { .arena = &arena };
	struct err e = { .list = &list };

	for (size_t i = 0; i < ERR_LIST_MAX + 3; i++) {
		(void)err_set(&e, ERR_CONFIG, "k%zu: bad", i);
		assert_true(err_next(&e));
	}
	assert_int_equal(list.n, ERR_LIST_MAX);
	assert_int_equal(list.lost, 3);
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(the_first_report_wins),
		cmocka_unit_test(an_echo_is_not_filed),
		cmocka_unit_test(a_full_list_counts),
		cmocka_unit_test(nobody_may_want_to_know),
	};

	return RUN_ROWS("all faults", rows, files_all) +
	       RUN_ROWS("the first fault", rows, stops_at_the_first) + RUN_TESTS("errors", others);
}
