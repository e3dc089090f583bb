/* SPDX-License-Identifier: Apache-2.0 */
/* The table of pending.h, row by row: who comes, what the record says, what is in the file. */
#include "attachment/pending.h"
#include "state/claim.h"

#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "stage.c"
#include "want.c"

#define RUNTIMES                                                                          \
	"search default.svc.cluster.local svc.cluster.local cluster.local node.example\n" \
	"nameserver 10.96.0.10\noptions ndots:5\n"
#define OURS                                                                              \
	"search default.svc.cluster.local svc.cluster.local cluster.local node.example\n" \
	"nameserver 10.96.0.10\noptions ndots:2\n"
#define ANOTHERS "nameserver 192.0.2.9\n"
#define RECORD	 "net/%s@eth0.json"

/* What ADD was told of the runtime's text. */
enum told {
	TOLD,	   /* all of it */
	UNTOLD,	   /* nothing, and what to write is known */
	UNDECIDED, /* nothing, and what comes is to decide */
};

/* The file's times. */
enum times {
	FRESH,	 /* made just now */
	STILL,	 /* nobody has written for long */
	CHANGED, /* still, and written long after it was made */
};

static const struct row {
	const char *name;
	enum pending_by by;
	enum told told;
	const char *file; /* its text; NULL: there is none */
	enum times times;
	enum pending_result result;
	enum record_late late; /* the record says then */
	const char *text;      /* the file says then; NULL: what the record says */
	enum record_late before;
	enum { FREE, OPEN, CLAIMED, UNTRUSTED } state;
} rows[] = {
#define PENDING_YET RECORD_AWAITED, FREE
	{ "child: no file", BY_CHILD, TOLD, NULL, FRESH, PENDING_LATER, RECORD_AWAITED, NULL,
	  PENDING_YET },
	{ "child: open for writing", BY_CHILD, TOLD, RUNTIMES, FRESH, PENDING_LATER, RECORD_AWAITED,
	  RUNTIMES, RECORD_AWAITED, OPEN },
	{ "child: another attachment's", BY_CHILD, TOLD, RUNTIMES, FRESH, PENDING_DONE,
	  RECORD_MISSED, RUNTIMES, RECORD_AWAITED, CLAIMED },
	{ "child: no runtime's", BY_CHILD, TOLD, RUNTIMES, FRESH, PENDING_FAILED, RECORD_MISSED,
	  RUNTIMES, RECORD_AWAITED, UNTRUSTED },
	{ "child: empty, to be written", BY_CHILD, TOLD, "", FRESH, PENDING_LATER, RECORD_AWAITED,
	  OURS, PENDING_YET },
	{ "child: empty, to decide by", BY_CHILD, UNDECIDED, "", FRESH, PENDING_LATER,
	  RECORD_AWAITED, "", PENDING_YET },
	{ "child: empty and still, to decide by", BY_CHILD, UNDECIDED, "", STILL, PENDING_DONE,
	  RECORD_WRITTEN_LATE, NULL, PENDING_YET },
	{ "child: the runtime's", BY_CHILD, TOLD, RUNTIMES, FRESH, PENDING_DONE,
	  RECORD_WRITTEN_LATE, OURS, PENDING_YET },
	{ "child: the runtime's, to decide by", BY_CHILD, UNDECIDED, RUNTIMES, FRESH, PENDING_DONE,
	  RECORD_WRITTEN_LATE, NULL, PENDING_YET },
	{ "child: what it has seen come", BY_CHILD, UNTOLD, ANOTHERS, CHANGED, PENDING_DONE,
	  RECORD_WRITTEN_LATE, OURS, PENDING_YET },
	{ "child: ours", BY_CHILD, TOLD, OURS, FRESH, PENDING_LATER, RECORD_AWAITED, OURS,
	  PENDING_YET },
	{ "child: ours, untold", BY_CHILD, UNTOLD, OURS, FRESH, PENDING_LATER, RECORD_AWAITED, OURS,
	  PENDING_YET },
	{ "child: ours and still", BY_CHILD, TOLD, OURS, STILL, PENDING_DONE, RECORD_WRITTEN_LATE,
	  OURS, PENDING_YET },
	{ "child: anything else", BY_CHILD, TOLD, ANOTHERS, FRESH, PENDING_LATER, RECORD_AWAITED,
	  ANOTHERS, PENDING_YET },
	{ "child: anything else and still", BY_CHILD, TOLD, ANOTHERS, STILL, PENDING_SKIPPED,
	  RECORD_MISSED, ANOTHERS, PENDING_YET },
	{ "child: missed", BY_CHILD, TOLD, RUNTIMES, FRESH, PENDING_DONE, RECORD_MISSED, RUNTIMES,
	  RECORD_MISSED, FREE },
	{ "child: written", BY_CHILD, TOLD, RUNTIMES, FRESH, PENDING_DONE, RECORD_WRITTEN_LATE,
	  RUNTIMES, RECORD_WRITTEN_LATE, FREE },

	{ "sweep: no file", BY_SWEEP, TOLD, NULL, FRESH, PENDING_LATER, RECORD_AWAITED, NULL,
	  PENDING_YET },
	{ "sweep: open for writing", BY_SWEEP, TOLD, RUNTIMES, FRESH, PENDING_LATER, RECORD_AWAITED,
	  RUNTIMES, RECORD_AWAITED, OPEN },
	{ "sweep: another attachment's", BY_SWEEP, TOLD, RUNTIMES, FRESH, PENDING_DONE,
	  RECORD_MISSED, RUNTIMES, RECORD_AWAITED, CLAIMED },
	{ "sweep: no runtime's", BY_SWEEP, TOLD, RUNTIMES, FRESH, PENDING_FAILED, RECORD_MISSED,
	  RUNTIMES, RECORD_AWAITED, UNTRUSTED },
	{ "sweep: empty, to be written", BY_SWEEP, TOLD, "", FRESH, PENDING_LATER, RECORD_AWAITED,
	  OURS, PENDING_YET },
	{ "sweep: the runtime's", BY_SWEEP, TOLD, RUNTIMES, FRESH, PENDING_DONE,
	  RECORD_WRITTEN_LATE, OURS, PENDING_YET },
	{ "sweep: as it was made", BY_SWEEP, UNTOLD, ANOTHERS, STILL, PENDING_DONE,
	  RECORD_WRITTEN_LATE, OURS, PENDING_YET },
	{ "sweep: changed since", BY_SWEEP, UNTOLD, ANOTHERS, CHANGED, PENDING_SKIPPED,
	  RECORD_MISSED, ANOTHERS, PENDING_YET },
	{ "sweep: changed since, to decide by", BY_SWEEP, UNDECIDED, RUNTIMES, CHANGED,
	  PENDING_SKIPPED, RECORD_MISSED, RUNTIMES, PENDING_YET },
	{ "sweep: ours and still", BY_SWEEP, UNTOLD, OURS, STILL, PENDING_DONE, RECORD_WRITTEN_LATE,
	  OURS, PENDING_YET },
	{ "sweep: anything else", BY_SWEEP, TOLD, ANOTHERS, FRESH, PENDING_LATER, RECORD_AWAITED,
	  ANOTHERS, PENDING_YET },
	{ "sweep: anything else and still", BY_SWEEP, TOLD, ANOTHERS, STILL, PENDING_SKIPPED,
	  RECORD_MISSED, ANOTHERS, PENDING_YET },
	{ "sweep: missed, the runtime's", BY_SWEEP, TOLD, RUNTIMES, FRESH, PENDING_DONE,
	  RECORD_WRITTEN_LATE, OURS, RECORD_MISSED, FREE },
	{ "sweep: missed, anything else", BY_SWEEP, TOLD, ANOTHERS, STILL, PENDING_DONE,
	  RECORD_MISSED, ANOTHERS, RECORD_MISSED, FREE },
	{ "sweep: missed, no runtime's", BY_SWEEP, TOLD, RUNTIMES, FRESH, PENDING_DONE,
	  RECORD_MISSED, RUNTIMES, RECORD_MISSED, UNTRUSTED },
	{ "sweep: written", BY_SWEEP, TOLD, RUNTIMES, FRESH, PENDING_DONE, RECORD_WRITTEN_LATE,
	  RUNTIMES, RECORD_WRITTEN_LATE, FREE },

	{ "hook: no file", BY_HOOK, TOLD, NULL, FRESH, PENDING_LATER, RECORD_AWAITED, NULL,
	  PENDING_YET },
	{ "hook: open for writing", BY_HOOK, TOLD, RUNTIMES, FRESH, PENDING_LATER, RECORD_AWAITED,
	  RUNTIMES, RECORD_AWAITED, OPEN },
	{ "hook: another attachment's", BY_HOOK, TOLD, RUNTIMES, FRESH, PENDING_DONE, RECORD_MISSED,
	  RUNTIMES, RECORD_AWAITED, CLAIMED },
	{ "hook: no runtime's", BY_HOOK, TOLD, RUNTIMES, FRESH, PENDING_FAILED, RECORD_MISSED,
	  RUNTIMES, RECORD_AWAITED, UNTRUSTED },
	{ "hook: empty, to be written", BY_HOOK, TOLD, "", FRESH, PENDING_DONE, RECORD_WRITTEN_LATE,
	  OURS, PENDING_YET },
	{ "hook: empty, to decide by", BY_HOOK, UNDECIDED, "", FRESH, PENDING_DONE,
	  RECORD_WRITTEN_LATE, NULL, PENDING_YET },
	{ "hook: the runtime's", BY_HOOK, TOLD, RUNTIMES, FRESH, PENDING_DONE, RECORD_WRITTEN_LATE,
	  OURS, PENDING_YET },
	{ "hook: ours", BY_HOOK, TOLD, OURS, FRESH, PENDING_DONE, RECORD_WRITTEN_LATE, OURS,
	  PENDING_YET },
	{ "hook: anything else", BY_HOOK, TOLD, ANOTHERS, FRESH, PENDING_SKIPPED, RECORD_MISSED,
	  ANOTHERS, PENDING_YET },
	{ "hook: missed, the runtime's", BY_HOOK, TOLD, RUNTIMES, FRESH, PENDING_DONE,
	  RECORD_WRITTEN_LATE, OURS, RECORD_MISSED, FREE },
	{ "hook: missed, anything else", BY_HOOK, TOLD, ANOTHERS, FRESH, PENDING_SKIPPED,
	  RECORD_MISSED, ANOTHERS, RECORD_MISSED, FREE },
	{ "hook: written", BY_HOOK, TOLD, RUNTIMES, FRESH, PENDING_DONE, RECORD_WRITTEN_LATE,
	  RUNTIMES, RECORD_WRITTEN_LATE, FREE },
};

