/* SPDX-License-Identifier: Apache-2.0 */
/* What is legal and yet breaks a libc: each guard at its edges. */
#include "rows.h"
#include "arena.h"
#include "policy/guard.h"
#include "text.h"

#include <string.h>

#define S10  "aaaaaaaa.b"
#define S50  S10 "." S10 "." S10 "." S10 ".cccccc"
#define S200 S50 "." S50 "." S50 "." S50 /* 203 */

static const struct row {
	const char *name, *in, *fixed;
	size_t warnings;
} rows[] = {
	{ "nothing to do", "search a\nnameserver 192.0.2.1\noptions ndots:5\n",
	  "search a\nnameserver 192.0.2.1\noptions ndots:5\n", 0 },
	{ "attempts:0", "options attempts:0 edns0\n", "options edns0\n", 1 },
	{ "attempts:00", "options attempts:00\n", "", 1 },
	{ "attempts:01", "options attempts:01\n", "options attempts:01\n", 0 },
	{ "attempts:10", "options attempts:10\n", "options attempts:10\n", 0 },
	{ "attempts:0 as a name, with a value", "options attempts:0:5 edns0\n", "options edns0\n",
	  1 },
	{ "attempts of a word", "options attempts:x\n", "", 1 },
	{ "attempts:-1", "options attempts:-1 attempts:2\n", "options attempts:2\n", 1 },
	{ "attempts with an empty value", "options attempts: ndots:5\n", "options ndots:5\n", 1 },
	{ "attempts without a value", "options attempts\n", "options attempts\n", 0 },
	{ "timeout:0", "options timeout:0 timeout:1\n", "options timeout:1\n", 1 },
	{ "another option with 0", "options ndots:0\n", "options ndots:0\n", 0 },
	{ "ndots without a value", "options ndots\n", "options ndots\n", 1 },
	{ "ndots with an empty one", "options ndots:\n", "options ndots:\n", 1 },
	{ "a search line of 255 bytes", "search " S200 " " S10 "." S10 "." S10 "." S10 "\n",
	  "search " S200 " " S10 "." S10 "." S10 "." S10 "\n", 0 },
	{ "a search line of 256 bytes, which musl ignores",
	  "search " S200 " " S10 "." S10 "." S10 "." S10 "c\n",
	  "search " S200 " " S10 "." S10 "." S10 "." S10 "c\n", 1 },
	{ "an octal look", "nameserver 010.0.0.1\n", "nameserver 10.0.0.1\n", 1 },
	{ "no octal look", "nameserver 10.0.0.10\nnameserver fd00::0a\n",
	  "nameserver 10.0.0.10\nnameserver fd00::0a\n", 0 },
	{ "the node's loopback among others", "nameserver 127.0.0.53\nnameserver 192.0.2.1\n",
	  "nameserver 192.0.2.1\n", 1 },
	{ "the node's loopbacks alone", "nameserver 127.0.0.53\nnameserver ::1\n",
	  "nameserver 127.0.0.53\nnameserver ::1\n", 2 },
	{ "search .", "search . a\n", "search . a\n", 1 },
	{ "glibc aborts: does not fit, 56 before it", "search " S50 "bbbbb x" S200 "\n",
	  "search " S50 "bbbbb\n", 1 },
	{ "57 before it: musl alone", "search " S50 "bbbbbb x" S200 "\n",
	  "search " S50 "bbbbbb x" S200 "\n", 1 },
	{ "the sixth does not fit", "search a b c d e " S50 S200 "\n", "search a b c d e\n", 1 },
	{ "the seventh, which is not stored", "search a b c d e f " S50 S200 "\n",
	  "search a b c d e f " S50 S200 "\n", 1 },
	{ "the same with another behind", "search a x" S50 "." S200 " c\n", "search a c\n", 1 },
};

static void guards_fix(void **state)
{
	const struct row *row = *state;
	static struct resolv r;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	auto_text out = TEXT_UP_TO(65536);
	char *text = strdup(row->in);

	assert_non_null(text);
	assert_int_equal(resolv_parse(&r, text, strlen(text), RESOLV_VERBATIM, FROM_NODE, &arena),
			 0);
	guard(&r, GUARDS_FIX, &w);
	guard_loopback(&r, GUARDS_FIX, &w);
	resolv_render(&out, &r);
	assert_string_equal(out.at ? out.at : "", row->fixed);
	assert_int_equal(w.n, row->warnings);
	free(text);
}

/* Only says so: as many warnings, and not a byte changed. */
static void guards_warn(void **state)
{
	const struct row *row = *state;
	static struct resolv r;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	auto_text before = TEXT_UP_TO(65536), after = TEXT_UP_TO(65536);
	char *text = strdup(row->in);

	assert_non_null(text);
	assert_int_equal(resolv_parse(&r, text, strlen(text), RESOLV_VERBATIM, FROM_NODE, &arena),
			 0);
	resolv_render(&before, &r);
	guard(&r, GUARDS_OFF, &w);
	guard_loopback(&r, GUARDS_OFF, &w);
	assert_int_equal(w.n, 0);
	guard(&r, GUARDS_WARN, &w);
	guard_loopback(&r, GUARDS_WARN, &w);
	resolv_render(&after, &r);
	assert_string_equal(before.at, after.at);
	assert_true(w.n >= row->warnings);
	free(text);
}

/* The runtime's may be a sidecar's: told, and never dropped. A pod's own is its own. */
static void handed_loopback(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct resolv r = { .nameservers.n = 0 };

	resolv_add(&r.nameservers, resolv_word("127.0.0.1", FROM_RUNTIME), &arena);
	resolv_add(&r.nameservers, resolv_word("127.0.0.2", FROM_POD), &arena);
	resolv_add(&r.nameservers, resolv_word("192.0.2.1", FROM_RUNTIME), &arena);
	guard(&r, GUARDS_FIX, &w);
	guard_loopback(&r, GUARDS_FIX, &w);
	assert_int_equal(r.nameservers.n, 3);
	assert_int_equal(w.n, 1);
	assert_non_null(strstr(w.at[0].text, "127.0.0.1"));
}

int main(void)
{
	const struct CMUnitTest more[] = { cmocka_unit_test(handed_loopback) };

	return RUN_ROWS("guards: fix", rows, guards_fix) +
	       RUN_ROWS("guards: warn", rows, guards_warn) + RUN_TESTS("guards: loopback", more);
}
