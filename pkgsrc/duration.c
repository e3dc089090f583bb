/* SPDX-License-Identifier: Apache-2.0 */
/* duration.c: spans of time as Go and Kubernetes write them. */
#include "duration.h"

#include <string.h>

static const uint64_t second = 1000000000;

/* "ms" precedes "m", since the first match counts. Unicode has two signs for micro. */
static const struct unit {
	const char *name;
	uint64_t nanoseconds;
} units[] = {
	{ "ns", 1 },	   { "us", 1000 },  { "\xc2\xb5s", 1000 }, { "\xce\xbcs", 1000 },
	{ "ms", 1000000 }, { "s", second }, { "m", 60 * second },  { "h", 3600 * second },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool add_bounded(uint64_t *sum, uint64_t more)
{
	return !__builtin_add_overflow(*sum, more, sum) && *sum <= INT64_MAX;
}

static bool read_number(uint64_t *number, const char **s)
{
	if (!is_digit(**s))
		return false;
	for (*number = 0; is_digit(**s); ++*s)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    !add_bounded(number, (uint64_t)(**s - '0')))
			return false;
	return true;
}

/* Reads decimals behind a point, if any, as a number and its scale. Those that a double does not
 * hold are passed over, as Go does. */
static bool read_decimals(double *digits, double *scale, const char **s)
{
	*digits = 0;
	*scale = 1;
	if (**s != '.')
		return true;
	if (!is_digit(*++*s))
		return false;
	for (; is_digit(**s); ++*s) {
		if (*scale >= 1e18)
			continue;
		*digits = *digits * 10 + (**s - '0');
		*scale *= 10;
	}
	return true;
}

static const struct unit *read_unit(const char **s)
{
	for (size_t i = 0; i < LEN(units); i++) {
		size_t len = strlen(units[i].name);

		if (strncmp(*s, units[i].name, len) == 0) {
			*s += len;
			return &units[i];
		}
	}
	return NULL;
}

bool duration_parse(uint64_t *nanoseconds, const char *s)
{
	*nanoseconds = 0;
	if (strcmp(s, "0") == 0)
		return true;
	do {
		const struct unit *unit;
		uint64_t whole;
		double decimals, scale;

		if (!read_number(&whole, &s) || !read_decimals(&decimals, &scale, &s) ||
		    !(unit = read_unit(&s)))
			return false;
		if (__builtin_mul_overflow(whole, unit->nanoseconds, &whole) ||
		    !add_bounded(nanoseconds, whole) ||
		    !add_bounded(nanoseconds,
				 (uint64_t)(decimals * ((double)unit->nanoseconds / scale))))
			return false;
	} while (*s);
	return true;
}

uint64_t duration_seconds(uint64_t nanoseconds)
{
	return (nanoseconds + second / 2) / second;
}
