/* SPDX-License-Identifier: Apache-2.0 */
/* release.c: removes what was made for an attachment. */
#include "attachment/release.h"
#include "state/claim.h"
#include "targets/inplace.h"
#include "targets/sandbox.h"
#include "targets/netnsfile.h"
#include "state/record.h"
#include "attachment/pending.h"
#include "attachment/sweep.h"
#include "steer/health.h"
#include "steer/steer.h"

#include <stdio.h>
#include <string.h>

static void warn_of(struct warnings *w, struct err *e)
{
	warn(w, "release", "%s", e->text);
	err_clear(e);
}

/*** the netns file ***/

/* Gives the file to its present owner, or removes it if nothing owns it. */
static bool hand_over_netns(const struct rundir_lock *held, const char *folder, const char *name,
			    struct err *e)
{
	auto_record owner = RECORD_BLANK;
	char path[RECORD_PATH];

	switch (claim_owner(path, held->run, folder)) {
	case CLAIM_NOBODYS:
		return netnsfile_remove(held, name, e);
	case CLAIM_OWNED:
		if (record_read(&owner, held->run, path) == RECORD_UNREADABLE)
			return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", path);
		/* A newer version's record gives no text here; that version cares for its file. */
		return !owner.text || netnsfile_write(held, name, owner.text, e);
	case CLAIM_UNKNOWN:
	default:
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read: left as it is", folder);
	}
}

bool release_netns(const struct rundir_lock *held, const char *id, const char *name,
		   struct warnings *w)
{
	char folder[CLAIM_FOLDER];
	struct err e = { 0 };

	claim_netns(folder, name);
	if (!claim_remove(held, folder, id, &e) || !hand_over_netns(held, folder, name, &e)) {
		warn_of(w, &e);
		return false;
	}
	claim_tidy(held, folder);
	return true;
}

/*** the runtime's file ***/

/*
 * The file of a record's pod, where another attachment may get it. It is found before the lock is
 * taken: a file system that hangs must not stop the node.
 */
static struct sandbox_file hold_shared(const struct rundir *r, const char *id, struct arena *a)
{
	char folder[CLAIM_FOLDER], container_id[RECORD_NAME + 1];
	auto_record record = RECORD_BLANK;
	struct claim_list claims;

	record_container(container_id, id);
	claim_sandbox(folder, container_id);
	(void)claim_list(&claims, r, folder, a);
	if (claims.n < 2 || record_read(&record, r, id) != RECORD_KNOWN || !record.file)
		return SANDBOX_FILE_NONE;
	return sandbox_open_timeout(record.file, NULL, NULL, a);
}

/* Writes `text` if the file still holds what the old owner wrote. Returns whether it did. */
static bool hand_over_file(const struct sandbox_file *file, const struct record *old,
			   const char *text, struct warnings *w)
{
	struct inplace f = INPLACE_NONE;
	struct err e = { 0 };
	bool done;

	if (file->why)
		warn(w, "release", "%s: not handed over", file->why);
	if (file->fd < 0 || !inplace_open(&f, file->fd, file->path, NULL))
		return false; /* the runtime has removed it */
	done = f.old.at && record_wrote(old, f.old.at) && inplace_write(&f, text, true, &e);
	if (e.code)
		warn_of(w, &e);
	inplace_close(&f);
	return done;
}

/*
 * Gives the file to its new owner. If that one is DEFERRED, it waits for the runtime's text, but
 * the file holds ours: the runtime's text is taken from the old owner's record.
 */
static void hand_over_sandbox(const struct rundir_lock *held, const char *folder,
			      const struct record *old, const struct sandbox_file *file,
			      struct warnings *w)
{
	auto_record new_owner = RECORD_BLANK;
	const char *runtime_text, *text;
	char path[RECORD_PATH];
	struct err e = { 0 };
	bool decides;

