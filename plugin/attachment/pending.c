/* SPDX-License-Identifier: Apache-2.0 */
/* pending.c: completes a record that awaits the runtime's file once the runtime has written its
 * file. */
#include "attachment/pending_private.h"
#include "attachment/compute_for.h"
#include "attachment/compute_record.h"
#include "state/claim.h"
#include "targets/inplace.h"
#include "targets/sandbox.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* Copies the list's strings to the arena: they outlive the computation. */
static void keep_words(struct resolv_list *list, struct arena *a)
{
	for (size_t i = 0; i < list->n; i++) {
		struct resolv_entry entry = list->at[i];

		entry.text = arena_print(a, "%s", entry.text);
		if (entry.displaced)
			entry.displaced = arena_print(a, "%s", entry.displaced);
		resolv_replace(list, i, entry, a);
	}
}

/* Puts the decision into the record, which keeps all its strings. */
static bool note_decision(struct record *record, const struct computed *c, const struct outcome *o,
			  struct arena *a, struct err *e)
{
	struct resolv dns = o->resolv;

	keep_words(&dns.nameservers, a);
	keep_words(&dns.searches, a);
	keep_words(&dns.options, a);
	if (!arena_ok(a))
		return err_set(e, ERR_IO, "out of memory");
	compute_record_decision(record, c, o);
	record->dns = dns;
	/* A KEPT pod keeps the runtime's text, unless it requests a dnsConfig. */
	if (c->decision.state == KEPT && !c->request.dns.present)
		record->text = NULL;
	return true;
}

bool pending_decide(struct record *record, const char *now, struct warnings *w, struct err *e)
{
	struct warnings own = { .arena = w->arena }; /* of this pod, for its record */
	struct compute_sources sources;
	struct computed computed;
	bool decided = compute_for_record(&computed, &sources, record, now, &own, e);

	if (decided) {
		const struct outcome *o =
			computed_pick(&computed, record->steering.installed, &own);

		decided = note_decision(record, &computed, o, w->arena, e);
	}
	if (decided)
		record_add_warnings(record, &own);
	compute_sources_done(&sources);
	for (size_t i = 0; i < own.n; i++)
		warn(w, own.at[i].kind, "%s", own.at[i].text);
	return decided;
}

/*** what became of it ***/

static void set_late(struct record *record, enum record_late late, const char *why)
{
	record->late = (int)late;
	record->late_why = why;
	if (!record->text || why)
		return;
	record->written.n = 1;
	record->written.at[0] = record->text;
}

/* If there was nothing to write, nothing is late. */
void pending_set_written(struct record *record)
{
	set_late(record, record->text ? RECORD_WRITTEN_LATE : RECORD_NOT_LATE, NULL);
}

static void set_missed(const struct rundir_lock *held, const char *id, struct record *record,
		       const char *why)
{
	set_late(record, RECORD_MISSED, why);
	(void)record_write(held, id, record, NULL);
}

/*** check, decide, write ***/

/* One record, and the file that it waits for. */
struct completion {
	const struct rundir_lock *held;
	const char *id; /* the record's */
	struct record *record;
	const struct sandbox_file *file;
	enum pending_by by;
	bool undecided; /* the record was: the text that came decides */
	struct inplace opened;
	struct warnings *w;
	enum pending_result result;
};

static bool end_with(struct completion *c, enum pending_result result)
{
	c->result = result;
	return false;
}