/*** what a row finds ***/

static struct record record; /* as it is laid, and names the file */
static char path[RECORD_PATH];

static void lay_record(const struct row *row, struct rundir *run)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	char claims[CLAIM_FOLDER];
	struct err e = { 0 };

	record = RECORD_BLANK;
	if (!record_parse(&record,
			  want_load_file(row->told == UNDECIDED
						 ? "tests/data/records/pending-undecided.json"
						 : "tests/data/records/pending-decided.json"),
			  &e) ||
	    !record_path(path, &record.at, &e) || !rundir_lock(&held, run, &e))
		stage_broken("%s", e.text);
	record.late = (int)row->before;
	if (row->told != TOLD)
		record.inputs.runtime_text = NULL;
	claim_sandbox(claims, record.at.container_id);
	if (!record_write(&held, path, &record, &e) || !claim_add(&held, claims, path, &e))
		stage_broken("%s", e.text);
	if (row->state != CLAIMED)
		return;
	stage_put("/run/pod-dns/other/c1@eth0.json", "");
	if (!claim_add(&held, claims, "other/c1@eth0.json", &e))
		stage_broken("%s", e.text);
}

static void set_times(enum times times)
{
	struct timespec at[2] = { 0 };
	struct statx st;

	if (times == FRESH)
		return;
	if (statx(AT_FDCWD, record.file, 0, STATX_BTIME, &st) < 0 || !(st.stx_mask & STATX_BTIME))
		stage_broken("statx %s", record.file);
	at[1].tv_sec = times == STILL ? 1 : st.stx_btime.tv_sec + 60;
	at[0] = at[1];
	if (utimensat(AT_FDCWD, record.file, at, 0) < 0)
		stage_broken("utimensat %s", record.file);
}

