/* SPDX-License-Identifier: Apache-2.0 */
/* complete.c: completes the records that ADD left awaiting the runtime's file. */
#include "pod-dns-nri/complete.h"
#include "attachment/pending.h"
#include "cni/cni.h"
#include "state/claim.h"
#include "targets/sandbox.h"

#include <string.h>
#include <time.h>

int64_t complete_clock(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* One try. LATER also where another process holds the lock. */
static enum pending_result try_record(struct rundir *r, const char *id,
				      const struct sandbox_file *file, struct warnings *w,
				      struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_try_lock(&held, r))
		return PENDING_LATER;
	return pending_complete_locked(&held, id, file, BY_HOOK, w, e);
}

static enum completed complete_record(struct rundir *r, const char *id, int64_t end,
				      struct warnings *w, struct err *e)
{
	char sandbox[RECORD_NAME + 1];
	auto_record record = RECORD_BLANK;
	enum pending_result result;

	if (record_read(&record, r, id) != RECORD_KNOWN || !pending_is_due(&record))
		return COMPLETED_NOTHING;
	record_container(sandbox, id);
	for (;;) {
		auto_sandbox_file file = sandbox_open_now(record.file, sandbox, w->arena);

		if (!file.path)
			return COMPLETED_ABSENT;
		result = try_record(r, id, &file, w, e);
		if (result != PENDING_LATER || complete_clock() >= end)
			break;
		(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	if (result == PENDING_LATER)
		return COMPLETED_LATER;
	return result == PENDING_DONE ? COMPLETED_WRITTEN : COMPLETED_MISSED;
}

enum completed complete_pod(const char *sandbox, struct warnings *w, struct err *e)
{
	char folder[CLAIM_FOLDER], id[RECORD_PATH];
	auto_rundir run = RUNDIR_NONE;

	if (!cni_is_id(sandbox) || strlen(sandbox) > RECORD_NAME)
		return COMPLETED_NOTHING;
	if (!rundir_open(&run, false, e))
		return COMPLETED_MISSED;
	if (run.fd < 0)
		return COMPLETED_NOTHING;
	claim_sandbox(folder, sandbox);
	switch (claim_owner(id, &run, folder)) {
	case CLAIM_NOBODYS:
		return COMPLETED_NOTHING;
	case CLAIM_OWNED:
		return complete_record(&run, id, complete_clock() + COMPLETE_PATIENCE, w, e);
	case CLAIM_UNKNOWN:
	default:
		return COMPLETED_LATER;
	}
}

/* A record that says missed is left to the sweep: what it missed was reported then. */
static bool is_awaited(const struct rundir *r, const char *id)
{
	auto_record record = RECORD_BLANK;

	return record_read(&record, r, id) == RECORD_KNOWN && record.late == RECORD_AWAITED;
}

bool complete_all(int ms, size_t *written)
{
	const int64_t end = complete_clock() + ms;
	auto_arena arena = { 0 };
	auto_rundir run = RUNDIR_NONE;
	struct rundir_list records;
	bool later = false;

	*written = 0;
	if (!rundir_open(&run, false, NULL) || run.fd < 0)
		return false;
	(void)record_list(&records, &run, NULL, &arena);
	for (size_t i = 0; i < records.n; i++) {
		auto_arena own = { 0 };
		struct warnings w = { .arena = &own };
		enum completed done = COMPLETED_LATER;

		if (!is_awaited(&run, records.at[i]))
			continue;
		if (complete_clock() < end)
			done = complete_record(&run, records.at[i], complete_clock(), &w, NULL);
		*written += done == COMPLETED_WRITTEN;
		later = later || done == COMPLETED_LATER;
	}
	return later;
}
