/* SPDX-License-Identifier: Apache-2.0 */
/* What limits cut, and whose words go first. */
#include "rows.h"
#include "arena.h"
#include "policy/limits.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

#define A63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A253                    \
	A63 "." A63 "." A63 "." \
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/*
 * An entry is its text behind a letter that says whose it is: p policy, n node, r runtime, o the
 * operator (network), 2 the operator (a rule), w the pod (its own words).
 */
static const struct row {
	const char *name, *servers, *searches;
	unsigned most_servers, most_searches, most_chars;
	const char *want_servers, *want_searches;
	const char *warning; /* how it begins; NULL: none */
} rows[] = {
	{ "all within", "p1 p2 p3", "pa pb", 3, 32, 2048, "1 2 3", "a b", NULL },
	{ "the end goes", "p1 p2 p3 p4", "", 3, 32, 2048, "1 2 3", "",
	  "nameserver-limit 4 nameservers, 3 at most: 4 dropped" },
	{ "the operator's goes before the pod's", "p1 o2 o3 w4", "", 3, 32, 2048, "1 2 4", "",
	  "nameserver-limit 4 nameservers, 3 at most: 3 dropped" },
	{ "a rule's goes too, and the last first", "r1 o2 24 w5 w6", "", 3, 32, 2048, "1 5 6", "",
	  "nameserver-limit 5 nameservers, 3 at most: 4, 2 dropped" },
	{ "the base never gives way", "r1 r2 r3 o4 w5", "", 3, 32, 2048, "1 2 3", "",
	  "nameserver-limit 5 nameservers, 3 at most: 4, 5 dropped" },
	{ "the operator's behind the pod's is the end", "p1 w2 o3 o4", "", 3, 32, 2048, "1 2 3", "",
	  "nameserver-limit 4 nameservers, 3 at most: 4 dropped" },
	{ "as many as the operator says", "p1 p2", "", 1, 32, 2048, "1", "",
	  "nameserver-limit 2 nameservers, 1 at most: 2 dropped" },
	{ "searches: the count", "", "pa pb wc", 3, 2, 2048, "", "a b", "search-limit 1 of 3" },
	{ "searches: 253 characters", "", "p" A253 " pb", 3, 32, 2048, "", A253 " b", NULL },
	{ "searches: 254 characters", "", "p" A253 "b pb", 3, 32, 2048, "", "b",
	  "search-limit 1 of 2" },
	{ "searches: the count is cut first, and no slot is filled again", "", "p" A253 "b pb pc",
	  3, 2, 2048, "", "b", "search-limit 2 of 3" },
	{ "searches: all with their blanks within", "", "pabc pdef", 3, 32, 7, "", "abc def",
	  NULL },
	{ "searches: a character too many", "", "pabc pdef", 3, 32, 6, "", "abc",
	  "search-limit 1 of 2" },
};

static void fill(struct resolv_list *list, char *words, struct arena *a)
{
	static const char marks[] = "pnr?o w2";
	static const int from[] = { FROM_POLICY,  FROM_NODE, FROM_RUNTIME, FROM_PREV,
				    FROM_NETWORK, FROM_POD,  FROM_POD,	   FROM_RULE + 1 };

	for (char *word; (word = strsep(&words, " "));)
		if (*word)
			resolv_add(list, resolv_word(word + 1, from[strchr(marks, *word) - marks]),
				   a);
}

static void assert_texts(const struct resolv_list *list, const char *want)
{
	char got[2048] = "";

	for (size_t i = 0; i < list->n; i++)
		(void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i ? " " : "",
			       list->at[i].text);
	assert_string_equal(got, want);
}

static void cuts(void **state)
{
	const struct row *row = *state;
	char servers[1024], searches[1024], told[256];
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	const struct limits limits = { row->most_servers, row->most_searches, row->most_chars };
	static struct resolv r;

	r = (struct resolv){ 0 };
	(void)snprintf(servers, sizeof servers, "%s", row->servers);
	(void)snprintf(searches, sizeof searches, "%s", row->searches);
	fill(&r.nameservers, servers, &arena);
	fill(&r.searches, searches, &arena);
	limits_apply(&r, &limits, &w);
	assert_texts(&r.nameservers, row->want_servers);
	assert_texts(&r.searches, row->want_searches);
	assert_int_equal(w.n, row->warning ? 1 : 0);
	if (row->warning) {
		(void)snprintf(told, sizeof told, "%s %s", w.at[0].kind, w.at[0].text);
		told[strlen(row->warning)] = '\0';
		assert_string_equal(told, row->warning);
	}
}

static void more_than_a_list_holds(void **state UNUSED)
{
	const struct limits limits = { RESOLV_MAX, RESOLV_MAX, 65536 };
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	static struct resolv r;

	r = (struct resolv){ 0 };
	for (size_t i = 0; i <= RESOLV_MAX; i++)
		resolv_add(&r.options, resolv_option("edns0", FROM_POD), &arena);
	limits_apply(&r, &limits, &w);
	assert_int_equal(r.options.n, RESOLV_MAX);
	assert_int_equal(w.n, 1);
	assert_string_equal(w.at[0].kind, "entries-lost");
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(more_than_a_list_holds) };

	return RUN_ROWS("limits", rows, cuts) + RUN_TESTS("bounds", others);
}
