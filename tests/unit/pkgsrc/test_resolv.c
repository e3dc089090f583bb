/* SPDX-License-Identifier: Apache-2.0 */
/* resolv.conf: read, written, and the one the inverse of the other. */
#include "rows.h"
#include "scarce.h"
#include "resolv.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/*** reading ***/

static const struct row {
	const char *name, *in;
	const char *node, *verbatim; /* what each dialect makes of it; NULL: as `node` */
} rows[] = {
	{ "nothing", "", "", NULL },
	{ "in any order, written in ours", "options a\nnameserver 1.1.1.1\nsearch x\n",
	  "search x\nnameserver 1.1.1.1\noptions a\n", NULL },
	{ "no final line break", "nameserver 1.1.1.1", "nameserver 1.1.1.1\n", NULL },
	{ "indented", "\t nameserver 1.1.1.1\n", "nameserver 1.1.1.1\n", NULL },
	{ "carriage returns", "search a\r\nnameserver 1.1.1.1\r\n",
	  "search a\nnameserver 1.1.1.1\n", NULL },
	{ "comments", "# a\n  #b\n;search c\nsearch d #e\n", "search d #e\n", NULL },
	{ "the last search wins", "search a b\nsearch c\n", "search c\n", NULL },
	{ "also an empty one", "search a b\nsearch\n", "", NULL },
	{ "options add up", "options a\noptions b c\n", "options a b c\n", NULL },
	{ "options of one name", "options n:1 x\noptions n:2\n", "options n:2 x\n",
	  "options n:1 x n:2\n" },
	{ "a final dot", "search a. b.. .\n", "search a b.\n", "search a. b.. .\n" },
	{ "more than a server", "nameserver 1.1.1.1 2.2.2.2\n", "nameserver 1.1.1.1\n", NULL },
	{ "servers are not judged", "nameserver dns%eth0\n", "nameserver dns%eth0\n", NULL },
	{ "keywords in full", "nameservers 1.1.1.1\nSearch a\noption b\ndomain c\n", "", NULL },
	{ "wide blanks",
	  "search\xe2\x80\x83"
	  "a\xc2\xa0"
	  "b\n",
	  "search a b\n", NULL },
};

static char *render(const struct resolv *r)
{
	struct text t = TEXT_UP_TO(1 << 20);

	resolv_render(&t, r);
	assert_true(text_ok(&t));
	return t.at ? t.at : strdup("");
}

static void reads_as(const char *in, enum resolv_dialect dialect, const char *want)
{
	char *copy = strdup(in), *out;
	auto_arena arena = { 0 };
	struct resolv r;

	assert_non_null(copy);
	assert_int_equal(resolv_parse(&r, copy, strlen(copy), dialect, 0, &arena), 0);
	out = render(&r);
	assert_string_equal(out, want);
	free(out);
	free(copy);
}

static void reads(void **state)
{
	const struct row *row = *state;

	reads_as(row->in, RESOLV_NODE, row->node);
	reads_as(row->in, RESOLV_VERBATIM, row->verbatim ? row->verbatim : row->node);
}

static void tells_the_faulty_line(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct resolv r;
	char text[] = "search a\n\nnameserver \nnameserver\nnameserver 1.1.1.1\n";

	assert_int_equal(resolv_parse(&r, text, strlen(text), RESOLV_NODE, 0, &arena), 3);
}

static void marks_and_keys(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct resolv r;
	char text[] = "options ndots:5 edns0 a:b:c\n";

	assert_int_equal(resolv_parse(&r, text, strlen(text), RESOLV_NODE, 7, &arena), 0);
	assert_int_equal(r.options.at[0].from, 7);
	assert_int_equal(r.options.at[0].key, 5);
	assert_string_equal(resolv_option_value(&r.options.at[0]), "5");
	assert_int_equal(r.options.at[1].key, 5);
	assert_null(resolv_option_value(&r.options.at[1]));
	assert_int_equal(r.options.at[2].key, 1);
	assert_ptr_equal(resolv_find_key(&r.options, "edns0", 5), &r.options.at[1]);
	assert_null(resolv_find_key(&r.options, "ndot", 4));
}

