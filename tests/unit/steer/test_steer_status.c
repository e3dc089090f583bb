/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel's tables say of a pair, also if the pod's root has changed them. */
#include "rows.h"
#include "steer/steer_status.c"

#include <sched.h>
#include <stdlib.h>

static struct err err;

static void enter(struct nl *nl, const char *nft)
{
	char command[512];

	err_clear(&err);
	assert_int_equal(unshare(CLONE_NEWNET), 0);
	(void)snprintf(command, sizeof(command), "%s", nft);
	assert_int_equal(system(command), 0);
	if (!nl_open_in(nl, -1, &err))
		fail_msg("%s", err.text);
}

static const struct row {
	const char *name, *nft;
	bool there, dormant;
	uint64_t to_cache, to_fallback, answers; /* of the second pair */
} rows[] = {
	{ "no table", "true", .there = false },
	{ "a table without counters", "nft add table ip pod-dns", .there = true },
	{ "a dormant table", "nft 'add table ip pod-dns { flags dormant; }'", .there = true,
	  .dormant = true },
	{ "counters of two pairs",
	  "nft 'table ip pod-dns { counter to-cache-1 { packets 1 bytes 1; }; "
	  "counter to-cache-2 { packets 5 bytes 1; }; counter to-fallback-2 { packets 6 bytes 1; "
	  "}; "
	  "counter answers-2 { packets 7 bytes 1; }; }'",
	  .there = true, .to_cache = 5, .to_fallback = 6, .answers = 7 },
	{ "a counter that a pod's root has set",
	  "nft 'table ip pod-dns { counter to-cache-1 { packets 1 bytes 1; }; "
	  "counter to-cache-2 { packets 18446744073709551615 bytes 1; }; "
	  "counter to-fallback-2 { packets 9223372036854775808 bytes 1; }; }'",
	  .there = true, .to_cache = INT64_MAX, .to_fallback = INT64_MAX },
	{ "a quota in the place of a counter",
	  "nft 'table ip pod-dns { quota to-cache-1 { over 5 bytes; }; }'", .there = true },
	{ "many rules and chains of others",
	  "(echo add table ip pod-dns; echo add counter ip pod-dns to-cache-1; echo add counter ip "
	  "pod-dns to-cache-2 '{ packets 3 bytes 3; }'; echo add table ip other; for i in $(seq "
	  "20000); do echo add chain ip other x$i; echo add chain ip pod-dns y$i; done) | nft -f -",
	  .there = true, .to_cache = 3 },
};

static void reads_a_table(void **state)
{
	const struct row *row = *state;
	struct steer_table_status table;
	auto_nl nl = NL_CLOSED;

	enter(&nl, row->nft);
	if (!read_table(&table, &nl, false, &err))
		fail_msg("%s", err.text);
	assert_int_equal(table.there, row->there);
	assert_int_equal(table.dormant, row->dormant);
	assert_true(table.counts[1].to_cache == row->to_cache);
	assert_true(table.counts[1].to_fallback == row->to_fallback);
	assert_true(table.counts[1].answers == row->answers);
}

/* One pod with any counter must not make the sum of all pods wrap. */
static void sums_saturate(void **state UNUSED)
{
	struct steer_status_total total = { 0 };
	struct steer_status one = { .n = 1 };

	one.at[0].counts = (struct steer_counts){ .to_cache = INT64_MAX, .to_fallback = 4 };
	for (int i = 0; i < 3; i++)
		steer_status_add(&total, &one);
	assert_int_equal(total.n, 1);
	assert_true(total.at[0].counts.to_cache == INT64_MAX);
	assert_true(total.at[0].counts.to_fallback == 12);
}

static void needs_root(void **state UNUSED)
{
	skip();
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(sums_saturate) };
	static const struct CMUnitTest skipped[] = { cmocka_unit_test(needs_root) };

	if (geteuid() != 0)
		return RUN_TESTS("status", tests) + RUN_TESTS("status: tables", skipped);
	return RUN_TESTS("status", tests) + RUN_ROWS("status: tables", rows, reads_a_table);
}
