/* SPDX-License-Identifier: Apache-2.0 */
/* A verb's call: options, operands, what is refused, and what reaches a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rows.h"
#include "arena.h"
#include "pod-dnsctl/cli/ctl.h"
#include "pod-dnsctl/cli/out.h"

static char seen[1024];

/* Says what it was called with. */
static int probe(struct ctl *ctl)
{
	size_t len = 0;
	const char *value;

	len += (size_t)snprintf(seen, sizeof seen, "%s%s", ctl->json ? "json " : "",
				ctl_flag(ctl, "diff") ? "diff " : "");
	for (size_t i = 0; (value = ctl_value_at(ctl, "pod", i)); i++)
		len += (size_t)snprintf(seen + len, sizeof seen - len, "pod=%s ", value);
	for (int i = 0; i < ctl->n_args; i++)
		len += (size_t)snprintf(seen + len, sizeof seen - len, "[%s]", ctl->args[i]);
	return CTL_BAD;
}

static const struct ctl_option options[] = {
	{ .name = "diff", .help = "compare" },
	{ .name = "pod", .value = "POD.json", .repeats = true, .help = "a pod\nor more" },
	{ 0 },
};
static const struct ctl_verb verb = {
	.name = "probe",
	.synopsis = "probe [--diff] CONFLIST\nprobe --pod POD.json",
	.summary = "probes",
	.help = "Probes.\n",
	.options = options,
	.min_args = 1,
	.max_args = 2,
	.json = true,
	.run = probe,
};

static const struct row {
	const char *name;
	const char *argv[8];
	int status;
	const char *seen, *out, *err; /* NULL: not looked at */
} rows[] = {
	{ "operands alone", { "a", "b" }, CTL_BAD, "[a][b]", "", "" },
	{ "options anywhere", { "a", "--diff", "b" }, CTL_BAD, "diff [a][b]", "", "" },
	{ "values, both ways", { "--pod=x", "--pod", "-", "a" }, CTL_BAD, "pod=x pod=- [a]", 0, 0 },
	{ "-- ends them", { "--", "--diff" }, CTL_BAD, "[--diff]", "", "" },
	{ "-o json", { "-o", "json", "a" }, CTL_BAD, "json [a]", "", "" },
	{ "-ojson", { "-ojson", "a" }, CTL_BAD, "json [a]", "", "" },
	{ "-o of another", { "-o", "yaml", "a" }, CTL_USAGE, "", "", NULL },
	{ "a flag twice", { "--diff", "--diff", "a" }, CTL_USAGE, "", "", NULL },
	{ "no operand",
	  { NULL },
	  CTL_USAGE,
	  "",
	  "",
	  "pod-dnsctl: probe: an operand is missing\nSee: pod-dnsctl probe --help\n" },
	{ "too many",
	  { "a", "b", "c\033" },
	  CTL_USAGE,
	  "",
	  "",
	  "pod-dnsctl: probe: c\\x1b: one operand too many\nSee: pod-dnsctl probe --help\n" },
	{ "an unknown option",
	  { "--no\nsuch", "a" },
	  CTL_USAGE,
	  "",
	  "",
	  "pod-dnsctl: probe: --no\\x0asuch: unknown option\nSee: pod-dnsctl probe --help\n" },
	{ "an unknown letter",
	  { "-xd", "a" },
	  CTL_USAGE,
	  "",
	  "",
	  "pod-dnsctl: probe: -x: unknown option\nSee: pod-dnsctl probe --help\n" },
	{ "a value is missing",
	  { "a", "--pod" },
	  CTL_USAGE,
	  "",
	  "",
	  "pod-dnsctl: probe: --pod needs a value\nSee: pod-dnsctl probe --help\n" },
	{ "a value too many",
	  { "a", "--diff=x" },
	  CTL_USAGE,
	  "",
	  "",
	  "pod-dnsctl: probe: --diff=x: takes no value\nSee: pod-dnsctl probe --help\n" },
	{ "--help",
	  { "--diff", "--help" },
	  CTL_GOOD,
	  "",
	  "usage: pod-dnsctl probe [--diff] CONFLIST\n"
	  "       pod-dnsctl probe --pod POD.json\n"
	  "\n"
	  "Probes.\n"
	  "\n"
	  "  --diff                    compare\n"
	  "  --pod POD.json            a pod\n"
	  "                            or more\n"
	  "  -o json                   print JSON\n"
	  "  --help                    print this\n",
	  "" },
};

static void calls(void **state)
{
	const struct row *row = *state;
	char *argv[10] = { (char *)(uintptr_t) "probe" };
	char *text[2];
	size_t size[2];
	auto_arena arena = { 0 };
	struct out out, err;
	struct ctl ctl = { .verb = &verb, .out = &out, .err = &err, .arena = &arena };
	int argc = 1;

	for (; row->argv[argc - 1]; argc++)
		argv[argc] = strdup(row->argv[argc - 1]);
	seen[0] = '\0';
	out_open(&out, open_memstream(&text[0], &size[0]));
	out_open(&err, open_memstream(&text[1], &size[1]));
	assert_int_equal(ctl_run(&ctl, argc, argv), row->status);
	(void)fclose(out.to);
	(void)fclose(err.to);
	assert_string_equal(seen, row->seen);
	if (row->out)
		assert_string_equal(text[0], row->out);
	if (row->err)
		assert_string_equal(text[1], row->err);
	for (int i = 1; row->argv[i - 1]; i++)
		free(argv[i]);
	free(text[0]);
	free(text[1]);
}

/*** what is printed ***/

static void escapes(void **state UNUSED)
{
	char *text;
	size_t size;
	struct out out;
	json_auto_t *value = json_string("a\033\177\xc2\x9b");

	out_open(&out, open_memstream(&text, &size));
	assert_false(out.colour);
	out_put(&out, OUT_RED, "%s", "\033[31m");
	out_line(&out, " a\nb");
	out_text(&out, "one\n\ntwo\r\nthree");
	out_json(&out, value);
	assert_true(out_ok(&out));
	(void)fclose(out.to);
	assert_string_equal(text, "\\x1b[31m a\\x0ab\none\n\ntwo\\x0d\nthree"
				  "\"a\\u001B\\u007f\\u009B\"\n");
	free(text);
}

static void colours(void **state UNUSED)
{
	char *text;
	size_t size;
	struct out out;

	out_open(&out, open_memstream(&text, &size));
	out.colour = true;
	out_put(&out, OUT_BOLD, "b");
	out_line(&out, "p");
	(void)fclose(out.to);
	assert_string_equal(text, "\033[1mb\033[0mp\n");
	free(text);
}

static void full_disk(void **state UNUSED)
{
	struct out out;
	FILE *full = fopen("/dev/full", "w");

	assert_non_null(full);
	out_open(&out, full);
	out_line(&out, "a");
	assert_false(out_ok(&out));
	assert_int_equal(out.failed, 28); /* ENOSPC */
	(void)fclose(full);
}

int main(void)
{
	const struct CMUnitTest more[] = { cmocka_unit_test(escapes), cmocka_unit_test(colours),
					   cmocka_unit_test(full_disk) };

	return RUN_ROWS("ctl", rows, calls) + RUN_TESTS("out", more);
}
