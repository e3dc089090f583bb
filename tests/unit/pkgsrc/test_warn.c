/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings: their bound, and what is left of them without memory. */
#include "rows.h"
#include "scarce.h"
#include "warn.h"

static void are_counted_beyond_their_bound(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };

	for (int i = 0; i < WARNINGS_MAX + 3; i++)
		warn(&w, "kind", "%d", i);
	assert_int_equal(w.n, WARNINGS_MAX);
	assert_string_equal(w.at[0].text, "0");
	assert_string_equal(w.at[WARNINGS_MAX - 1].text, "4 more warnings");
}

/* There are fewer of them, or their text is empty. */
static void are_lost_without_memory(void **state UNUSED)
{
	for (size_t left = 0; left < 3; left++) {
		auto_arena arena = { 0 };
		struct warnings w = { .arena = &arena };

		scarce_left = left;
		warn(&w, "kind", "text");
		scarce_left = SCARCE_NOT;
		assert_int_equal(w.n + w.lost, 1);
		assert_int_equal(w.n, left > 0);
		assert_int_equal(arena_ok(&arena), left > 1);
		if (w.n)
			assert_string_equal(w.at[0].text, left > 1 ? "text" : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(are_counted_beyond_their_bound),
		cmocka_unit_test(are_lost_without_memory),
	};

	return RUN_TESTS("warnings", tests);
}
