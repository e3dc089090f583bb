/* SPDX-License-Identifier: Apache-2.0 */
/* Each counter of the tables is taken for what it counts, by the words of its rule. */
#include <stdio.h>
#include <string.h>
#include "rows.h"
#include "pod-dnsctl/inventory/steered.c"
#include "steer/rules/rules.h"

#include "nft/nft_counter.c"

static struct steering steering_of(enum steer mode, bool fail_open, bool features)
{
	struct steering s = { .mode = mode,
			      .fail_open = fail_open,
			      .tcp = true,
			      .alive = 250,
			      .grace = 250,
			      .down = 86400000,
			      .probes = 4,
			      .n = 2 };

	for (size_t i = 0; i < 2; i++) {
		s.features[i].dup = s.features[i].socket = features;
		assert_true(addr_parse(&s.at[i].cluster, i ? "10.96.0.11" : "10.96.0.10"));
		assert_true(addr_parse(&s.at[i].cache, i ? "169.254.20.11" : "169.254.20.10"));
		s.at[i].fallback = s.at[i].cluster;
	}
	return s;
}

/* Of UDP, and of queries on their way or answers to them: it must be known what they count. */
static bool must_be_known(const char *chain)
{
	static const char *const own[] = { "direct-query", "query",  "switch",
					   "decide",	   "probe-", "answer" };

	for (size_t i = 0; i < LEN(own); i++)
		if (strncmp(chain, own[i], strlen(own[i])) == 0)
			return true;
	return false;
}

/* Gives each counter of the table one packet. */
static size_t count_all(struct steered_table *table, const struct steering *s)
{
	static char memory[STEERING_PAIRS * RULES_PAIR_MEMORY];
	struct nft_counter_found found;
	const struct nlmsghdr *m;
	struct err e = { 0 };
	size_t unknown = 0;
	struct nft b;
	int left;

	nft_begin(&b, memory, sizeof memory, false, RULES_TABLE);
	rules_table(&b, s, "test");
	assert_true(nft_end(&b, &e));
	m = b.batch.data;
	for (left = (int)b.batch.len; mnl_nlmsg_ok(m, left); m = mnl_nlmsg_next(m, &left)) {
		struct steered_table before = *table;

		if (m->nlmsg_type != NFTABLES(NFT_MSG_NEWRULE) || !read_counter(&found, m))
			continue;
		found.packets = 1;
		steered_count(&found, table);
		if (memcmp(before.counts, table->counts, sizeof before.counts) == 0 &&
		    before.unnumbered == table->unnumbered && must_be_known(found.chain) &&
		    !strstr(found.comment, "copy of the query") &&
		    !strstr(found.comment, "take it out") &&
		    !strstr(found.comment, "answer to a probe")) {
			print_message("%s: \"%s\" is not known\n", found.chain, found.comment);
			unknown++;
		}
	}
	return unknown;
}

static const struct row {
	const char *name;
	enum steer mode;
	bool fail_open, features;
} rows[] = {
	{ "pod", STEER_POD, true, true },
	{ "pod, no features", STEER_POD, true, false },
	{ "pod, closed on failure", STEER_POD, false, true },
	{ "node", STEER_NODE, true, true },
	{ "node, no features", STEER_NODE, true, false },
	{ "node, closed on failure", STEER_NODE, false, true },
	{ "dnat", STEER_DNAT, false, true },
};

static void knows_its_counters(void **state)
{
	const struct row *row = *state;
	struct steering s = steering_of(row->mode, row->fail_open, row->features);
	struct steered_table table = { .there = true };

	assert_int_equal(count_all(&table, &s), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_true(table.counts[i].to_cache > 0);
		assert_true(row->mode == STEER_DNAT || table.counts[i].answers > 0);
		if (row->fail_open)
			assert_true(table.counts[i].to_fallback > 0);
	}
}

static void chains_of_nobody(void **state UNUSED)
{
	static const struct nft_counter_found strange[] = {
		{ "query-0", "to the cache, whatever its state", 1 },
		{ "query-99", "to the cache, whatever its state", 1 },
		{ "query-99999999999999999999", "to the cache, whatever its state", 1 },
		{ "-1", "to the cache, whatever its state", 1 },
		{ "", "", 1 },
	};
	struct steered_table table = { .there = true };

	for (size_t i = 0; i < LEN(strange); i++)
		steered_count(&strange[i], &table);
	for (size_t i = 0; i < STEERING_PAIRS; i++)
		assert_int_equal(table.counts[i].to_cache, 0);
}

/* Tables of earlier versions stand until something makes them anew. */
static void chains_of_earlier_versions(void **state UNUSED)
{
	static const struct nft_counter_found earlier[] = {
		{ "ask-1", "alive, and nothing special: ask the cache", 1 },
		{ "ask-1", "no: to the cluster's DNS", 10 },
		{ "suspect-1", "for a moment only: ask the cache", 2 },
		{ "fall-back-1", "probe the cache with the query itself", 4 },
		{ "fall-back-1", "the query behind a probe is none: to the cluster's DNS", 20 },
		{ "fall-back-1", "to the cluster's DNS", 40 },
		{ "probe-1", "to the cluster's DNS", 80 },
		{ "restore-1", "as if from the cluster's DNS", 5 },
	};
	struct steered_table table = { .there = true };

	for (size_t i = 0; i < LEN(earlier); i++)
		steered_count(&earlier[i], &table);
	assert_int_equal(table.counts[0].to_cache, 7);
	assert_int_equal(table.counts[0].to_fallback, 150);
	assert_int_equal(table.counts[0].answers, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(chains_of_nobody),
					    cmocka_unit_test(chains_of_earlier_versions) };

	return RUN_ROWS("steered_count", rows, knows_its_counters) +
	       RUN_TESTS("steered_count, strangers", tests);
}
