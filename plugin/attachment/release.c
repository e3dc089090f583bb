/* SPDX-License-Identifier: Apache-2.0 */
/* release.c: the end of an attachment: what is ours of it goes, the runtime's stays. */
#include "attachment/release.h"
#include "state/claim.h"
#include "targets/inplace.h"
#include "netns.h"
#include "targets/netnsfile.h"
#include "state/record.h"
#include "attachment/pending.h"
#include "steer/steer.h"

#include <stdio.h>
#include <string.h>

static void complain(struct warnings *w, struct err *e)
{
	warn(w, "release", "%s", e->text);
	err_clear(e);
}

/*** the netns file ***/

/* Whose the file is now decides what becomes of it. */
static bool settle_netns(const struct rundir *r, const char *folder, const char *name,
			 struct err *e)
{
	auto_record owner = RECORD_BLANK;
	char path[RECORD_PATH];

	switch (claim_owner(path, r, folder)) {
	case CLAIM_NOBODYS:
		return netnsfile_remove(r, name, e);
	case CLAIM_OWNED:
		if (record_read(&owner, r, path) == RECORD_UNREADABLE)
			return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", path);
		/* Without a text it is a newer program's: that knows what to do with it. */
		return !owner.text || netnsfile_write(r, name, owner.text, e);
	case CLAIM_UNKNOWN:
	default:
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read: left as it is", folder);
	}
}

bool release_netns(const struct rundir *r, const char *record, const char *name, struct warnings *w)
{
	char folder[CLAIM_FOLDER];
	struct err e = { 0 };

	claim_netns(folder, name);
	if (!claim_remove(r, folder, record, &e) || !settle_netns(r, folder, name, &e)) {
		complain(w, &e);
		return false;
	}
	claim_tidy(r, folder);
	return true;
}

/*** the runtime's file ***/

/* Whether the file still held what the old owner wrote, and holds `text` now. */
static bool hand_over(const char *path, const struct record *old, const char *text,
		      struct warnings *w)
{
	auto_fd found = -1;
	struct inplace f = INPLACE_NONE;
	struct err e = { 0 };
	bool done;

	found = inplace_find(path, NULL, &e);
	if (found < 0 || !inplace_open(&f, found, path, &e))
		return false; /* the runtime has removed it */
	done = f.old.at && record_wrote(old, f.old.at) && inplace_write(&f, text, true, &e);
	if (e.code)
		complain(w, &e);
	inplace_close(&f);
	return done;
}

/*
 * Gives the file to its new owner. One that has waited for the runtime's text to decide by cannot
 * see it any more: it is in the old owner's record.
 */
static void pass_on(const struct rundir *r, const char *folder, const struct record *old,
		    struct warnings *w)
{
	auto_record heir = RECORD_BLANK;
	const char *theirs, *text;
	char path[RECORD_PATH];
	struct err e = { 0 };
	bool decides;

	if (claim_owner(path, r, folder) != CLAIM_OWNED)
		return;
	if (!old)
		warn(w, "release",
		     "%s: the pod's file is not handed over to it: no record says what is in it",
		     path);
	if (!old || !old->file || record_read(&heir, r, path) != RECORD_KNOWN)
		return;
	theirs = old->inputs.runtime_text;
	decides = theirs && pending_is_undecided(&heir);
	if (decides && !pending_decide(&heir, theirs, w, &e)) {
		complain(w, &e);
		return;
	}
	text = heir.text;
	if (!text && decides)
		text = theirs;
	if (text && hand_over(old->file, old, text, w) && heir.late != RECORD_NOT_LATE) {
		pending_say_written(&heir);
		decides = true;
	}
	if (decides && !record_write(r, path, &heir, &e))
		complain(w, &e);
}

static bool release_sandbox(const struct rundir *r, const char *record,
			    const struct record *content, struct warnings *w)
{
	char folder[CLAIM_FOLDER], container_id[RECORD_NAME + 1];
	struct err e = { 0 };

	record_container(container_id, record);
	claim_sandbox(folder, container_id);
	if (!claim_remove(r, folder, record, &e)) {
		complain(w, &e);
		return false;
	}
	pass_on(r, folder, content, w);
	claim_tidy(r, folder);
	return true;
}

