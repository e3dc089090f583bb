/* SPDX-License-Identifier: Apache-2.0 */
/* A network's file that its owner writes between our look and our write. */
#include "pod-dnsctl/install/chain_file.h"
#include "file.h"

#include "rows.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define OLD   "{'name':'n','plugins':[{'type':'a'}]}"
#define PLAIN "{'name':'n','type':'a'}"
#define NEW   "{'name':'n','plugins':[{'type':'b'}],'x':1}"

enum change { NOTHING, REPLACED, WRITTEN, REMOVED };

static const struct row {
	const char *name, *file, *text;
	enum change change;
} rows[] = {
	{ "nothing came between", "10-n.conflist", OLD, NOTHING },
	{ "replaced", "10-n.conflist", OLD, REPLACED },
	{ "written in place", "10-n.conflist", OLD, WRITTEN },
	{ "removed", "10-n.conflist", OLD, REMOVED },
	{ "one plugin", "10-n.conf", PLAIN, NOTHING },
	{ "one plugin, replaced", "10-n.conf", PLAIN, REPLACED },
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(rows_json(text), file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void make_change(enum change change, const char *path)
{
	char other[96];

	(void)snprintf(other, sizeof(other), "%s.other", path);
	if (change == REPLACED) {
		write_text(other, NEW);
		assert_int_equal(rename(other, path), 0);
	} else if (change == WRITTEN) {
		write_text(path, NEW);
	} else if (change == REMOVED) {
		assert_int_equal(unlink(path), 0);
	}
}

static void check_file(const struct row *row, const char *path)
{
	auto_text now = TEXT_UP_TO(1 << 16);

	if (row->change == NOTHING || row->change == REMOVED)
		return;
	assert_true(file_read(&now, AT_FDCWD, path, false, NULL));
	assert_string_equal(now.at, rows_json(NEW));
}

/* What the owner writes is never lost, and no temporary file of ours is left. */
static void is_not_overwritten(void **state)
{
	static const char *const left[] = { "10-n.conf", "10-n.conf.pod-dns-saved", "10-n.conflist",
					    "10-n.conflist.pod-dns-saved",
					    ".10-n.conflist.pod-dns-new" };
	const struct row *row = *state;
	char folder[] = "/tmp/pdt-chained-XXXXXX", path[64];
	auto_chain_file c = CHAIN_FILE_NONE;
	json_auto_t *object = json_pack("{s:s}", "type", "pod-dns");
	struct err e = { 0 };

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/%s", folder, row->file);
	write_text(path, row->text);
	assert_true(chain_file_open(&c, path, &e) && chain_file_plan(&c, object, &e));
	make_change(row->change, path);
	assert_int_equal(chain_file_apply(&c, &e), row->change == NOTHING);
	if (row->change == REPLACED || row->change == WRITTEN)
		assert_int_equal(e.code, ERR_AGAIN);
	check_file(row, path);
	for (size_t i = 0; i < LEN(left); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, left[i]);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(folder), 0);
}

/* What stands behind it is neither seen nor lost. */
static void refuses_a_nul(void **state UNUSED)
{
	static const char text[] = "{\"plugins\":[{\"type\":\"a\"},{\"type\":\"pod-dns\"}]}\0 more";
	char path[] = "/tmp/pdt-chained-XXXXXX.conflist";
	int fd = mkostemps(path, (int)strlen(".conflist"), O_CLOEXEC);
	json_auto_t *object = json_pack("{s:s, s:i}", "type", "pod-dns", "x", 1);
	auto_text now = TEXT_UP_TO(1 << 16);
	auto_chain_file c = CHAIN_FILE_NONE;
	struct err e = { 0 };
	bool changed;

	assert_true(fd >= 0 && file_write_at(fd, text, sizeof(text) - 1, 0));
	(void)close(fd);
	assert_true(chain_file_open(&c, path, &e));
	assert_false(chain_file_plan(&c, object, &e));
	assert_non_null(strstr(e.text, "a NUL byte"));
	err_clear(&e);
	assert_false(chain_file_undo(&c, &changed, NULL, &e));
	assert_non_null(strstr(e.text, "a NUL byte"));
	assert_true(file_read(&now, AT_FDCWD, path, false, NULL));
	assert_int_equal(now.len, sizeof(text) - 1);
	(void)unlink(path);
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(refuses_a_nul) };

	return RUN_ROWS("a network's file", rows, is_not_overwritten) +
	       RUN_TESTS("a network's file: others", others);
}
