/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses as Kubernetes reads them, and their canonical text. */
#include "rows.h"
#include "addr.h"

#include <string.h>

static const struct row {
	const char *name, *in, *out; /* out NULL: no address */
} rows[] = {
	{ "plain v4", "192.0.2.1", "192.0.2.1" },
	{ "leading zeros are decimal", "010.000.0.09", "10.0.0.9" },
	{ "v4 needs four parts", "192.0.2", NULL },
	{ "five parts are none", "192.0.2.1.5", NULL },
	{ "a part up to 255", "192.0.2.256", NULL },
	{ "a part cannot be huge", "192.0.2.99999999999999999999", NULL },
	{ "no empty part", "192..2.1", NULL },
	{ "no sign", "192.0.2.-1", NULL },
	{ "no hexadecimal", "0xc0.0.2.1", NULL },
	{ "no blank in front", " 192.0.2.1", NULL },
	{ "no blank behind", "192.0.2.1 ", NULL },
	{ "no port", "192.0.2.1:53", NULL },
	{ "empty", "", NULL },
	{ "v6 is shortened", "FD00:0:0::000A", "fd00::a" },
	{ "the longest run of zeros", "2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1" },
	{ "a mapped address is v4", "::ffff:10.0.0.1", "10.0.0.1" },
	{ "the same in hexadecimal", "::ffff:a00:1", "10.0.0.1" },
	{ "dotted end with zeros", "64:ff9b::192.000.002.033", "64:ff9b::c000:221" },
	{ "dotted end too short", "::ffff:10.0.1", NULL },
	{ "no zone", "fe80::1%eth0", NULL },
	{ "no brackets", "[::1]", NULL },
	{ "two gaps", "1::2::3", NULL },
	{ "nine groups", "1:2:3:4:5:6:7:8:9", NULL },
	{ "unspecified", "::", "::" },
};

static void reads(void **state)
{
	const struct row *row = *state;
	char out[ADDR_TEXT];
	struct addr a;

	assert_int_equal(addr_parse(&a, row->in), row->out != NULL);
	if (!row->out)
		return;
	addr_print(out, &a);
	assert_string_equal(out, row->out);
}

static const struct cidr {
	const char *name, *in;
	bool ok;
} cidrs[] = {
	{ "host bits are allowed", "10.1.2.3/16", true },
	{ "v6 prefix", "2001:db8::1/64", true },
	{ "no prefix", "10.1.2.3", false },
	{ "33 bits", "10.1.2.3/33", false },
	{ "129 bits", "::1/129", false },
	{ "128 bits", "::1/128", true },
	{ "no number", "10.1.2.3/", false },
	{ "a sign", "10.1.2.3/+8", false },
	{ "words behind", "10.1.2.3/8x", false },
	{ "no address", "/8", false },
};

static void is_cidr(void **state)
{
	const struct cidr *row = *state;

	assert_int_equal(addr_is_cidr(row->in), row->ok);
}

static void knows_loopback(void **state UNUSED)
{
	static const char *const in[] = { "127.0.0.53", "127.255.0.1", "::1", "::ffff:127.0.0.1" };
	static const char *const out[] = { "128.0.0.1", "126.255.255.255", "::2", "x" };

	for (size_t i = 0; i < LEN(in); i++) {
		assert_true(addr_is_loopback(in[i]));
		assert_false(addr_is_loopback(out[i]));
	}
}

static void knows_leading_zeros(void **state UNUSED)
{
	assert_true(addr_has_leading_zeros("010.0.0.1"));
	assert_true(addr_has_leading_zeros("10.0.0.01"));
	assert_true(addr_has_leading_zeros("::ffff:010.0.0.1"));
	assert_true(addr_has_leading_zeros("00.0.0.1"));
	assert_false(addr_has_leading_zeros("10.0.0.1"));
	assert_false(addr_has_leading_zeros("0.0.0.0"));
	assert_false(addr_has_leading_zeros("fd00::000a"));
}

int main(void)
{
	const struct CMUnitTest kinds[] = { cmocka_unit_test(knows_loopback),
					    cmocka_unit_test(knows_leading_zeros) };

	return RUN_ROWS("addr", rows, reads) + RUN_ROWS("cidr", cidrs, is_cidr) +
	       RUN_TESTS("kinds", kinds);
}
