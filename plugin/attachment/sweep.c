/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.c: releases attachments of namespaces that are gone: no DEL comes for them. */
#include "attachment/sweep.h"
#include "state/record.h"
#include "attachment/release.h"
#include "attachment/pending.h"

#include "netns.h"
#include "targets/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

enum { SWEEP_EVERY = 60 }; /* seconds */

#define STAMP ".swept"

bool sweep_is_due(const struct rundir *r)
{
	struct stat st;
	time_t now = time(NULL);

	return fstatat(r->fd, STAMP, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_mtime > now ||
	       now - st.st_mtime >= SWEEP_EVERY;
}

bool sweep_is_for(const struct record *record)
{
	if (record->pod.host_network)
		return !record->file || !sandbox_is_file(record->file);
	return !netns_is(record->netns.path, record->netns.id, record->netns.cookie);
}

/* Also completes an awaited file: its child may have been killed. */
static void sweep_one(struct rundir *r, const char *id, struct warnings *w)
{
	auto_record record = RECORD_BLANK;
	struct err fault = { 0 };

	if (record_read(&record, r, id) != RECORD_KNOWN)
		return;
	if (sweep_is_for(&record)) {
		rundir_rest(r);
		release_if_due(r, id, w);
	} else if (pending_is_due(&record) &&
		   pending_complete(r, id, NULL, BY_SWEEP, w, &fault) != PENDING_DONE && fault.code)
		warn(w, "late-missed", "%s: %s", id, fault.text);
}

static bool stamp(const struct rundir *r, struct err *e)
{
	auto_fd fd = openat(r->fd, STAMP, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	return (fd >= 0 && futimens(fd, NULL) == 0) || err_errno(e, ERR_IO, RUNDIR "/" STAMP);
}

/* Whether a record could be written. Tried with a file without a name, which leaves nothing. */
static bool has_room(const struct rundir *r, struct err *e)
{
	auto_fd fd = openat(r->fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) /* not on this file system */
		return true;
	return (fd >= 0 && write(fd, "\n", 1) == 1) || err_errno(e, ERR_IO, RUNDIR);
}

static bool begin_sweep(struct rundir *r, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	return rundir_lock(&held, r, e) && stamp(r, e) && has_room(r, e);
}

bool sweep_is_possible(struct rundir *r, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	return rundir_lock(&held, r, e) && has_room(r, e);
}

bool sweep(struct rundir *r, struct warnings *w, struct err *e)
{
	struct rundir_list records;

	if (!begin_sweep(r, e))
		return false;
	if (!record_list(&records, r, NULL, w->arena))
		warn(w, "sweep", RUNDIR ": not every network's folder can be read");
	for (size_t i = 0; i < records.n; i++)
		sweep_one(r, records.at[i], w);
	(void)release_leftovers(r, w);
	return true;
}
