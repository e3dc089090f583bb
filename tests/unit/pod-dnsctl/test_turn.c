/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of a folder of networks: waiting for it ends, and its file is there while installed. */
#include <time.h>

static int pauses;

static int count_pause(const struct timespec *pause, struct timespec *left)
{
	(void)pause;
	(void)left;
	pauses++;
	return 0;
}

#define nanosleep count_pause
#include "pod-dnsctl/install/turn.c"

#include "pod-dnsctl/cli/out.h"
#include "rows.h"

static char folder[] = "/tmp/pdt-turn-XXXXXX";
static struct ctl ctl;

static bool is_there(void)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "%s/" TURN_FILE, folder);
	return access(path, F_OK) == 0;
}

static void the_wait_ends(void **state UNUSED)
{
	auto_turn other = TURN_NONE, turn = TURN_NONE;
	struct err e = { 0 };

	assert_true(turn_take(&other, folder, &ctl, &e));
	assert_false(turn_take(&turn, folder, &ctl, &e));
	assert_int_equal(e.code, ERR_AGAIN);
	assert_non_null(strstr(e.text, folder));
	assert_int_equal(pauses, TRIES);
	turn_end(&other);
	err_clear(&e);
	assert_true(turn_take(&turn, folder, &ctl, &e));
}

static void the_file_is_there_while_installed(void **state UNUSED)
{
	auto_turn turn = TURN_NONE;
	struct err e = { 0 };

	assert_true(turn_take_installed(&turn, folder, &ctl, &e));
	assert_int_equal(turn.state, TURN_UNINSTALLED);
	turn_end(&turn);
	assert_false(is_there());

	assert_true(turn_take(&turn, folder, &ctl, &e));
	assert_true(is_there());
	turn_end(&turn);
	assert_false(is_there()); /* nothing was installed */

	assert_true(turn_take(&turn, folder, &ctl, &e) && turn_mark(&turn, TURN_INSTALLED, &e));
	turn_end(&turn);
	assert_true(is_there());
	assert_true(turn_take_installed(&turn, folder, &ctl, &e));
	assert_int_equal(turn.state, TURN_INSTALLED);
	turn_end(&turn);
	assert_true(is_there());

	assert_true(turn_take(&turn, folder, &ctl, &e) && turn_mark(&turn, TURN_UNINSTALLED, &e));
	turn_end(&turn);
	assert_false(is_there());
}

/* Who waited for the lock of a file that is removed would lock out nobody. */
static void a_removed_file_is_no_lock(void **state UNUSED)
{
	auto_turn turn = TURN_NONE, next = TURN_NONE;
	struct err e = { 0 };

	assert_true(turn_take(&turn, folder, &ctl, &e));
	assert_int_equal(unlink(turn.path), 0);
	assert_true(turn_take(&next, folder, &ctl, &e));
	turn_end(&turn); /* must not remove the file of `next` */
	assert_true(is_there());
}

int main(void)
{
	static const struct ctl_verb verb = { .name = "install" };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wait_ends),
		cmocka_unit_test(the_file_is_there_while_installed),
		cmocka_unit_test(a_removed_file_is_no_lock),
	};
	struct out out;
	int failed;

	out_open(&out, stdout);
	ctl = (struct ctl){ .verb = &verb, .out = &out, .err = &out };
	if (!mkdtemp(folder))
		return 1;
	failed = RUN_TESTS("turn", tests);
	return failed + (rmdir(folder) != 0);
}
