/* SPDX-License-Identifier: Apache-2.0 */
/* Domain names as Kubernetes lets a pod name them (validatePodDNSConfig, relaxed). */
#include "rows.h"
#include "dnsname.h"

#include <string.h>

#define L50	 "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"
#define NAME_254 L50 "." L50 "." L50 "." L50 "." L50 /* 5 * 50 + 4 = 254 */

static const struct row {
	const char *name, *in;
	bool search, domain;
} rows[] = {
	{ "one label", "local", true, true },
	{ "several", "svc.cluster.local", true, true },
	{ "one final dot", "a.example.", true, true },
	{ "two final dots", "a.example..", false, false },
	{ "the root", ".", true, false },
	{ "two dots", "..", false, false },
	{ "empty", "", false, false },
	{ "empty label", "a..b", false, false },
	{ "leading dot", ".a", false, false },
	{ "upper case", "Corp.example", false, true },
	{ "hyphen inside", "a-b.c--d", true, true },
	{ "hyphen in front", "-a.b", false, false },
	{ "hyphen behind", "a-.b", false, false },
	{ "underscore in front", "_sip._tcp.a_b.example", true, true },
	{ "underscore alone", "_", false, false },
	{ "two underscores in front", "__a.example", false, false },
	{ "underscore behind", "a_.b", false, false },
	{ "digits", "1.2.3", true, true },
	{ "a label over 63", L50 L50 ".example", true, true },
	{ "blank", "a b", false, false },
	{ "line break", "a\nb", false, false },
	{ "not ASCII", "b\xc3\xbc.example", false, false },
	{ "253 characters", &NAME_254[1], true, true },
	{ "254 characters", NAME_254, false, false },
	{ "star", "*.example", false, false },
};

static void judges(void **state)
{
	const struct row *row = *state;

	assert_int_equal(dnsname_is_search(row->in), row->search);
	assert_int_equal(dnsname_is_domain(row->in), row->domain);
}

/* Narrower kinds; the unit tests of config/servers have more of them. */
static void narrower(void **state UNUSED)
{
	assert_true(dnsname_is_subdomain("a-b.1.example"));
	assert_true(dnsname_is_subdomain(&NAME_254[1]));
	assert_false(dnsname_is_subdomain(""));
	assert_false(dnsname_is_subdomain("a..b"));
	assert_false(dnsname_is_subdomain("a."));
	assert_false(dnsname_is_subdomain("a-.b"));
	assert_false(dnsname_is_subdomain("a.-b"));
	assert_false(dnsname_is_subdomain(NAME_254));
	assert_true(dnsname_is_within("a.example", "example"));
	assert_true(dnsname_is_within("example", "example"));
	assert_false(dnsname_is_within("aexample", "example"));
	assert_false(dnsname_is_within("example", "a.example"));
	assert_false(dnsname_is_within("", "a"));
	assert_true(dnsname_is_service("a"));
	assert_false(dnsname_is_service(""));
	assert_false(dnsname_is_service("b\xc3\xbc"));
}

int main(void)
{
	const struct CMUnitTest more[] = { cmocka_unit_test(narrower) };

	return RUN_ROWS("name", rows, judges) + RUN_TESTS("narrower", more);
}
