/* SPDX-License-Identifier: Apache-2.0 */
/* What diff_unified() prints, against what `diff -u` prints for the same texts. */
#include "diff.h"
#include "rows.h"

#include <stdio.h>
#include <string.h>

static const struct row {
	const char *name, *old, *new;
} rows[] = {
	{ "equal", "a\nb\n", "a\nb\n" },
	{ "both empty", "", "" },
	{ "from nothing", "", "a\nb\n" },
	{ "to nothing", "a\nb\n", "" },
	{ "one line changed", "a\n", "b\n" },
	{ "a line put in", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n" },
	{ "a line taken out", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\n6\n7\n8\n" },
	{ "the first line", "1\n2\n3\n4\n5\n", "x\n2\n3\n4\n5\n" },
	{ "the last line", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\nx\n" },
	{ "the newline at the end goes", "a\nb\n", "a\nb" },
	{ "the newline at the end comes", "a\nb", "a\nb\n" },
	{ "no newline in either", "a\nb", "a\nc" },
	{ "six lines apart: one hunk", "x\n1\n2\n3\n4\n5\n6\ny\n", "X\n1\n2\n3\n4\n5\n6\nY\n" },
	{ "seven lines apart: two hunks", "x\n1\n2\n3\n4\n5\n6\n7\ny\n",
	  "X\n1\n2\n3\n4\n5\n6\n7\nY\n" },
	{ "an empty line", "a\n\nb\n", "a\nb\n" },
};

/* The headers hold the times of files: what counts begins at the first hunk. */
static void expect(char *out, size_t room, const struct row *row)
{
	char folder[] = "/tmp/pdt-diff-XXXXXX", command[256];
	const char *names[] = { "a", "b" }, *texts[] = { row->old, row->new };
	size_t got = 0;
	FILE *f;

	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(command, sizeof command, "%s/%s", folder, names[i]);
		f = fopen(command, "w");
		assert_non_null(f);
		assert_true(fputs(texts[i], f) >= 0 && fclose(f) == 0);
	}
	(void)snprintf(command, sizeof command, "cd %s && diff -u a b | tail -n +3; rm -r %s",
		       folder, folder);
	f = popen(command, "r"); /* NOLINT: diff itself is the reference */
	assert_non_null(f);
	got = fread(out, 1, room - 1, f);
	out[got] = '\0';
	(void)pclose(f);
}

static void differs(void **state)
{
	const struct row *row = *state;
	auto_text out = TEXT_UP_TO(4096);
	const char *head = "--- a\n+++ b\n";
	char wanted[4096];

	expect(wanted, sizeof wanted, row);
	diff_unified(&out, "a", row->old, "b", row->new);
	if (!*wanted) {
		assert_int_equal(out.len, 0);
		return;
	}
	assert_true(text_ok(&out));
	assert_memory_equal(out.at, head, strlen(head));
	assert_string_equal(out.at + strlen(head), wanted);
}

int main(void)
{
	return RUN_ROWS("diff", rows, differs);
}
