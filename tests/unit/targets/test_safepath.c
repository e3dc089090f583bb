/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to a file, and who could have put another there. */
#include "targets/safepath.h"

#include "rows.h"
#include "stage.c"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { USER = 100000 }; /* a shifted root, or a local user */

static void lay_ways(void)
{
	static const char *const files[] = { "/run/open/pod/file", "/run/shifted/pod/file",
					     "/run/shifted/pod/roots",
					     "/run/shifted/pod/deep/file" };

	for (size_t i = 0; i < LEN(files); i++)
		stage_put(files[i], "x");
	stage_link("/run/open/link", "pod");
	stage_link("/run/open/far", "/run/open/pod");
	stage_link("/run/open/up", "../open/./pod");
	stage_link("/run/open/pod/loop", "loop");
	stage_link("/run/open/pod/end", "file");
	stage_link("/run/open/shifted", "/run/shifted/pod");
	stage_link("/run/shifted/pod/out", "/run/open/pod");
	assert_int_equal(chown("/run/shifted/pod", USER, USER), 0);
	assert_int_equal(chown("/run/shifted/pod/file", USER, USER), 0);
	assert_int_equal(lchown("/run/shifted/pod/out", USER, USER), 0);
	assert_int_equal(chown("/run/open/pod/file", USER, USER), 0);
}

#define USERS "pod is a folder of user 100000"

static const struct row {
	const char *name, *path;
	const char *error; /* part of it; NULL: opened */
} rows[] = {
	{ "root's folders, and a shifted file", "/run/open/pod/file", NULL },
	{ "slashes and dots", "//run/./open//pod/file", NULL },
	{ "up and down", "/run/open/../open/pod/file", NULL },
	{ "a link of root's", "/run/open/link/file", NULL },
	{ "an absolute link of root's", "/run/open/far/file", NULL },
	{ "a link with dots", "/run/open/up/file", NULL },
	{ "the link at the end is opened itself", "/run/open/pod/end", NULL },
	{ "a shifted folder with its file, as podman has it", "/run/shifted/pod/file", NULL },
	{ "the same by a link of root's", "/run/open/shifted/file", NULL },
	{ "root's file in a user's folder", "/run/shifted/pod/roots", "and not this user's" },
	{ "a folder in a user's", "/run/shifted/pod/deep/file", USERS },
	{ "out of a user's folder", "/run/shifted/pod/../../open/pod/file", USERS },
	{ "out of it by a link in it", "/run/shifted/pod/out/file", USERS },
	{ "a link to itself", "/run/open/pod/loop/file", "symbolic links" },
	{ "a file on the way", "/run/open/pod/file/file", "Not a directory" },
	{ "a folder that is not there", "/run/none/file", "none: No such file" },
	{ "a file that is not there", "/run/open/pod/none", "No such file" },
	{ "a relative path", "run/open/pod/file", "not an absolute path" },
	{ "nothing", "", "not an absolute path" },
};

static void opens(void **state)
{
	const struct row *row = *state;
	struct err e = { 0 };
	auto_fd fd = -1;

	lay_ways();
	fd = safepath_open(row->path, &e);
	assert_int_equal(fd >= 0, !row->error);
	assert_int_equal(e.code, row->error ? ERR_TARGET : 0);
	if (row->error)
		assert_non_null(strstr(e.text, row->error));
}

/* Group and others alike; the bits of a list of access rights show as the group's. */
static void refuses_what_others_may_write(void **state UNUSED)
{
	static const mode_t modes[] = { 0775, 0757, 0777, 01777 };

	lay_ways();
	for (size_t i = 0; i < LEN(modes); i++) {
		struct err e = { 0 };

		assert_int_equal(chmod("/run/open", modes[i]), 0);
		assert_int_equal(safepath_open("/run/open/pod/file", &e), -1);
		assert_non_null(strstr(e.text, "not only root may write to open"));
	}
}

static void opens_no_longer_path(void **state UNUSED)
{
	char path[2 * 4096];
	struct err e = { 0 };

	memset(path, 'a', sizeof(path));
	path[0] = path[5000] = '/';
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(safepath_open(path, &e), -1);
	assert_int_equal(e.code, ERR_TARGET);
	(void)snprintf(path + 300, sizeof(path) - 300, "/x");
	e = (struct err){ 0 };
	errno = 0;
	assert_int_equal(safepath_open(path, &e), -1);
	assert_int_equal(errno, ENAMETOOLONG);
}

/* A link's text and what follows it, with the slash between, are a path. */
static void follows_no_longer_link(void **state UNUSED)
{
	char to[4096] = ".";
	struct err e = { 0 };
	auto_fd fd = -1;

	lay_ways();
	memset(to + 1, '/', 4090);
	memcpy(to + 4091, "pod", 4);
	stage_link("/run/open/long", to);
	fd = safepath_open("/run/open/long/file", &e);
	assert_true(fd >= 0);
	assert_int_equal(safepath_open("/run/open/long/./file", &e), -1);
	assert_non_null(strstr(e.text, "symbolic links"));
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(refuses_what_others_may_write),
		cmocka_unit_test(opens_no_longer_path),
		cmocka_unit_test(follows_no_longer_link),
	};

	return RUN_ROWS("ways", rows, opens, STAGE) + RUN_TESTS("others", others, STAGE);
}
