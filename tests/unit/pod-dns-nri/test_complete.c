/* SPDX-License-Identifier: Apache-2.0 */
/* What pod-dns-nri does for a pod, by what the record says and who holds the lock. */
#include "pod-dns-nri/complete.h"
#include "state/claim.h"

#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "stage.c"
#include "want.c"

#define RUNTIMES                                                                          \
	"search default.svc.cluster.local svc.cluster.local cluster.local node.example\n" \
	"nameserver 10.96.0.10\noptions ndots:5\n"

static struct record record; /* as it is laid */
static char path[RECORD_PATH];

static void lay_record(struct rundir *run, enum record_late late)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	char claims[CLAIM_FOLDER];
	struct err e = { 0 };

	record = RECORD_BLANK;
	if (!rundir_open(run, true, &e) ||
	    !record_parse(&record, want_load_file("tests/data/records/pending-decided.json"), &e) ||
	    !record_path(path, &record.at, &e) || !rundir_lock(&held, run, &e))
		stage_broken("%s", e.text);
	record.late = (int)late;
	claim_sandbox(claims, record.at.container_id);
	if (!record_write(&held, path, &record, &e) || !claim_add(&held, claims, path, &e))
		stage_broken("%s", e.text);
}

static enum record_late late_of_record(const struct rundir *run)
{
	auto_record now = RECORD_BLANK;

	assert_int_equal(record_read(&now, run, path), RECORD_KNOWN);
	return (enum record_late)now.late;
}

static const struct row {
	const char *name, *sandbox; /* NULL: the record's */
	enum record_late before, after;
	const char *file; /* NULL: there is none */
	bool locked;
	enum completed result;
} rows[] = {
	{ "the runtime's text", NULL, RECORD_AWAITED, RECORD_WRITTEN_LATE, RUNTIMES, false,
	  COMPLETED_WRITTEN },
	{ "missed before", NULL, RECORD_MISSED, RECORD_WRITTEN_LATE, RUNTIMES, false,
	  COMPLETED_WRITTEN },
	{ "written before", NULL, RECORD_WRITTEN_LATE, RECORD_WRITTEN_LATE, RUNTIMES, false,
	  COMPLETED_NOTHING },
	{ "lock is held", NULL, RECORD_AWAITED, RECORD_AWAITED, RUNTIMES, true, COMPLETED_LATER },
	{ "no file", NULL, RECORD_AWAITED, RECORD_AWAITED, NULL, false, COMPLETED_ABSENT },
	{ "a text of the workload", NULL, RECORD_AWAITED, RECORD_MISSED, "nameserver 192.0.2.9\n",
	  false, COMPLETED_MISSED },
	{ "another sandbox", "other", RECORD_AWAITED, RECORD_AWAITED, RUNTIMES, false,
	  COMPLETED_NOTHING },
	{ "no ID", "", RECORD_AWAITED, RECORD_AWAITED, RUNTIMES, false, COMPLETED_NOTHING },
	{ "path as an ID", "../c1", RECORD_AWAITED, RECORD_AWAITED, RUNTIMES, false,
	  COMPLETED_NOTHING },
};

static void pod_is_completed(void **state)
{
	const struct row *row = *state;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	auto_rundir run = RUNDIR_NONE, other = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };

	lay_record(&run, row->before);
	if (row->file)
		stage_put(record.file, row->file);
	if (row->locked && (!rundir_open(&other, false, NULL) || !rundir_lock(&held, &other, NULL)))
		stage_broken("the lock");
	assert_int_equal(complete_pod(row->sandbox ? row->sandbox : record.at.container_id, &w, &e),
			 row->result);
	assert_int_equal(e.code != 0, row->result == COMPLETED_MISSED);
	assert_int_equal(late_of_record(&run), row->after);
	if (row->result == COMPLETED_WRITTEN)
		stage_holds(record.file, record.text);
	else if (row->file)
		stage_holds(record.file, row->file);
	record_done(&record);
}

/* What was left because another process had the lock is completed by the next look at all. */
static void all_that_await_are_completed_when_the_lock_is_free(void **state UNUSED)
{
	auto_rundir run = RUNDIR_NONE, other = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	size_t written;

	lay_record(&run, RECORD_AWAITED);
	stage_put(record.file, RUNTIMES);
	if (!rundir_open(&other, false, NULL) || !rundir_lock(&held, &other, NULL))
		stage_broken("the lock");
	assert_true(complete_all(1000, &written));
	assert_int_equal(written, 0);
	rundir_unlock(&held);
	assert_false(complete_all(1000, &written));
	assert_int_equal(written, 1);
	stage_holds(record.file, record.text);
	assert_false(complete_all(1000, &written));
	assert_int_equal(written, 0);
	record_done(&record);
}

/* A pod that is just being made: its event is still to come. */
static void record_without_a_file_is_not_waited_for(void **state UNUSED)
{
	auto_rundir run = RUNDIR_NONE;
	size_t written;

	lay_record(&run, RECORD_AWAITED);
	assert_false(complete_all(1000, &written));
	assert_int_equal(late_of_record(&run), RECORD_AWAITED);
	record_done(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_await_are_completed_when_the_lock_is_free),
		cmocka_unit_test(record_without_a_file_is_not_waited_for),
	};

	return RUN_ROWS("a pod", rows, pod_is_completed, STAGE) + RUN_TESTS("all", tests, STAGE);
}