/*** an attachment ***/

struct naming {
	const struct rundir *r;
	const char *record;
	struct warnings *w;
	bool done;
};

static void release_claimed(const char *name, void *context)
{
	struct naming *n = context;

	n->done = release_netns(n->r, n->record, name, n->w) && n->done;
}

/*
 * NAME of the record's namespace, and of the call's where that is another. A record that says
 * nothing has its claims.
 */
static bool release_names(const struct rundir *r, const char *record, const struct record *content,
			  const char *netns, struct warnings *w)
{
	const char *own = content ? netnsfile_name(content->netns.path) : NULL;
	const char *called = netnsfile_name(netns);
	struct naming naming = { r, record, w, true };
	bool done = true;

	if (own)
		done = release_netns(r, record, own, w);
	else
		claim_each_netns(r, record, release_claimed, &naming);
	done = done && naming.done;
	if (called && (!own || strcmp(own, called) != 0))
		done = release_netns(r, record, called, w) && done;
	return done;
}

bool release(const struct rundir *r, const char *record, const char *netns, struct warnings *w)
{
	auto_record read = RECORD_BLANK;
	enum record_found found = record_read(&read, r, record);
	const struct record *content = found == RECORD_KNOWN ? &read : NULL;
	struct err e = { 0 };
	bool sandbox, names, steering;

	if (found == RECORD_UNREADABLE) {
		warn(w, "release", RUNDIR "/%s: cannot be read: left for GC or the sweep", record);
		return false;
	}
	sandbox = release_sandbox(r, record, content, w);
	names = release_names(r, record, content, netns, w);
	steering = steer_release(r, record, content, netns, w);
	if (!sandbox || !names || !steering)
		return false;
	if (record_remove(r, record, &e))
		return true;
	complain(w, &e);
	return false;
}

/*** leftovers ***/

struct walk {
	const struct rundir *r;
	struct warnings *w;
	const char *above; /* ".sandbox" */
};

static void tidy_claims(const char *name, void *context)
{
	const struct walk *walk = context;
	char folder[CLAIM_FOLDER];

	(void)snprintf(folder, sizeof(folder), "%s/%.255s", walk->above, name);
	claim_tidy(walk->r, folder);
}

static void tidy_netns(const char *name, void *context)
{
	const struct walk *walk = context;
	char folder[CLAIM_FOLDER], owner[RECORD_PATH];
	struct err e = { 0 };

	claim_netns(folder, name);
	claim_tidy(walk->r, folder);
	if (claim_owner(owner, walk->r, folder) == CLAIM_NOBODYS &&
	    !netnsfile_remove(walk->r, name, &e))
		complain(walk->w, &e);
	claim_tidy(walk->r, folder);
}

static bool tidy_each(const struct rundir *r, const char *above, record_visitor *visit,
		      struct warnings *w)
{
	struct walk walk = { r, w, above };

	if (record_each(r, above, visit, &walk))
		return true;
	warn(w, "release", RUNDIR "/%s: cannot be read", above);
	return false;
}

bool release_leftovers(const struct rundir *r, struct warnings *w)
{
	bool sandboxes = tidy_each(r, ".sandbox", tidy_claims, w);
	bool tables = tidy_each(r, ".steer", tidy_claims, w);
	bool names = tidy_each(r, ".netns", tidy_netns, w);

	claim_tidy(r, ".node");
	netnsfile_remove_dangling();
	return sandboxes && tables && names;
}

static bool is_due(const struct rundir *r, const char *path)
{
	auto_record record = RECORD_BLANK;

	return record_read(&record, r, path) == RECORD_KNOWN &&
	       !netns_is(record.netns.path, record.netns.id);
}

void release_if_due(struct rundir *r, const char *record, struct warnings *w)
{
	struct err e = { 0 };

	if (!is_due(r, record))
		return;
	if (!rundir_lock(r, &e)) {
		complain(w, &e);
		return;
	}
	if (is_due(r, record)) /* no ADD has made it anew meanwhile */
		(void)release(r, record, "", w);
	rundir_unlock(r);
}