	if (claim_owner(path, held->run, folder) != CLAIM_OWNED)
		return;
	if (!old)
		warn(w, "release",
		     "%s: the pod's file is not handed over to it: no record says what is in it",
		     path);
	if (!old || !old->file || record_read(&new_owner, held->run, path) != RECORD_KNOWN)
		return;
	runtime_text = old->inputs.runtime_text;
	decides = runtime_text && pending_is_undecided(&new_owner);
	if (decides && !pending_decide(&new_owner, runtime_text, w, &e)) {
		warn_of(w, &e);
		return;
	}
	text = new_owner.text;
	if (!text && decides)
		text = runtime_text;
	if (text && hand_over_file(file, old, text, w) && new_owner.late != RECORD_NOT_LATE) {
		pending_set_written(&new_owner);
		decides = true;
	}
	if (decides && !record_write(held, path, &new_owner, &e))
		warn_of(w, &e);
}

static bool release_sandbox(const struct rundir_lock *held, const char *id,
			    const struct record *record, const struct sandbox_file *file,
			    struct warnings *w)
{
	char folder[CLAIM_FOLDER], container_id[RECORD_NAME + 1];
	struct err e = { 0 };

	record_container(container_id, id);
	claim_sandbox(folder, container_id);
	if (!claim_remove(held, folder, id, &e)) {
		warn_of(w, &e);
		return false;
	}
	hand_over_sandbox(held, folder, record, file, w);
	claim_tidy(held, folder);
	return true;
}

/*** an attachment ***/

/* Releases the file of every namespace that the record has a claim on. */
static bool release_claimed(const struct rundir_lock *held, const char *id, struct warnings *w)
{
	struct rundir_list names;
	bool done = true;

	(void)rundir_list(&names, held->run, ".netns", w->arena);
	for (size_t i = 0; i < names.n; i++) {
		char folder[CLAIM_FOLDER];

		claim_netns(folder, names.at[i]);
		if (claim_is_made(held->run, folder, id))
			done = release_netns(held, id, names.at[i], w) && done;
	}
	return done;
}

/*
 * Releases the namespace's file by the path in the record, and by the call's where that differs.
 * If its record cannot be read, the claims tell which files it owned.
 */
static bool release_names(const struct rundir_lock *held, const char *id,
			  const struct record *record, const char *netns, struct warnings *w)
{
	const char *own = record ? netnsfile_name(record->netns.path) : NULL;
	const char *called = netnsfile_name(netns);
	bool done;

	if (own)
		done = release_netns(held, id, own, w);
	else
		done = release_claimed(held, id, w);
	if (called && (!own || strcmp(own, called) != 0))
		done = release_netns(held, id, called, w) && done;
	return done;
}

/* An attachment that is being released. */
struct released {
	struct rundir *run;
	const char *id, *netns; /* CNI_NETNS, or "" */
	const struct sandbox_file *file;
	struct record read;
	const struct record *record; /* NULL: this version cannot read it */
	struct warnings *w;
};

static bool release_health(const struct released *x, const struct rundir_lock *held)
{
	struct err e = { 0 };

	if (health_unclaim(held, x->id, &e))
		return true;
	warn_of(x->w, &e);
	return false;
}

/* Without the lock. What cannot be removed changes no packet, and goes with the namespace. */
static void settle_health(const struct released *x)
{
	struct err e = { 0 };

	if (x->record && x->record->measured &&
	    !health_settle(x->id, &x->record->netns, x->netns, &e))
		warn_of(x->w, &e);
}

/* Everything but the record, and what is done in the pod's namespace. */
static bool release_shared(struct released *x, const struct rundir_lock *held)
{
	enum record_found found = record_read(&x->read, held->run, x->id);
	bool sandbox, names, steering, health;

	x->record = found == RECORD_KNOWN ? &x->read : NULL;
	if (found == RECORD_UNREADABLE) {
		warn(x->w, "release", RUNDIR "/%s: cannot be read: left for GC or the sweep",
		     x->id);
		return false;
	}
	sandbox = release_sandbox(held, x->id, x->record, x->file, x->w);
	names = release_names(held, x->id, x->record, x->netns, x->w);
	steering = steer_release(held, x->id, x->record, x->w);
	health = release_health(x, held);
	return sandbox && names && steering && health;
}

static bool remove_record(const struct released *x, const struct rundir_lock *held)
{
	struct err e = { 0 };

	if (record_remove(held, x->id, &e))
		return true;
	warn_of(x->w, &e);
	return false;
}

/* The lock is not held while work is done in the pod's namespace. If an ADD of the same attachment
 * has begun meanwhile, the record is its own. */
