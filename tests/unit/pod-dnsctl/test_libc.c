/* SPDX-License-Identifier: Apache-2.0 */
/* What glibc and musl send: a row is a file, a name, and the candidates in order. */
#include <stdio.h>
#include <string.h>
#include "rows.h"
#include "pod-dnsctl/lookup/queries.h"

enum { ALL = 8192 };

static const struct row {
	const char *name, *file, *asked; /* the name that is looked up */
	const char *glibc, *musl;	 /* "NAME/SERVERS" of each candidate, and how it ends */
	const char *known;		 /* a name that exists; NULL: none does */
	enum libc_answer answer;
} rows[] = {
	{ "searched, then as it is", "search a b\nnameserver 10.0.0.1\noptions ndots:5\n", "w.x",
	  "w.x.a w.x.b w.x: found", "w.x.a w.x.b w.x: found", "w.x", LIBC_FOUND },
	{ "enough dots: glibc searches afterwards, musl never", "search a\noptions ndots:1\n",
	  "w.x", "w.x w.x.a: nowhere", "w.x: nowhere", NULL, LIBC_NXDOMAIN },
	{ "a final dot", "search a\noptions ndots:5\n", "w.", "w: nowhere", "w: nowhere", NULL,
	  LIBC_NXDOMAIN },
	{ "no address: glibc goes on, musl ends", "search a b\n", "w", "w.a w.b w: nowhere",
	  "w.a: no data", "w.a", LIBC_NODATA },
	{ "a failure: glibc repeats it and goes on, musl ends", "search a b\noptions attempts:3\n",
	  "w", "w.a w.a w.a w.b w: nowhere", "w.a: failure", "w.a", LIBC_SERVFAIL },
	{ "the root in the list", "search a . b\n", "w", "w.a w w.b: nowhere", "w.a w.b w: nowhere",
	  NULL, LIBC_NXDOMAIN },
	{ "a search that is no name", "search a..b c\n", "w", "w: nowhere", "w.c w: nowhere", NULL,
	  LIBC_NXDOMAIN },
	{ "no-tld-query", "search a\noptions no-tld-query\n", "w", "w.a: nowhere", "w.a w: nowhere",
	  NULL, LIBC_NXDOMAIN },
	{ "domain takes one word in glibc", "domain a b\n", "w", "w.a w: nowhere",
	  "w.a w.b w: nowhere", NULL, LIBC_NXDOMAIN },
	{ "an empty search is ignored, or empties", "search a\nsearch\n", "w", "w.a w: nowhere",
	  "w: nowhere", NULL, LIBC_NXDOMAIN },
	{ "the last options win in glibc, the first on a line in musl",
	  "search a\noptions ndots:3 ndots:1\n", "w.x", "w.x w.x.a: nowhere", "w.x.a w.x: nowhere",
	  NULL, LIBC_NXDOMAIN },
	{ "ndots with nothing is 0 to glibc", "search a\noptions ndots:3\noptions ndots:\n", "w",
	  "w w.a: nowhere", "w.a w: nowhere", NULL, LIBC_NXDOMAIN },
	{ "ndots is of four bits in glibc", "search a\noptions ndots:-1\n", "w.x.y",
	  "w.x.y.a w.x.y: nowhere", "w.x.y: nowhere", NULL, LIBC_NXDOMAIN },
	{ "attempts:0", "options attempts:0\n", "w", ": fault", ": fault", "w", LIBC_FOUND },
	{ "timeout:0 is musl's alone", "options timeout:0\n", "w", "w: found", ": fault", "w",
	  LIBC_FOUND },
	{ "an address", "search a\n", "0x7f.1", ": address", ": address", NULL, LIBC_NXDOMAIN },
	{ "no host name", "search a\n", "a/b", ": no name", "a/b.a a/b: nowhere", NULL,
	  LIBC_NXDOMAIN },
	{ "an indented line, a comment", " search a\n#search b\n;search c\n", "w", "w: nowhere",
	  "w: nowhere", NULL, LIBC_NXDOMAIN },
	{ "two final dots", "search a\n", "w..", ": no name", ": no name", NULL, LIBC_NXDOMAIN },
};

static const char *const ends[] = {
	[LIBC_END_FOUND] = "found",	[LIBC_END_NOWHERE] = "nowhere",
	[LIBC_END_NODATA] = "no data",	[LIBC_END_SERVFAIL] = "failure",
	[LIBC_END_ADDRESS] = "address", [LIBC_END_NO_NAME] = "no name",
	[LIBC_END_FAULT] = "fault",
};

