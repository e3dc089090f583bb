/* SPDX-License-Identifier: Apache-2.0 */
/* --help of pod-dnsctl and of each verb: it fits a terminal, and its forms are calls. */
#include <stdio.h>
#include <string.h>
#include "rows.h"
#include "ctl.c"

enum { COLUMNS = 80 };

/* Each line of the usage that is no continuation begins with the verb. */
static void assert_usage(const char *line, const char *verb)
{
	static const char *const before[] = { "usage: pod-dnsctl ", "       pod-dnsctl " };

	for (size_t i = 0; i < LEN(before); i++)
		if (strncmp(line, before[i], strlen(before[i])) == 0 && *verb &&
		    strncmp(line + strlen(before[i]), verb, strlen(verb)) != 0)
			fail_msg("%s: \"%s\" is no call of it", verb, line);
}

/* VERB "": of the program itself. */
static void assert_help(char *help, const char *verb)
{
	size_t lines = 0;

	for (char *line = help, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
		*end = '\0';
		if (strlen(line) > COLUMNS)
			fail_msg("%s: more than %d columns: %s", verb, COLUMNS, line);
		assert_usage(line, verb);
	}
	assert_true(lines > 3);
}

static void each_verb_helps(void **state UNUSED)
{
	struct ctl_result all, one;
	char verb[16];
	size_t verbs = 0;

	ctl_call(&all, "", (const char *const[]){ "--help", NULL });
	assert_int_equal(all.exit, 0);
	for (const char *line = all.out; (line = strchr(line, '\n')); line++) {
		if (strncmp(line, "\n  ", 3) != 0 || sscanf(line + 3, "%15[a-z]", verb) != 1)
			continue;
		ctl_call(&one, "", (const char *const[]){ verb, "--help", NULL });
		assert_int_equal(one.exit, 0);
		assert_string_equal(one.err, "");
		assert_help(one.out, verb);
		ctl_result_done(&one);
		verbs++;
	}
	assert_int_equal(verbs, 15);
	assert_help(all.out, "");
	ctl_result_done(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_verb_helps) };

	return RUN_TESTS("help", tests);
}