static bool release_pod(const struct released *x, struct rundir_lock *held)
{
	struct err e = { 0 };

	rundir_unlock(held);
	settle_health(x);
	if (steer_is_in_pod(x->record) && !steer_settle(x->id, x->record, x->netns, x->w))
		return false;
	if (rundir_lock(held, x->run, &e))
		return steer_is_claimed(x->run, x->id) || remove_record(x, held);
	warn_of(x->w, &e);
	return false;
}

static bool is_due(const struct rundir *r, const char *id)
{
	auto_record record = RECORD_BLANK;

	return record_read(&record, r, id) == RECORD_KNOWN && sweep_is_for(&record);
}

/* `if_due`: an ADD may have made the record anew before the lock was taken. */
static bool release_as_is(struct rundir *r, const char *id, const char *netns, bool if_due,
			  struct warnings *w)
{
	auto_sandbox_file file = hold_shared(r, id, w->arena);
	struct released x = { .run = r, .id = id, .netns = netns, .file = &file, .w = w };
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };
	bool done;

	if (!rundir_lock(&held, r, &e)) {
		warn_of(w, &e);
		return false;
	}
	if (if_due && !is_due(r, id))
		return true;
	x.read = RECORD_BLANK;
	done = release_shared(&x, &held) &&
	       (steer_is_in_pod(x.record) || x.read.measured ? release_pod(&x, &held)
							     : remove_record(&x, &held));
	record_done(&x.read);
	return done;
}

bool release(struct rundir *r, const char *id, const char *netns, struct warnings *w)
{
	return release_as_is(r, id, netns, false, w);
}

void release_if_due(struct rundir *r, const char *id, struct warnings *w)
{
	if (is_due(r, id))
		(void)release_as_is(r, id, "", true, w);
}

/*** leftovers ***/

static bool list_leftovers(struct rundir_list *out, const struct rundir *r, const char *above,
			   struct warnings *w)
{
	if (rundir_list(out, r, above, w->arena))
		return true;
	warn(w, "release", RUNDIR "/%s: cannot be read", above);
	return false;
}

/* Locks where there is something to do. False: nothing is, or the lock cannot be had. */
static bool lock_untidy(struct rundir_lock *held, struct rundir *r, const char *folder,
			struct warnings *w)
{
	struct err e = { 0 };

	if (claim_is_tidy(r, folder))
		return false;
	rundir_rest(r);
	if (rundir_lock(held, r, &e))
		return true;
	warn_of(w, &e);
	return false;
}

static void tidy_folder(struct rundir *r, const char *folder, struct warnings *w)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (lock_untidy(&held, r, folder, w))
		claim_tidy(&held, folder);
}

static bool tidy_claims(struct rundir *r, const char *above, struct warnings *w)
{
	struct rundir_list names;
	bool whole = list_leftovers(&names, r, above, w);

	for (size_t i = 0; i < names.n; i++) {
		char folder[CLAIM_FOLDER];

		(void)snprintf(folder, sizeof(folder), "%s/%.255s", above, names.at[i]);
		tidy_folder(r, folder, w);
	}
	return whole;
}

static void tidy_name(struct rundir *r, const char *name, struct warnings *w)
{
	char folder[CLAIM_FOLDER], owner[RECORD_PATH];
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };

	claim_netns(folder, name);
	if (!lock_untidy(&held, r, folder, w))
		return;
	claim_tidy(&held, folder);
	if (claim_owner(owner, r, folder) == CLAIM_NOBODYS && !netnsfile_remove(&held, name, &e))
		warn_of(w, &e);
	claim_tidy(&held, folder);
}

static bool tidy_netns(struct rundir *r, struct warnings *w)
{
	struct rundir_list names;
	bool whole = list_leftovers(&names, r, ".netns", w);

	for (size_t i = 0; i < names.n; i++)
		tidy_name(r, names.at[i], w);
	return whole;
}

bool release_leftovers(struct rundir *r, struct warnings *w)
{
	bool sandboxes = tidy_claims(r, ".sandbox", w);
	bool tables = tidy_claims(r, ".steer", w);
	bool health = tidy_claims(r, ".health", w);
	bool names = tidy_netns(r, w);

	tidy_folder(r, ".node", w);
	netnsfile_remove_dangling();
	return sandboxes && tables && health && names;
}
