/* SPDX-License-Identifier: Apache-2.0 */
/* What a pod's counters say: times, rates, what is not answered, and which pod is worst. */
#include <stdlib.h>
#include <string.h>
#include "rows.h"
#include "pod-dnsctl/inventory/pod_health.h"

/*** times ***/

static const struct times {
	const char *name;
	uint64_t within[HEALTH_TIMES + 1]; /* 8, 32, 128, 512, 2048 ms, later */
	double share;
	int ms;
} times[] = {
	{ "no answer", { 0 }, 0.5, -1 },
	{ "one fast answer", { 1 }, 0.99, 8 },
	{ "half of them fast", { 5, 5 }, 0.5, 8 },
	{ "less than half fast", { 4, 6 }, 0.5, 32 },
	{ "99 of 100", { 99, 0, 0, 1 }, 0.99, 8 },
	{ "98 of 100", { 98, 0, 0, 2 }, 0.99, 512 },
	{ "the last bound", { 0, 0, 0, 0, 3 }, 0.5, 2048 },
	{ "all later", { 0, 0, 0, 0, 0, 3 }, 0.5, 0 },
	{ "some later", { 98, 0, 0, 0, 0, 2 }, 0.99, 0 },
};

static void has_quantile(void **state)
{
	const struct times *row = *state;
	struct health h = { 0 };

	memcpy(&h.count[HEALTH_WITHIN], row->within, sizeof(row->within));
	assert_int_equal(health_quantile(&h, row->share), row->ms);
}

/*** rates ***/

static const struct rate {
	const char *name;
	uint64_t before, now;
	double seconds, rate;
} rates[] = {
	{ "queries", 10, 30, 2, 10 },
	{ "no query", 10, 10, 1, 0 },
	{ "read once", 10, 10, 0, 0 },
	{ "a table that was made again", 1000, 3, 1, 3 },
};

static void has_rate(void **state)
{
	const struct rate *row = *state;
	struct pod_health p = { .seconds = row->seconds };

	p.before.count[HEALTH_QUERIES] = row->before;
	p.now.count[HEALTH_QUERIES] = row->now;
	assert_true(health_per_second(&p) >= row->rate && health_per_second(&p) <= row->rate);
}

/*** the worst first ***/

static struct pod_health pod_with(const char *name, uint64_t noerror, uint64_t servfail,
				  uint64_t slow)
{
	struct pod_health p = { .pod = name };

	p.now.count[HEALTH_QUERIES] = 100;
	p.now.count[HEALTH_NOERROR] = noerror;
	p.now.count[HEALTH_SERVFAIL] = servfail;
	p.now.count[HEALTH_WITHIN] = noerror + servfail - slow;
	p.now.count[HEALTH_WITHIN + HEALTH_TIMES] = slow;
	return p;
}

static void puts_the_worst_first(void **state UNUSED)
{
	struct pod_health pods[] = {
		{ .pod = "f asks nothing" },	   pod_with("e", 100, 0, 0),
		pod_with("d", 100, 0, 0),	   pod_with("c slow", 100, 0, 50),
		pod_with("b SERVFAIL", 90, 10, 0), pod_with("a no answer", 40, 0, 0),
	};
	char order[8] = "";

	qsort(pods, LEN(pods), sizeof(*pods), health_by_trouble);
	for (size_t i = 0; i < LEN(pods); i++)
		order[i] = pods[i].pod[0];
	assert_string_equal(order, "abcdef");
}

/* Truncated answers have an rcode too. */
static void tells_what_is_not_answered(void **state UNUSED)
{
	struct health h = { 0 };

	h.count[HEALTH_QUERIES] = 20;
	for (size_t i = HEALTH_NOERROR; i <= HEALTH_OTHER; i++)
		h.count[i] = 3;
	h.count[HEALTH_TRUNCATED] = 2;
	assert_int_equal(health_answered(&h), 15);
	assert_int_equal(health_unanswered(&h), 5);
	h.count[HEALTH_QUERIES] = 14; /* read before an answer that is counted */
	assert_int_equal(health_unanswered(&h), 0);
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(puts_the_worst_first),
					     cmocka_unit_test(tells_what_is_not_answered) };

	return RUN_ROWS("times", times, has_quantile) + RUN_ROWS("rates", rates, has_rate) +
	       RUN_TESTS("others", others);
}