/* A descriptor that keeps it open; -1: nobody does. */
static int lay_file(const struct row *row)
{
	char folder[512];

	if (!row->file)
		return -1;
	stage_put(record.file, row->file);
	set_times(row->times);
	(void)snprintf(folder, sizeof folder, "%.*s",
		       (int)(strrchr(record.file, '/') - record.file), record.file);
	if (row->state == UNTRUSTED && chmod(folder, 0777) < 0)
		stage_broken("chmod %s", folder);
	return row->state == OPEN ? open(record.file, O_WRONLY | O_CLOEXEC) : -1;
}

/*** what it leaves ***/

/* Why it was missed is in the record, and told, but for the sweep's second time. */
static void check_told(const struct row *row, const struct record *now, const struct warnings *w,
		       const struct err *e)
{
	bool told = row->result == PENDING_SKIPPED || row->result == PENDING_FAILED;

	assert_int_equal(e->code != 0, told);
	if (row->before != row->late || told)
		assert_int_equal(now->late_why != NULL, row->late == RECORD_MISSED);
	else
		assert_int_equal(w->n, 0);
}

static void completes(void **state)
{
	const struct row *row = *state;
	auto_rundir run = RUNDIR_NONE;
	auto_record now = RECORD_BLANK;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct err e = { 0 };
	int writer;

	if (!rundir_open(&run, true, &e))
		stage_broken("%s", e.text);
	lay_record(row, &run);
	writer = lay_file(row);
	assert_int_equal(pending_complete(&run, path, NULL, row->by, &w, &e), row->result);
	assert_int_equal(record_read(&now, &run, path), RECORD_KNOWN);
	assert_int_equal(now.late, row->late);
	if (row->file)
		stage_holds(record.file, row->text ? row->text : now.text);
	check_told(row, &now, &w, &e);
	if (writer >= 0)
		(void)close(writer);
	record_done(&record);
}

int main(void)
{
	return RUN_ROWS("pending", rows, completes, STAGE);
}
