/* SPDX-License-Identifier: Apache-2.0 */
/* The file of pod-dns-nri: one process holds it, and others see whether that process serves. */
#include "state/nri_lock.h"

#include "rows.h"
#include "stage.c"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static struct rundir open_folder(void)
{
	struct rundir r = RUNDIR_NONE;

	if (!rundir_open(&r, true, NULL))
		stage_broken("the run folder");
	return r;
}

static const struct row {
	const char *name;
	bool held, stamped;
	int age; /* seconds; less than 0: the clock was set back */
	bool serves;
} rows[] = {
	{ "file is not there", false, false, 0, false },
	{ "held, stamped", true, true, 0, true },
	{ "held, connected no more", true, false, 0, false },
	{ "held, stamped long ago", true, true, 10, false },
	{ "held, stamped in the future", true, true, -10, false },
	{ "stamped, and its process was killed", false, true, 0, false },
};

static void is_seen_to_serve(void **state)
{
	const struct row *row = *state;
	auto_rundir r = open_folder();
	struct nri_lock lock = NRI_LOCK_NONE;
	struct timespec times[2] = { { .tv_sec = time(NULL) - row->age } };

	times[1] = times[0];
	if (row->held || row->stamped)
		assert_true(nri_lock_take(&lock, NULL));
	if (row->stamped)
		nri_lock_stamp(&lock);
	if (row->age)
		assert_int_equal(futimens(lock.fd, times), 0);
	if (!row->held && lock.fd >= 0) { /* as by SIGKILL: the file stays */
		(void)close(lock.fd);
		lock.fd = -1;
	}
	assert_int_equal(nri_lock_serves(&r), row->serves);
	nri_lock_release(&lock);
	assert_false(nri_lock_serves(&r));
}

static void second_process_is_refused(void **state UNUSED)
{
	struct nri_lock first, second;
	struct err e = { 0 };

	assert_true(nri_lock_take(&first, NULL));
	nri_lock_stamp(&first);
	assert_false(nri_lock_take(&second, &e));
	assert_int_equal(e.code, ERR_AGAIN);
	assert_int_equal(second.fd, -1);
	nri_lock_release(&first);
	assert_int_not_equal(access(RUNDIR "/" NRI_LOCK, F_OK), 0);
	assert_true(nri_lock_take(&second, NULL));
	nri_lock_release(&second);
}

/* `pod-dnsctl uninstall` removes the run folder. */
static void removed_file_is_made_again(void **state UNUSED)
{
	auto_rundir r = open_folder();
	struct nri_lock lock;

	assert_true(nri_lock_take(&lock, NULL));
	assert_int_equal(unlink(RUNDIR "/" NRI_LOCK), 0);
	nri_lock_stamp(&lock);
	assert_false(nri_lock_serves(&r));
	assert_true(nri_lock_keep(&lock, NULL));
	nri_lock_stamp(&lock);
	assert_true(nri_lock_serves(&r));
	nri_lock_release(&lock);
}

static void report_is_read_back_and_leaves_the_stamp(void **state UNUSED)
{
	const struct nri_report report = {
		.runtime = "containerd v2", .pods = 5, .written = 3, .missed = 1, .connections = 2
	};
	const struct nri_report shorter = { .runtime = "" };
	auto_arena arena = { 0 };
	auto_rundir r = open_folder();
	struct nri_report read;
	struct nri_lock lock;

	assert_false(nri_lock_read(&read, &r, &arena));
	assert_true(nri_lock_take(&lock, NULL));
	nri_lock_report(&lock, &report);
	assert_false(nri_lock_serves(&r));
	assert_true(nri_lock_read(&read, &r, &arena));
	assert_string_equal(read.runtime, "containerd v2");
	assert_int_equal(read.pods, 5);
	assert_int_equal(read.written, 3);
	assert_int_equal(read.missed, 1);
	assert_int_equal(read.connections, 2);
	nri_lock_stamp(&lock);
	nri_lock_report(&lock, &shorter);
	assert_true(nri_lock_serves(&r));
	assert_true(nri_lock_read(&read, &r, &arena));
	assert_string_equal(read.runtime, "");
	assert_int_equal(read.pods, 0);
	nri_lock_release(&lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(second_process_is_refused),
		cmocka_unit_test(removed_file_is_made_again),
		cmocka_unit_test(report_is_read_back_and_leaves_the_stamp),
	};

	return RUN_ROWS("serves", rows, is_seen_to_serve, STAGE) +
	       RUN_TESTS("the file", tests, STAGE);
}
