/* SPDX-License-Identifier: Apache-2.0 */
/* Spans of time as Kubernetes' API lets them in, and what Go makes of them. */
#include "rows.h"
#include "duration.h"

/* Six of them are more decimals than a double has an exponent for. */
#define SIXTY "999999999999999999999999999999999999999999999999999999999999"

static const struct row {
	const char *name;
	uint64_t seconds;
	bool refused;
} rows[] = {
	{ "0." SIXTY SIXTY SIXTY SIXTY SIXTY SIXTY "s", 1, false },
	{ "0", 0, false },
	{ "0s", 0, false },
	{ "30s", 30, false },
	{ "1m", 60, false },
	{ "1h10m5s", 4205, false },
	{ "999ms", 1, false },
	{ "500ms", 1, false },
	{ "499ms", 0, false },
	{ "0.4999999999s", 0, false },
	{ "1.1s", 1, false },
	{ "5.9s", 6, false },
	{ "2.009s", 2, false },
	{ "0.5m", 30, false },
	{ "1500000\xc2\xb5s", 2, false },
	{ "1500000\xce\xbcs", 2, false },
	{ "1500000us", 2, false },
	{ "499999999ns", 0, false },
	{ "1s1s", 2, false },
	{ "2562047h", 9223369200, false },
	{ "2562048h", 0, true },
	{ "99999999999999999999s", 0, true },
	{ "9223372036s9223372036s", 0, true },
	{ "", 0, true },
	{ "30", 0, true },
	{ "s", 0, true },
	{ "-1s", 0, true },
	{ "+1s", 0, true },
	{ "1 s", 0, true },
	{ "1.s", 0, true },
	{ ".5s", 0, true },
	{ "1d", 0, true },
	{ "00", 0, true },
	{ "1sx", 0, true },
};

static void reads(void **state)
{
	const struct row *row = *state;
	uint64_t span;

	assert_int_equal(duration_parse(&span, row->name), !row->refused);
	if (!row->refused)
		assert_int_equal(duration_seconds(span), row->seconds);
}

int main(void)
{
	return RUN_ROWS("duration", rows, reads);
}
