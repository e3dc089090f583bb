/* pending.c: a PENDING record and the runtime's file that has come since. */
#include "attachment/pending_private.h"
#include "attachment/account.h"
#include "attachment/compute_for.h"
#include "state/claim.h"
#include "targets/inplace.h"
#include "targets/sandbox.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

bool pending_decide(json_t *record, const char *now, struct warnings *w, struct err *e)
{
	struct warnings own = { .arena = w->arena }; /* those of this pod, for its record */
	struct compute_sources sources;
	struct computed computed;
	bool told = compute_for_record(&computed, &sources, record, now, &own, e) &&
		    account_settle(record, &computed, &own);

	compute_sources_done(&sources);
	for (size_t i = 0; i < own.n; i++)
		warn(w, own.at[i].kind, "%s", own.at[i].text);
	return told || err_set(e, ERR_IO, "out of memory");
}

/* Decides first where that had to wait. The record's text is then what is to be written, if any. */
static enum pending_result decide(json_t *record, const struct inplace *f, enum pending_by by,
				  struct warnings *w, struct err *e)
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

/* What is written over is the next ADD's input, and another attachment's. */
static void keep_theirs(json_t *record, const struct pending_aim *aim, const struct text *old)
{
	if (aim->text && !aim->expected && old->len && !pending_says(old, aim->text))
		(void)json_object_set_new(json_object_get(record, "inputs"), "runtimeText",
					  json_string(old->at));
}

/* An empty file that is not to be one: the runtime may come back. */
static bool may_be_filled(const struct pending_aim *aim, const struct text *old)
{
	return aim->text && !old->len && !pending_says(old, aim->expected);
}

/* PENDING_LATER: written, and to be looked at again. */
static enum pending_result write_file(json_t *record, const char *path, enum pending_by by,
				      struct warnings *w, struct err *e)
{
	auto_fd found = inplace_find(path, NULL, e);
	struct inplace f = INPLACE_NONE;
	struct pending_aim aim = pending_aim_of(record);
	enum pending_result pending_result;
	const char *text;

	if (found < 0 || !inplace_open(&f, found, path, e))
		return PENDING_FAILED;
	pending_result = decide(record, &f, by, w, e);
	text = record_string(record, "text");
	if (pending_result == PENDING_DONE && text &&
	    !(inplace_write(&f, text, true, e) || err_in(e, "%s: ", path)))
		pending_result = PENDING_FAILED;
	if (pending_result == PENDING_DONE) {
		keep_theirs(record, &aim, &f.old);
		if (by != BY_HOOK && may_be_filled(&aim, &f.old))
			pending_result = PENDING_LATER;
	}
	inplace_close(&f);
	return pending_result;
}

/* What became of it: `late` NULL where nothing was to be written. */
static bool say(json_t *record, const char *late, const char *why)
{
	const char *text = record_string(record, "text");
	json_t *news = json_pack("{s:s?, s:s?}", "late", late, "lateWhy", why);
	bool told = news && json_object_update(record, news) == 0;

	json_decref(news);
	return told && (!text || why ||
			json_object_set_new(record, "written", json_pack("[s]", text)) == 0);
}

bool pending_say_written(json_t *record)
{
	return say(record, record_string(record, "text") ? "written" : NULL, NULL);
}

static bool conclude(const struct rundir *r, const char *path, json_t *record, const char *late,
		     const char *why, struct err *e)
{
	return (say(record, late, why) || err_set(e, ERR_IO, "out of memory")) &&
	       record_write(r, path, record, e);
}

static bool says_late(const json_t *record, const char *word)
{
	const char *late = record_string(record, "late");

	return late && strcmp(late, word) == 0;
}

/*
 * What the caller was told; else what the record names, which may be a guess of ADD's: where it is
 * not there, what is under another known root.
 */
static const char *file_of(const json_t *record, const char *path, const char *told,
			   char known[static PATH_MAX])
{
	const char *named = record_string(record, "file");
	char container_id[RECORD_NAME + 1];

	if (told || (named && sandbox_is_file(named)))
		return told ? told : named;
	record_container(container_id, path);
	return sandbox_find_known(known, container_id, true) ? known : named;
}

static enum pending_result finish(const struct rundir *r, const char *path, json_t *record,
				  enum pending_result pending_result, struct warnings *w,
				  struct err *e)
{
	const char *late = record_string(record, "text") ? "written" : NULL;
	struct err ignored = { 0 };

	if (pending_result == PENDING_LATER)
		late = "pending";
	if (pending_result == PENDING_DONE || pending_result == PENDING_LATER)
		return conclude(r, path, record, late, NULL, e) ? pending_result : PENDING_FAILED;
	(void)conclude(r, path, record, "missed", arena_print(w->arena, "%s", e->text), &ignored);
	return pending_result;
}

static enum pending_result pending_locked(const struct rundir *r, const char *path,
					  const char *file, enum pending_by by, struct warnings *w,
					  struct err *e)
{
	struct warnings unheard = { .arena = w->arena };
	json_auto_t *record = NULL;
	struct err ignored = { 0 };
	char known[PATH_MAX];
	enum pending_result pending_result;
	auto_fd looked = -1;
	struct pending_aim aim;
	bool missed;

	if (record_read(&record, r, path) != RECORD_KNOWN)
		return PENDING_DONE;
	missed = says_late(record, "missed");
	if (!says_late(record, "pending") && (!missed || by == BY_CHILD))
		return PENDING_DONE;
	file = file_of(record, path, file, known);
	/* Not for writing: closing that would wake the child, for ever. */
	looked = file ? open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	aim = pending_aim_of(record);
	if (looked < 0 || pending_is_being_written(looked))
		return PENDING_LATER;
	if (claim_sandbox_is_anothers(r, path)) {
		if (!missed)
			(void)conclude(r, path, record, "missed",
				       "a later attachment of the pod has the file", &ignored);
		return PENDING_DONE;
	}
	if (by != BY_HOOK && pending_is_early(looked, &aim))
		return PENDING_LATER;
	if (missed && by == BY_SWEEP)
		w = &unheard;
	pending_result = write_file(record, file, by, w, e);
	if (w == &unheard && pending_result != PENDING_DONE && pending_result != PENDING_LATER) {
		err_clear(e); /* it has been told, and is as it was */
		return PENDING_DONE;
	}
	if (pending_result == PENDING_DONE ||
	    pending_result == PENDING_LATER) /* DEL may have to give it to another */
		(void)json_object_set_new(record, "file", json_string(file));
	return finish(r, path, record, pending_result, w, e);
}

enum pending_result pending_complete(struct rundir *r, const char *record, const char *path,
				     enum pending_by by, struct warnings *w, struct err *e)
{
	enum pending_result pending_result;

	if (!rundir_lock(r, e))
		return PENDING_FAILED;
	pending_result = pending_locked(r, record, path, by, w, e);
	rundir_unlock(r);
	return pending_result;
}

bool pending_is_due(const struct rundir *r, const char *path)
{
	json_auto_t *record = NULL;

	return record_read(&record, r, path) == RECORD_KNOWN &&
	       (says_late(record, "pending") || says_late(record, "missed"));
}

void pending_miss(struct rundir *r, const char *path, const char *why)
{
	json_auto_t *record = NULL;
	struct err ignored = { 0 };

	if (!rundir_lock(r, &ignored))
		return;
	if (record_read(&record, r, path) == RECORD_KNOWN && says_late(record, "pending"))
		(void)conclude(r, path, record, "missed", why, &ignored);
	rundir_unlock(r);
}
