/* SPDX-License-Identifier: Apache-2.0 */
/* /etc/netns/NAME/resolv.conf: names, whose it is, and what errors say. */
#include "targets/netnsfile.h"
#include "err.h"

#include "rows.h"
#include "stage.c"

#include <string.h>

static const struct row {
	const char *path, *name;
} rows[] = {
	{ "/run/netns/pod", "pod" },	{ "/var/run/netns/pod", "pod" },
	{ "/run/netns/.pod", ".pod" },	{ "/run/netns/..", NULL },
	{ "/run/netns/", NULL },	{ "/run/netns/a/b", NULL },
	{ "/proc/7/ns/net", NULL },	{ "run/netns/pod", NULL },
	{ "/tmp/run/netns/pod", NULL }, { "", NULL },
};

static void names(void **state UNUSED)
{
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *name = netnsfile_name(rows[i].path);

		assert_int_equal(name != NULL, rows[i].name != NULL);
		if (name)
			assert_string_equal(name, rows[i].name);
	}
}

static void writes_and_removes(void **state UNUSED)
{
	auto_rundir r = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };

	assert_true(rundir_open(&r, true, &e) && rundir_lock(&held, &r, &e));
	assert_true(rundir_mkdir(&held, ".netns/pod", &e));
	assert_true(netnsfile_write(&held, "pod", "x\n", &e));
	assert_true(netnsfile_is_whole(&r, "pod", "x\n"));
	assert_false(netnsfile_is_whole(&r, "pod", "y\n"));
	assert_false(netnsfile_is_foreign("pod"));
	assert_true(netnsfile_remove(&held, "pod", &e));
	assert_false(netnsfile_is_whole(&r, "pod", "x\n"));
	assert_int_equal(access("/etc/netns", F_OK), -1);
}

static void leaves_what_is_not_ours(void **state UNUSED)
{
	auto_rundir r = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };

	stage_put("/etc/netns/pod/resolv.conf", "own\n");
	assert_true(rundir_open(&r, true, &e) && rundir_lock(&held, &r, &e));
	assert_true(netnsfile_is_foreign("pod"));
	assert_false(netnsfile_write(&held, "pod", "x\n", &e));
	assert_int_equal(e.code, ERR_TARGET);
	assert_true(netnsfile_remove(&held, "pod", &e));
	assert_int_equal(access("/etc/netns/pod/resolv.conf", F_OK), 0);
}

/* An operator greps for the path. */
static void names_a_path_once(void **state UNUSED)
{
	auto_rundir r = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };
	const char *at;

	assert_true(rundir_open(&r, true, &e) && rundir_lock(&held, &r, &e));
	stage_put(RUNDIR "/.netns", "");
	assert_false(netnsfile_write(&held, "pod", "x\n", &e));
	at = strstr(e.text, RUNDIR);
	assert_non_null(at);
	assert_null(strstr(at + 1, RUNDIR));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(writes_and_removes),
		cmocka_unit_test(leaves_what_is_not_ours),
		cmocka_unit_test(names_a_path_once),
	};

	return RUN_TESTS("netns files", tests, STAGE);
}
