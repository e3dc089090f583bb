/* SPDX-License-Identifier: Apache-2.0 */
/* The run folder: whose it must be, its lock, its lists, and what killed processes left in it. */
#include "state/rundir.h"

#include "rows.h"
#include "stage.c"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

static mode_t mode_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 ? 0 : st.st_mode;
}

/*** whose it is ***/

static const struct row {
	const char *name;
	mode_t mode; /* 0: it is not there */
	uid_t owner;
	bool link, create, opened;
	const char *says; /* NULL: nothing */
} rows[] = {
	{ .name = "none is made where none is wanted", .opened = false },
	{ .name = "none is made", .create = true, .opened = true },
	{ .name = "ours", .mode = 0700, .opened = true },
	{ .name = "ours, again", .mode = 0700, .create = true, .opened = true },
	{ .name = "others may look", .mode = 0750, .says = "mode 750, must be 700" },
	{ .name = "others may write", .mode = 0703, .create = true, .says = "mode 703" },
	{ .name = "another's", .mode = 0700, .owner = 7, .says = "belongs to uid 7" },
	{ .name = "a link", .mode = 0700, .link = true, .says = RUNDIR ": " },
	{ .name = "a link, even to make it", .link = true, .create = true, .says = RUNDIR ": " },
};

static void lay_folder(const struct row *row)
{
	const char *path = row->link ? "/run/elsewhere" : RUNDIR;

	if (row->link && symlink(path, RUNDIR) < 0)
		stage_broken("symlink");
	if (row->mode && (mkdir(path, 0700) < 0 || chmod(path, row->mode) < 0 ||
			  chown(path, row->owner, (gid_t)-1) < 0))
		stage_broken("%s", path);
}

static void is_opened(void **state)
{
	const struct row *row = *state;
	auto_rundir r = RUNDIR_NONE;
	struct err e = { 0 };
	bool done;

	lay_folder(row);
	if (chmod("/run", 02755) < 0) /* what is made there gets that bit */
		stage_broken("chmod");
	done = rundir_open(&r, row->create, &e);
	assert_int_equal(r.fd >= 0, row->opened);
	assert_int_equal(done, row->says == NULL);
	assert_int_equal(e.code, row->says ? ERR_IO : 0);
	if (row->says)
		assert_non_null(strstr(e.text, row->says));
	if (row->opened)
		assert_int_equal(mode_of(RUNDIR), S_IFDIR | 0700);
}

/*** the lock ***/

static struct rundir open_run(void)
{
	struct rundir r = RUNDIR_NONE;

	if (!rundir_open(&r, true, NULL))
		stage_broken("the run folder");
	return r;
}

