/* SPDX-License-Identifier: Apache-2.0 */
/* What a misspelt word was probably meant to be. */
#include "rows.h"
#include "hint.h"

static const char *const candidates[] = { "rules", "mode", "nodeCache", "options", "search", NULL };

static const struct row {
	const char *name, *word, *best; /* NULL: none is near */
} rows[] = {
	{ "a letter is missing", "option", "options" },
	{ "a letter too many", "optionns", "options" },
	{ "another letter", "rulez", "rules" },
	{ "two others", "rullz", "rules" },
	{ "neighbours exchanged", "ruels", "rules" },
	{ "two exchanges", "urlse", "rules" },
	{ "the case alone, however much of it", "NODECACHE", "nodeCache" },
	{ "three letters off", "rubbs!", NULL },
	{ "two of four letters are too many", "node", "mode" },
	{ "two of four letters", "mtu", NULL },
	{ "nothing like it", "ipMasq", NULL },
	{ "nothing", "", NULL },
	{ "longer than any key",
	  "optionsoptionsoptionsoptionsoptionsoptionsoptionsoptionsoptionsoptions", NULL },
};

static void finds_the_nearest(void **state)
{
	const struct row *row = *state;
	struct hint hint = HINT(row->word);

	for (size_t i = 0; candidates[i]; i++)
		hint_try(&hint, candidates[i]);
	if (!row->best)
		assert_null(hint.best);
	else
		assert_string_equal(hint.best, row->best);
}

int main(void)
{
	return RUN_ROWS("hint", rows, finds_the_nearest);
}