static void a_nul_ends_no_word(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct resolv r;
	char text[] = "nameserver 1.1.1.1\0evil\n";

	assert_int_equal(resolv_parse(&r, text, sizeof text - 1, RESOLV_VERBATIM, 0, &arena), 0);
	assert_int_equal(r.nameservers.n, 1);
	assert_false(text_is_word(r.nameservers.at[0].text));
}

static void counts_what_is_lost(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct resolv r = { .searches.n = 0 };

	for (int i = 0; i < RESOLV_MAX + 3; i++)
		resolv_add(&r.searches, resolv_word("a", 0), &arena);
	assert_int_equal(r.searches.n, RESOLV_MAX);
	assert_int_equal(r.searches.lost, 3);
	resolv_remove(&r.searches, 0, &arena);
	assert_int_equal(r.searches.n, RESOLV_MAX - 1);
}

/*** lists that share an array ***/

static void expect_words(const struct resolv_list *list, const char *want)
{
	char got[64] = "";

	for (size_t i = 0; i < list->n; i++)
		(void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s", list->at[i].text);
	assert_string_equal(got, want);
}

/* What is done to a copy of the list "abcd", and what the copy is then. */
struct change {
	const char *name;
	void (*make)(struct resolv_list *copy, struct arena *a);
	const char *want;
};

static void add(struct resolv_list *copy, struct arena *a)
{
	resolv_add(copy, resolv_word("x", 0), a);
}

static void add_behind_the_shortened(struct resolv_list *copy, struct arena *a)
{
	copy->n = 2;
	resolv_add(copy, resolv_word("x", 0), a);
}

static void replace(struct resolv_list *copy, struct arena *a)
{
	resolv_replace(copy, 1, resolv_word("x", 0), a);
}

static void remove_first(struct resolv_list *copy, struct arena *a)
{
	resolv_remove(copy, 0, a);
}

static void remove_last(struct resolv_list *copy, struct arena *a)
{
	resolv_remove(copy, 3, a);
}

static void remove_and_add(struct resolv_list *copy, struct arena *a)
{
	resolv_remove(copy, 2, a);
	resolv_add(copy, resolv_word("x", 0), a);
}

static const struct change changes[] = {
	{ "an entry more", add, "abcdx" },
	{ "an entry in the place of one that was cut off", add_behind_the_shortened, "abx" },
	{ "an entry replaced", replace, "axcd" },
	{ "the first removed", remove_first, "bcd" },
	{ "the last removed", remove_last, "abc" },
	{ "one removed, one added", remove_and_add, "abdx" },
};

/* Changes one of two copies: the other keeps. */
static void changes_one_alone(void **state)
{
	const struct change *row = *state;
	char text[] = "search a b c d\n";
	auto_arena arena = { 0 };
	struct resolv_list one, other;
	struct resolv r;

	(void)resolv_parse(&r, text, strlen(text), RESOLV_VERBATIM, 0, &arena);
	one = other = r.searches;
	row->make(&one, &arena);
	expect_words(&one, row->want);
	expect_words(&other, "abcd");
	row->make(&other, &arena);
	expect_words(&one, row->want);
	expect_words(&other, row->want);
	expect_words(&r.searches, "abcd");
}

/* Loops that remove until nothing is left end also without memory. */
static void ends_without_memory(void **state)
{
	const struct change *row = *state;
	char text[] = "search a b c d\n";
	auto_arena arena = { 0 };
	struct resolv_list list;
	struct resolv r;

	(void)resolv_parse(&r, text, strlen(text), RESOLV_VERBATIM, 0, &arena);
	list = r.searches;
	scarce_left = 0;
	row->make(&list, &arena);
	assert_false(arena_ok(&arena));
	assert_true(list.n <= 4);
	for (size_t i = 0; i < list.n; i++)
		assert_string_equal(list.at[i].text, r.searches.at[i].text);
	while (list.n)
		resolv_remove(&list, list.n / 2, &arena);
	scarce_left = SCARCE_NOT;
	expect_words(&r.searches, "abcd");
}

/*
 * A file may be as long as its reader allows, and full of lines that count for nothing: the memory
 * is that of one list.
 */
static void needs_little_for_a_long_text(void **state UNUSED)
{
	enum { LINES = 10000 };
	static const char search[] = "search a b c d e f g h\n", option[] = "options a:1 a:2\n";
	auto_text text = TEXT_UP_TO(1 << 20);
	auto_arena arena = { 0 };
	struct resolv r;

	for (int i = 0; i < LINES; i++)
		text_print(&text, "%s%s", search, option);
	assert_true(text_ok(&text));
	scarce_left = 16;
	(void)resolv_parse(&r, text.at, text.len, RESOLV_NODE, 0, &arena);
	scarce_left = SCARCE_NOT;
	assert_int_equal(r.searches.n, 8);
	assert_int_equal(r.options.n, 1);
	assert_true(arena_ok(&arena));
}

/*** generated lists ***/

static uint32_t seed;

static uint32_t draw(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

/* Words that try to look like something else: keywords, comments, dots, letters of others. */
static const char *word(void)
{
	static const char *const words[] = {
		"a.example", "search",	  "nameserver", "options",  "#",      "#x", ";",
		".",	     "..",	  "a.",		"ndots:5",  "ndots:", ":",  "x:1:2",
		"ndots",     "192.0.2.1", "::1",	"\xc3\xbc", "-",      "%"
	};

	return words[draw(LEN(words))];
}

static void fill(struct resolv_list *list, bool options, struct arena *a)
{
	*list = (struct resolv_list){ 0 };
	for (uint32_t n = draw(6); n; n--)
		resolv_add(list, options ? resolv_option(word(), 0) : resolv_word(word(), 0), a);
}

/*
 * containerd's parseDNSOptions (internal/cri/server/podsandbox/sandbox_run_linux.go), told again:
 * "search %s\n", "nameserver %s\n" joined by nothing, "options %s\n", each only where it has
 * entries.
 */
static void containerd_writes(char *out, size_t room, const struct resolv *r)
{
	const struct resolv_list *s = &r->searches, *o = &r->options;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += (size_t)snprintf(out + n, room - n, "%s%s%s", i ? "" : "search ",
				      s->at[i].text, i + 1 < s->n ? " " : "\n");
	for (size_t i = 0; i < r->nameservers.n; i++)
		n += (size_t)snprintf(out + n, room - n, "nameserver %s\n",
				      r->nameservers.at[i].text);
	for (size_t i = 0; i < o->n; i++)
		n += (size_t)snprintf(out + n, room - n, "%s%s%s", i ? "" : "options ",
				      o->at[i].text, i + 1 < o->n ? " " : "\n");
	out[n] = '\0';
}

static void renders_as_containerd_and_reads_back(void **state UNUSED)
{
	static struct resolv r;
	char theirs[4096];

	for (seed = 1; seed < 2000000; seed += 997) {
		auto_arena arena = { 0 };
		uint32_t kept = seed;
		char *first;

		fill(&r.nameservers, false, &arena);
		fill(&r.searches, false, &arena);
		fill(&r.options, true, &arena);
		first = render(&r);
		containerd_writes(theirs, sizeof theirs, &r);
		assert_string_equal(first, theirs);
		reads_as(first, RESOLV_VERBATIM, first);
		free(first);
		seed = kept;
	}
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(tells_the_faulty_line),
		cmocka_unit_test(marks_and_keys),
		cmocka_unit_test(a_nul_ends_no_word),
		cmocka_unit_test(counts_what_is_lost),
		cmocka_unit_test(needs_little_for_a_long_text),
		cmocka_unit_test(renders_as_containerd_and_reads_back),
	};

	return RUN_ROWS("resolv", rows, reads) +
	       RUN_ROWS("two lists of one array", changes, changes_one_alone) +
	       RUN_ROWS("without memory", changes, ends_without_memory) +
	       RUN_TESTS("resolv lists", others);
}