/* A for each candidate; that AAAA follows at once is checked on the way. */
static void tell(char out[static ALL], const struct libc_lookup *l)
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i + 1 < l->n; i += 2) {
		assert_false(l->at[i].aaaa);
		assert_true(l->at[i + 1].aaaa);
		assert_string_equal(l->at[i].name, l->at[i + 1].name);
		len += (size_t)snprintf(out + len, ALL - len, "%s%s", i ? " " : "", l->at[i].name);
	}
	(void)snprintf(out + len, ALL - len, ": %s", ends[l->end]);
}

static void asks(void **state)
{
	const struct row *row = *state;
	const struct queries_known known = { row->known, row->answer };
	auto_arena arena = { 0 };
	const struct queries q = { .name = row->asked,
				   .text = row->file,
				   .known = &known,
				   .n = row->known != NULL,
				   .arena = &arena };
	static struct libc_lookup lookup;
	static struct libc_conf conf;
	static char told[ALL];

	queries_look_up(&lookup, &conf, &q, LIBC_GLIBC);
	tell(told, &lookup);
	assert_string_equal(told, row->glibc);
	queries_look_up(&lookup, &conf, &q, LIBC_MUSL);
	tell(told, &lookup);
	assert_string_equal(told, row->musl);
}

static struct libc_conf conf_of(enum libc libc, const char *text, struct arena *a)
{
	static struct libc_conf conf;

	libc_read(&conf, libc, text, a);
	return conf;
}

static void reads_servers(void **state UNUSED)
{
	auto_arena arena = { 0 };
	char text[ADDR_TEXT];
	struct libc_conf c;

	c = conf_of(LIBC_GLIBC,
		    "nameserver 010.0.0.1\nnameserver x\nnameserver fd00::1%eth0\n"
		    "nameserver 10.0.0.3\nnameserver 10.0.0.4\n",
		    &arena);
	assert_int_equal(c.n, 3);
	addr_print(text, &c.server[0]);
	assert_string_equal(text, "8.0.0.1");
	c = conf_of(LIBC_MUSL, "nameserver fd00::1%eth0\nnameserver fe80::1%eth0\n", &arena);
	assert_int_equal(c.n, 1);
	c = conf_of(LIBC_MUSL, "", &arena);
	addr_print(text, &c.server[0]);
	assert_string_equal(text, "127.0.0.1");
}

/* 254 bytes and a newline are read, 255 are not. */
static void musl_skips_long_lines(void **state UNUSED)
{
	auto_arena arena = { 0 };
	char text[300];

	for (int len = 254; len <= 255; len++) {
		memset(text, 'a', sizeof text);
		memcpy(text, "search ", 7);
		text[len] = '\n';
		text[len + 1] = '\0';
		assert_int_equal(conf_of(LIBC_MUSL, text, &arena).searches.n, len == 254);
		assert_int_equal(conf_of(LIBC_GLIBC, text, &arena).searches.n, 1);
	}
}

/* 0: there is no such configuration. */
static size_t total_with_autopath(const struct queries *q, enum libc libc)
{
	static struct libc_lookup lookup;
	static struct libc_conf conf;
	struct queries with;

	if (!queries_with_autopath(&with, q))
		return 0;
	queries_look_up(&lookup, &conf, &with, libc);
	return lookup.n;
}

static void autopath_takes_two(void **state UNUSED)
{
	static const struct queries_known known = { "www.example.com", LIBC_FOUND };
	auto_arena arena = { 0 };
	struct queries q = { .name = "www.example.com",
			     .text = "search shop.svc.c.local svc.c.local c.local\noptions ndots:5",
			     .autopath_zone = "ap.k8s.io",
			     .known = &known,
			     .n = 1,
			     .arena = &arena };

	assert_int_equal(total_with_autopath(&q, LIBC_GLIBC), 2);
	assert_int_equal(total_with_autopath(&q, LIBC_MUSL), 2);
	q.n = 0; /* nowhere: the zone's server says so, and the searches behind it are asked */
	assert_int_equal(total_with_autopath(&q, LIBC_GLIBC), 10);
	q.text = "search c.local\n";
	assert_int_equal(total_with_autopath(&q, LIBC_GLIBC), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_servers),
		cmocka_unit_test(musl_skips_long_lines),
		cmocka_unit_test(autopath_takes_two),
	};

	return RUN_ROWS("libc", rows, asks) + RUN_TESTS("libc_read", tests);
}