/* Opened for reading only: closing a writer would wake the child again and again. */
static int open_to_look(const struct sandbox_file *file)
{
	char self[64];

	if (file->fd < 0)
		return -1;
	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
	return open(self, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/* Whether the file is there and complete, and this attachment owns it. */
static bool is_ready(struct completion *c)
{
	auto_fd fd = open_to_look(c->file);

	if (!c->file->path || (c->file->fd >= 0 && (fd < 0 || pending_is_being_written(fd))))
		return end_with(c, PENDING_LATER);
	if (claim_sandbox_is_anothers(c->held->run, c->id)) {
		if (c->record->late == RECORD_AWAITED)
			set_missed(c->held, c->id, c->record,
				   "a later attachment of the pod has the file");
		return end_with(c, PENDING_DONE);
	}
	if (c->by != BY_HOOK && fd >= 0 && pending_is_early(fd, c->record))
		return end_with(c, PENDING_LATER);
	return true;
}

/* Whether the file holds the runtime's text, as far as can be known. */
static bool is_runtimes(const struct completion *c)
{
	const struct inplace *f = &c->opened;
	const char *expected = c->record->inputs.runtime_text;

	if (!c->undecided && expected)
		return !f->old.len || pending_says(&f->old, expected);
	return c->by == BY_CHILD || pending_is_as_made(f->fd);
}

/* If the decision was deferred, makes it now. Afterwards record->text is what to write; NULL:
 * nothing. */
static bool decide(struct completion *c, struct err *e)
{
	const struct text *old = &c->opened.old;
	const char *text = c->record->text;

	if (c->file->fd < 0)
		(void)err_set(e, ERR_TARGET, "%s", c->file->why);
	if (c->file->fd < 0 || !inplace_open(&c->opened, c->file->fd, c->file->path, e))
		return end_with(c, PENDING_FAILED);
	if (c->undecided && is_runtimes(c))
		return pending_decide(c->record, old->at, c->w, e) || end_with(c, PENDING_FAILED);
	if (!c->undecided && (!text || is_runtimes(c) || pending_says(old, text)))
		return true;
	(void)err_set(e, ERR_TARGET, "the file is not as the runtime wrote it: left");
	return end_with(c, PENDING_SKIPPED);
}

/*
 * Notes the new text in the record before the file is written: if the process is killed between the
 * two, our text must not be taken for the runtime's.
 */
static bool announce(const struct completion *c, struct err *e)
{
	struct record *record = c->record;
	const struct text *old = &c->opened.old;

	if (!record->inputs.runtime_text && old->len && !pending_says(old, record->text))
		record->inputs.runtime_text = arena_print(c->w->arena, "%s", old->at);
	record->written.n = 1;
	record->written.at[0] = record->text;
	return record_write(c->held, c->id, record, e);
}

/* An empty file is written too, and looked at again later: the runtime may still fill it. */
static bool write_file(struct completion *c, struct err *e)
{
	const struct text *old = &c->opened.old;
	const char *text = c->record->text;
	bool again = c->by != BY_HOOK && !c->undecided && text && !old->len &&
		     !pending_says(old, c->record->inputs.runtime_text);

	if (text && !(announce(c, e) && (inplace_write(&c->opened, text, true, e) ||
					 err_in(e, "%s: ", c->file->path))))
		return end_with(c, PENDING_FAILED);
	c->record->file = c->file->path; /* DEL may give it to another attachment */
	c->result = again ? PENDING_LATER : PENDING_DONE;
	return true;
}

/* Notes the result in the record. A repeated failure of the sweep is not reported again. */
static enum pending_result conclude(struct completion *c, bool done, struct err *e)
{
	if (!done && c->by == BY_SWEEP && c->record->late == RECORD_MISSED) {
		err_clear(e);
		return PENDING_DONE;
	}
	if (!done) {
		set_missed(c->held, c->id, c->record, arena_print(c->w->arena, "%s", e->text));
		return c->result;
	}
	pending_set_written(c->record);
	if (c->result == PENDING_LATER)
		c->record->late = RECORD_AWAITED;
	return record_write(c->held, c->id, c->record, e) ? c->result : PENDING_FAILED;
}

enum pending_result pending_complete_locked(const struct rundir_lock *held, const char *id,
					    const struct sandbox_file *file, enum pending_by by,
					    struct warnings *w, struct err *e)
{
	struct warnings unheard = { .arena = w->arena };
	auto_record record = RECORD_BLANK;
	struct completion c = { .held = held,
				.id = id,
				.record = &record,
				.file = file,
				.by = by,
				.opened = INPLACE_NONE };
	enum record_found found = record_read(&record, held->run, id);
	bool done;

	if (found == RECORD_UNREADABLE)
		return PENDING_LATER;
	if (found != RECORD_KNOWN ||
	    (record.late != RECORD_AWAITED && (record.late != RECORD_MISSED || by == BY_CHILD)))
		return PENDING_DONE;
	c.w = by == BY_SWEEP && record.late == RECORD_MISSED ? &unheard : w;
	c.undecided = pending_is_undecided(&record);
	if (!is_ready(&c))
		return c.result;
	done = decide(&c, e) && write_file(&c, e);
	inplace_close(&c.opened);
	return conclude(&c, done, e);
}

static struct sandbox_file find_file(const struct rundir *r, const char *id, struct arena *a)
{
	char container_id[RECORD_NAME + 1];
	auto_record record = RECORD_BLANK;

	if (record_read(&record, r, id) != RECORD_KNOWN)
		return SANDBOX_FILE_NONE;
	record_container(container_id, id);
	return sandbox_open_timeout(record.file, container_id, NULL, a);
}

enum pending_result pending_complete(struct rundir *r, const char *id,
				     const struct sandbox_file *file, enum pending_by by,
				     struct warnings *w, struct err *e)
{
	auto_sandbox_file own = file ? SANDBOX_FILE_NONE : find_file(r, id, w->arena);
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, r, e))
		return PENDING_FAILED;
	return pending_complete_locked(&held, id, file ? file : &own, by, w, e);
}

bool pending_is_due(const struct record *record)
{
	return record->late == RECORD_AWAITED || record->late == RECORD_MISSED;
}

void pending_miss(struct rundir *r, const char *id, const char *why)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	auto_record record = RECORD_BLANK;

	if (rundir_lock(&held, r, NULL) && record_read(&record, r, id) == RECORD_KNOWN &&
	    record.late == RECORD_AWAITED)
		set_missed(&held, id, &record, why);
}