/* Whether another process gets the lock without waiting. */
static bool is_free(void)
{
	auto_fd fd = open(RUNDIR "/.lock", O_RDWR | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void is_held_until_its_scope_ends(void **state UNUSED)
{
	auto_rundir r = open_run();

	for (int i = 0; i < 2; i++) {
		auto_rundir_lock held = RUNDIR_UNLOCKED;

		assert_true(rundir_lock(&held, &r, NULL));
		assert_ptr_equal(held.run, &r);
		assert_false(is_free());
		rundir_unlock(&held);
		assert_null(held.run);
		assert_true(is_free());
		assert_true(rundir_lock(&held, &r, NULL));
		assert_false(is_free());
	}
	assert_true(is_free());
	assert_int_equal(mode_of(RUNDIR "/.lock"), S_IFREG | 0600);
}

/* uninstall removes the file while others wait for it: they must not hold what nobody else sees. */
static void is_held_on_the_file_that_is_there(void **state UNUSED)
{
	auto_rundir r = open_run();
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	assert_true(rundir_lock(&held, &r, NULL));
	rundir_unlock(&held);
	assert_int_equal(unlink(RUNDIR "/.lock"), 0);
	assert_true(rundir_lock(&held, &r, NULL));
	assert_int_equal(mode_of(RUNDIR "/.lock"), S_IFREG | 0600);
	assert_false(is_free());
}

static void try_lock_fails_at_once_while_another_holds_it(void **state UNUSED)
{
	auto_rundir r = open_run(), other = open_run();
	auto_rundir_lock held = RUNDIR_UNLOCKED, tried = RUNDIR_UNLOCKED;

	assert_true(rundir_lock(&held, &r, NULL));
	assert_false(rundir_try_lock(&tried, &other));
	assert_null(tried.run);
	rundir_unlock(&held);
	assert_true(rundir_try_lock(&tried, &other));
	assert_ptr_equal(tried.run, &other);
	assert_false(is_free());
}

static void is_not_taken_through_a_link(void **state UNUSED)
{
	auto_rundir r = open_run();
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };

	stage_link(RUNDIR "/.lock", "/run/elsewhere");
	assert_false(rundir_lock(&held, &r, &e));
	assert_int_equal(e.code, ERR_IO);
	assert_non_null(strstr(e.text, RUNDIR "/.lock"));
	assert_null(held.run);
	assert_int_not_equal(access("/run/elsewhere", F_OK), 0);
}

/* A process that has got the lock ends. While another has it, that one waits, as the kernel says.
 */
static void keeps_processes_apart(void **state UNUSED)
{
	auto_rundir r = open_run();
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	int status = 0;
	pid_t child;

	assert_true(rundir_lock(&held, &r, NULL));
	child = fork();
	if (child == 0) {
		struct rundir own = open_run();

		_exit(rundir_lock(&held, &own, NULL) ? EXIT_SUCCESS : EXIT_FAILURE);
	}
	while (!stage_is_awaited(RUNDIR "/.lock")) {
		assert_int_equal(waitpid(child, &status, WNOHANG), 0);
		(void)usleep(1000);
	}
	assert_int_equal(waitpid(child, &status, WNOHANG), 0);
	rundir_unlock(&held);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/*** what is in it ***/

static void makes_folders(void **state UNUSED)
{
	auto_rundir r = open_run();
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };

	assert_true(rundir_lock(&held, &r, NULL));
	assert_true(rundir_mkdir(&held, ".sandbox/c1", NULL));
	assert_true(rundir_mkdir(&held, ".sandbox/c1", NULL));
	assert_int_equal(mode_of(RUNDIR "/.sandbox"), S_IFDIR | 0700);
	assert_int_equal(mode_of(RUNDIR "/.sandbox/c1"), S_IFDIR | 0700);
	stage_put(RUNDIR "/file", "");
	assert_false(rundir_mkdir(&held, "file/c1", &e));
	assert_int_equal(e.code, ERR_IO);
	assert_non_null(strstr(e.text, RUNDIR "/file/c1"));
}

static void grows_no_more_when_memory_has_ended(void **state UNUSED)
{
	struct arena a = { .failed = true };
	struct rundir_list list = { 0 };

	rundir_list_add(&list, arena_print(&a, "net/c1@eth0.json"), &a);
	assert_int_equal(list.n, 0);
	arena_done(&a);
}

static void is_listed(void **state UNUSED)
{
	static const char *const names[] = { ".x", "a", "b" };
	auto_rundir r = open_run(), none = RUNDIR_NONE;
	auto_arena a = { 0 };
	struct rundir_list list;

	stage_put(RUNDIR "/net/b", "");
	stage_put(RUNDIR "/net/a", "");
	stage_put(RUNDIR "/net/.x", "");
	stage_link(RUNDIR "/link", "net");
	assert_true(rundir_list(&list, &r, "net", &a));
	assert_int_equal(list.n, LEN(names));
	for (size_t i = 0; i < LEN(names); i++)
		assert_string_equal(list.at[i], names[i]);
	for (size_t i = 0; i < 3; i++) {
		static const char *const empty[] = { "none", "net/a", "link" };

		assert_true(rundir_list(&list, &r, empty[i], &a));
		assert_int_equal(list.n, 0);
	}
	assert_true(rundir_list(&list, &none, ".", &a));
	assert_int_equal(list.n, 0);
	assert_true(arena_ok(&a));
}

static void is_listed_whole(void **state UNUSED)
{
	enum { MANY = 1000 };
	auto_rundir r = open_run();
	auto_arena a = { 0 };
	struct rundir_list list;

	if (mkdirat(r.fd, "net", 0700) < 0)
		stage_broken("mkdir");
	for (int i = 0; i < MANY; i++)
		if (symlinkat("x", r.fd, arena_print(&a, "net/%04d", i)) < 0)
			stage_broken("symlink");
	assert_true(rundir_list(&list, &r, "net", &a));
	assert_int_equal(list.n, MANY);
	for (int i = 0; i < MANY; i++)
		assert_string_equal(list.at[i], arena_print(&a, "%04d", i));
}

static void forgets_what_was_on_its_way(void **state UNUSED)
{
	auto_rundir r = open_run();
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	char one[RUNDIR_TEMP], again[RUNDIR_TEMP], other[RUNDIR_TEMP];

	assert_true(rundir_lock(&held, &r, NULL));
	rundir_temp(one, "net/c1@eth0.json");
	rundir_temp(again, "net/c1@eth0.json");
	rundir_temp(other, "net/c2@eth0.json");
	assert_string_equal(one, again);
	assert_string_not_equal(one, other);
	stage_link(RUNDIR "/.told-net", "0123456789abcdef");
	for (int i = 0; i < 3; i++) {
		(void)close(openat(r.fd, one, O_WRONLY | O_CREAT, 0600));
		(void)close(openat(r.fd, other, O_WRONLY | O_CREAT, 0600));
		if (i == 0)
			rundir_remove_temp(&held, "net/c1@eth0.json");
		else if (i == 1)
			rundir_remove_temps(&held);
		else
			rundir_remove_told(&r);
		assert_int_equal(faccessat(r.fd, one, F_OK, 0) == 0, i == 2);
		assert_int_equal(faccessat(r.fd, other, F_OK, 0) == 0, i != 1);
		assert_int_equal(mode_of(RUNDIR "/.told-net") != 0, i != 2);
	}
	assert_false(is_free());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_held_until_its_scope_ends),
		cmocka_unit_test(is_held_on_the_file_that_is_there),
		cmocka_unit_test(try_lock_fails_at_once_while_another_holds_it),
		cmocka_unit_test(is_not_taken_through_a_link),
		cmocka_unit_test(keeps_processes_apart),
		cmocka_unit_test(makes_folders),
		cmocka_unit_test(is_listed),
		cmocka_unit_test(grows_no_more_when_memory_has_ended),
		cmocka_unit_test(is_listed_whole),
		cmocka_unit_test(forgets_what_was_on_its_way),
	};

	return RUN_ROWS("whose folder", rows, is_opened, STAGE) +
	       RUN_TESTS("the run folder", tests, STAGE);
}
