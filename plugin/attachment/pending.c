/* SPDX-License-Identifier: Apache-2.0 */
/* pending.c: a PENDING record and the runtime's file that has come since. */
#include "attachment/pending_private.h"
#include "attachment/compute_for.h"
#include "attachment/compute_record.h"
#include "state/claim.h"
#include "targets/inplace.h"
#include "targets/sandbox.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* The list's words in the arena: they outlive what computed them. */
static void keep_words(struct resolv_list *list, struct arena *a)
{
	for (size_t i = 0; i < list->n; i++) {
		struct resolv_entry *entry = &list->at[i];

		entry->text = arena_print(a, "%s", entry->text);
		if (entry->displaced)
			entry->displaced = arena_print(a, "%s", entry->displaced);
	}
}

/* Everything that was computed is the record's from here on. */
static void note_decision(struct record *record, const struct computed *c, const struct outcome *o,
			  struct arena *a)
{
	compute_record_decision(record, c, o);
	keep_words(&record->dns.nameservers, a);
	keep_words(&record->dns.searches, a);
	keep_words(&record->dns.options, a);
	/* A pod that chose for itself keeps the runtime's file, unless it asks for more here. */
	if (c->decision.state == LEFT && !c->request.dns.present)
		record->text = NULL;
}

bool pending_decide(struct record *record, const char *now, struct warnings *w, struct err *e)
{
	struct warnings own = { .arena = w->arena }; /* those of this pod, for its record */
	struct compute_sources sources;
	struct computed computed;
	bool decided = compute_for_record(&computed, &sources, record, now, &own, e);

	if (decided) {
		const struct outcome *o =
			computed_pick(&computed, record->steering.installed, &own);

		note_decision(record, &computed, o, w->arena);
		record_add_warnings(record, &own);
	}
	compute_sources_done(&sources);
	for (size_t i = 0; i < own.n; i++)
		warn(w, own.at[i].kind, "%s", own.at[i].text);
	return decided;
}

/* Decides first where that had to wait. The record's text is then what is to be written, if any. */
static enum pending_result decide(struct record *record, const struct inplace *f,
				  enum pending_by by, struct warnings *w, struct err *e)
{
	struct pending_aim aim = pending_aim_of(record);
	bool theirs = by == BY_CHILD || pending_is_as_made(f->fd);

	if (!aim.undecided && aim.expected)
		theirs = !f->old.len || pending_says(&f->old, aim.expected);
	if (aim.undecided && theirs)
		return pending_decide(record, f->old.at, w, e) ? PENDING_DONE : PENDING_FAILED;
	if (!aim.undecided && (!aim.text || theirs || pending_says(&f->old, aim.text)))
		return PENDING_DONE;
	(void)err_set(e, ERR_TARGET, "the file is not as the runtime wrote it: left");
	return PENDING_LEFT;
}

/* An empty file that is not to be one: the runtime may come back. */
static bool may_be_filled(const struct pending_aim *aim, const struct text *old)
{
	return aim->text && !old->len && !pending_says(old, aim->expected);
}

/*
 * Says in the record what the file is about to hold, while it still waits: who is killed between
 * file and record must not leave a text of ours that passes for the runtime's.
 */
static bool announce(const struct rundir_lock *held, const char *at, struct record *record,
		     const struct text *old, struct warnings *w, struct err *e)
{
	if (!record->inputs.runtime_text && old->len && !pending_says(old, record->text))
		record->inputs.runtime_text = arena_print(w->arena, "%s", old->at);
	record->written.n = 1;
	record->written.at[0] = record->text;
	return record_write(held, at, record, e);
}

/* PENDING_LATER: written, and to be looked at again. */
static enum pending_result write_file(const struct rundir_lock *held, const char *at,
				      struct record *record, const struct sandbox_file *file,
				      enum pending_by by, struct warnings *w, struct err *e)
{
	struct inplace f = INPLACE_NONE;
	struct pending_aim aim = pending_aim_of(record);
	enum pending_result result;

	if (file->fd < 0)
		(void)err_set(e, ERR_TARGET, "%s", file->why);
	if (file->fd < 0 || !inplace_open(&f, file->fd, file->path, e))
		return PENDING_FAILED;
	result = decide(record, &f, by, w, e);
	if (result == PENDING_DONE && record->text &&
	    !(announce(held, at, record, &f.old, w, e) &&
	      (inplace_write(&f, record->text, true, e) || err_in(e, "%s: ", file->path))))
		result = PENDING_FAILED;
	if (result == PENDING_DONE && by != BY_HOOK && may_be_filled(&aim, &f.old))
		result = PENDING_LATER;
	inplace_close(&f);
	return result;
}

/* What became of it. */
static void say(struct record *record, enum record_late late, const char *why)
{
	record->late = (int)late;
	record->late_why = why;
	if (!record->text || why)
		return;
	record->written.n = 1;
	record->written.at[0] = record->text;
}

