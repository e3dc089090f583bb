/* SPDX-License-Identifier: Apache-2.0 */
/* One configuration over another, as kubelet merges them. */
#include "rows.h"
#include "arena.h"
#include "policy/merge.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const struct row {
	const char *name, *base, *layer, *want;
} rows[] = {
	{ "nothing over nothing", "", "", "" },
	{ "a layer over nothing", "", "search a\nnameserver 1\noptions x:1\n",
	  "search a\nnameserver 1\noptions x:1\n" },
	{ "servers and searches follow", "search a b\nnameserver 1\n", "search c\nnameserver 2\n",
	  "search a b c\nnameserver 1\nnameserver 2\n" },
	{ "each once, the first stays", "search a b\nnameserver 1\n",
	  "search b c a\nnameserver 2\nnameserver 1\n",
	  "search a b c\nnameserver 1\nnameserver 2\n" },
	{ "an empty layer makes the base unique", "search a a\nnameserver 1\nnameserver 1\n", "",
	  "search a\nnameserver 1\n" },
	{ "bytes count: case, a final dot, the spelling of an address",
	  "search a\nnameserver fd00::1\n", "search A a.\nnameserver fd00:0::1\n",
	  "search a A a.\nnameserver fd00::1\nnameserver fd00:0::1\n" },
	{ "an option in the place of the lower one", "options ndots:5 edns0 timeout:2\n",
	  "options timeout:1 ndots:2\n", "options ndots:2 edns0 timeout:1\n" },
	{ "a bare option takes the value away", "options ndots:5\n", "options ndots\n",
	  "options ndots\n" },
	{ "names count whole", "options ndots:5\n", "options ndot:2 ndotss:3\n",
	  "options ndots:5 ndot:2 ndotss:3\n" },
	{ "an option twice in the base: the last value in the first place", "options a:1 b a:2\n",
	  "", "options a:2 b\n" },
	{ "twice in the layer: the last", "options a:1\n", "options a:2 a:3\n", "options a:3\n" },
	{ "an empty value is none", "options a: b:\n", "", "options a b\n" },
	{ "no name and no value is nothing", "options : b\n", "", "options b\n" },
};

static void merges(void **state)
{
	const struct row *row = *state;
	static struct resolv base, layer;
	char lower[512], upper[512];
	auto_arena arena = { 0 };
	auto_text text = TEXT_UP_TO(4096);

	(void)snprintf(lower, sizeof lower, "%s", row->base);
	(void)snprintf(upper, sizeof upper, "%s", row->layer);
	(void)resolv_parse(&base, lower, strlen(lower), RESOLV_VERBATIM, 0, &arena);
	(void)resolv_parse(&layer, upper, strlen(upper), RESOLV_VERBATIM, 1, &arena);
	merge_layer(&base, &layer, &arena);
	resolv_render(&text, &base);
	assert_string_equal(text.at ? text.at : "", row->want);
}

/* What overrides is marked as whose it is; what stays keeps its mark. */
static void marks_tell_whose(void **state UNUSED)
{
	char lower[] = "search a\noptions x:1 y:1\n", upper[] = "search a b\noptions y:2\n";
	static struct resolv base, layer;
	auto_arena arena = { 0 };

	(void)resolv_parse(&base, lower, strlen(lower), RESOLV_VERBATIM, 0, &arena);
	(void)resolv_parse(&layer, upper, strlen(upper), RESOLV_VERBATIM, 1, &arena);
	merge_layer(&base, &layer, &arena);
	assert_int_equal(base.searches.at[0].from, 0);
	assert_int_equal(base.searches.at[1].from, 1);
	assert_int_equal(base.options.at[0].from, 0);
	assert_int_equal(base.options.at[1].from, 1);
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(marks_tell_whose) };

	return RUN_ROWS("merge", rows, merges) + RUN_TESTS("marks", others);
}
