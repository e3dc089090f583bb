/* SPDX-License-Identifier: Apache-2.0 */
/* Files replaced whole, and rewritten in place. */
#include "file.h"
#include "text.h"

#include "rows.h"
#include "stage.c"

#include <sys/mount.h>

#define FILE_ "/run/x/file"

static int folder(void)
{
	int fd = open("/run/x", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		stage_broken("open /run/x");
	return fd;
}

static struct stat look(void)
{
	struct stat st;

	if (lstat(FILE_, &st) < 0)
		stage_broken("stat " FILE_);
	return st;
}

static void replace(const char *text, mode_t mode)
{
	auto_fd dir = folder();
	struct err e = { 0 };

	if (!file_replace(dir, "file", "temp", text, strlen(text), mode, &e))
		fail_msg("%s", e.text);
	assert_int_not_equal(access("/run/x/temp", F_OK), 0);
	stage_holds(FILE_, text);
	assert_int_equal(look().st_mode, S_IFREG | mode);
}

/*** replaced ***/

static void writes_no_equal_content(void **state UNUSED)
{
	struct stat before;

	stage_put(FILE_, "a\n");
	before = look();
	replace("a\n", 0644);
	assert_int_equal(look().st_ino, before.st_ino);
	replace("b\n", 0644); /* as long */
	assert_int_not_equal(look().st_ino, before.st_ino);
}

static void minds_the_mode(void **state UNUSED)
{
	const mode_t masks[] = { 0, FILE_UMASK };

	stage_put("/run/x/other", "");
	for (size_t i = 0; i < LEN(masks); i++) {
		mode_t was = umask(masks[i]);

		(void)unlink(FILE_);
		replace("a\n", 0644);
		replace("a\n", 0600); /* the same text, another mode */
		replace("", 0600);
		(void)umask(was);
	}
}

/* A link, and a temp that a killed process left: both give way, and what they lead to stays. */
static void replaces_links(void **state UNUSED)
{
	stage_put("/run/x/other", "a\n");
	stage_link(FILE_, "other");
	stage_link("/run/x/temp", "other");
	replace("a\n", 0644);
	stage_holds("/run/x/other", "a\n");
}

static void leaves_no_temp(void **state UNUSED)
{
	auto_fd dir = -1;
	struct err e = { 0 };

	stage_put(FILE_ "/x", ""); /* a folder in the file's place */
	dir = folder();
	assert_false(file_replace(dir, "file", "temp", "a", 1, 0644, &e));
	assert_int_equal(e.code, ERR_IO);
	assert_non_null(strstr(e.text, "file"));
	assert_int_not_equal(access("/run/x/temp", F_OK), 0);
}

/*** in place ***/

static const struct row {
	const char *name, *old, *text;
} rows[] = {
	{ "shorter", "abcdefgh\n", "xyz\n" }, { "longer", "abc\n", "stuvwxyz\n" },
	{ "as long", "abc\n", "xyz\n" },      { "the same", "abc\n", "abc\n" },
	{ "of nothing", "", "xyz\n" },	      { "to nothing", "abc\n", "" },
};

static void rewrites(void **state)
{
	const struct row *row = *state;

	for (int readers = 0; readers < 2; readers++) {
		struct text old = { .at = (char *)(uintptr_t)row->old, .len = strlen(row->old) };
		struct text text = { .at = (char *)(uintptr_t)row->text, .len = strlen(row->text) };
		struct err e = { 0 };
		struct stat before;
		auto_fd fd = -1;

		stage_put(FILE_, row->old);
		before = look();
		fd = open(FILE_, O_RDWR | O_CLOEXEC);
		if (!file_rewrite(fd, &old, &text, readers, &e))
			fail_msg("%s", e.text);
		stage_holds(FILE_, row->text);
		assert_int_equal(look().st_ino, before.st_ino);
	}
}

/* No room for the second page: what was there is there. */
static void puts_back(void **state UNUSED)
{
	enum { OLD = 4000, NEW = 9000, ROOM = 8192 };
	static char bytes[NEW + 1], filler[ROOM];
	struct text old = { .at = bytes, .len = OLD }, text = { .at = bytes, .len = NEW };
	struct err e = { 0 };
	auto_fd fd = -1;
	int rest;

	stage_put("/run/full/x", "");
	if (mount("full", "/run/full", "tmpfs", 0, "size=8192") < 0)
		stage_broken("tmpfs of two pages");
	memset(bytes, 'a', OLD);
	stage_write("/run/full/file", bytes, OLD);
	rest = open("/run/full/rest", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (rest < 0 || write(rest, filler, ROOM) < 0 || close(rest) < 0)
		stage_broken("fill the rest");
	fd = open("/run/full/file", O_RDWR | O_CLOEXEC);
	memset(bytes, 'b', NEW);
	memset(bytes, 'a', OLD); /* so that `old` says what the file holds */
	assert_false(file_rewrite(fd, &old, &text, false, &e));
	assert_int_equal(e.code, ERR_IO);
	assert_null(strstr(e.text, "put back"));
	bytes[OLD] = '\0';
	stage_holds("/run/full/file", bytes);
}

int main(void)
{
	struct CMUnitTest others[] = {
		cmocka_unit_test(writes_no_equal_content),
		cmocka_unit_test(minds_the_mode),
		cmocka_unit_test(replaces_links),
		cmocka_unit_test(leaves_no_temp),
		cmocka_unit_test(puts_back),
	};

	return RUN_ROWS("in place", rows, rewrites, STAGE) + RUN_TESTS("files", others, STAGE);
}