/* Nothing is late where nothing was to be written. */
static enum record_late written_late(const struct record *record)
{
	return record->text ? RECORD_WRITTEN_LATE : RECORD_NOT_LATE;
}

void pending_say_written(struct record *record)
{
	say(record, written_late(record), NULL);
}

static bool conclude(const struct rundir_lock *held, const char *path, struct record *record,
		     enum record_late late, const char *why, struct err *e)
{
	say(record, late, why);
	return record_write(held, path, record, e);
}

/*
 * The file that the record names, which may be a guess of ADD's: where it is not there, what is
 * under another known root. Opened before the lock is taken: a file system that hangs must not
 * stop the node.
 */
static struct sandbox_file find_file(const struct rundir *r, const char *path, struct arena *a)
{
	char container_id[RECORD_NAME + 1], known[PATH_MAX];
	auto_record record = RECORD_BLANK;

	if (record_read(&record, r, path) != RECORD_KNOWN)
		return SANDBOX_FILE_NONE;
	record_container(container_id, path);
	if (!(record.file && sandbox_is_file(record.file)) &&
	    sandbox_find_known(known, container_id, true))
		return sandbox_hold(arena_print(a, "%s", known), NULL, a);
	return sandbox_hold(record.file ? arena_print(a, "%s", record.file) : NULL, NULL, a);
}

/* Not for writing: closing that would wake the child, for ever. */
static int look_at(const struct sandbox_file *file)
{
	char self[64];

	if (file->fd < 0)
		return -1;
	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
	return open(self, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static enum pending_result finish(const struct rundir_lock *held, const char *path,
				  struct record *record, enum pending_result pending_result,
				  struct warnings *w, struct err *e)
{
	enum record_late late = written_late(record);

	if (pending_result == PENDING_LATER)
		late = RECORD_PENDING;
	if (pending_result == PENDING_DONE || pending_result == PENDING_LATER)
		return conclude(held, path, record, late, NULL, e) ? pending_result
								   : PENDING_FAILED;
	(void)conclude(held, path, record, RECORD_MISSED, arena_print(w->arena, "%s", e->text),
		       NULL);
	return pending_result;
}

static enum pending_result pending_locked(const struct rundir_lock *held, const char *path,
					  const struct sandbox_file *file, enum pending_by by,
					  struct warnings *w, struct err *e)
{
	struct warnings unheard = { .arena = w->arena };
	auto_record record = RECORD_BLANK;
	enum pending_result pending_result;
	auto_fd looked = look_at(file);
	struct pending_aim aim;
	bool missed;

	if (record_read(&record, held->run, path) != RECORD_KNOWN)
		return PENDING_DONE;
	missed = record.late == RECORD_MISSED;
	if (record.late != RECORD_PENDING && (!missed || by == BY_CHILD))
		return PENDING_DONE;
	aim = pending_aim_of(&record);
	if (!file->path || (file->fd >= 0 && (looked < 0 || pending_is_being_written(looked))))
		return PENDING_LATER;
	if (claim_sandbox_is_anothers(held->run, path)) {
		if (!missed)
			(void)conclude(held, path, &record, RECORD_MISSED,
				       "a later attachment of the pod has the file", NULL);
		return PENDING_DONE;
	}
	if (by != BY_HOOK && looked >= 0 && pending_is_early(looked, &aim))
		return PENDING_LATER;
	if (missed && by == BY_SWEEP)
		w = &unheard;
	pending_result = write_file(held, path, &record, file, by, w, e);
	if (w == &unheard && pending_result != PENDING_DONE && pending_result != PENDING_LATER) {
		err_clear(e); /* it has been told, and is as it was */
		return PENDING_DONE;
	}
	if (pending_result == PENDING_DONE ||
	    pending_result == PENDING_LATER) /* DEL may have to give it to another */
		record.file = file->path;
	return finish(held, path, &record, pending_result, w, e);
}

enum pending_result pending_complete(struct rundir *r, const char *record,
				     const struct sandbox_file *file, enum pending_by by,
				     struct warnings *w, struct err *e)
{
	auto_sandbox_file own = file ? SANDBOX_FILE_NONE : find_file(r, record, w->arena);
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, r, e))
		return PENDING_FAILED;
	return pending_locked(&held, record, file ? file : &own, by, w, e);
}

bool pending_is_due(const struct rundir *r, const char *path)
{
	auto_record record = RECORD_BLANK;

	return record_read(&record, r, path) == RECORD_KNOWN &&
	       (record.late == RECORD_PENDING || record.late == RECORD_MISSED);
}

void pending_miss(struct rundir *r, const char *path, const char *why)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	auto_record record = RECORD_BLANK;

	if (rundir_lock(&held, r, NULL) && record_read(&record, r, path) == RECORD_KNOWN &&
	    record.late == RECORD_PENDING)
		(void)conclude(&held, path, &record, RECORD_MISSED, why, NULL);
}
