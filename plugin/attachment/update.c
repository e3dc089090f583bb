/* SPDX-License-Identifier: Apache-2.0 */
/* update.c: writes a newly computed configuration into the file of a running pod. */
#include "attachment/update.h"
#include "attachment/compute_record.h"
#include "attachment/pending_private.h"
#include "config/conf.h"
#include "state/claim.h"
#include "steer/health.h"
#include "targets/inplace.h"
#include "targets/netnsfile.h"

#include <fcntl.h>
#include <string.h>

/*** the record ***/

static bool same_pairs(const struct steering *a, const struct steering *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!addr_same(&a->at[i].cluster, &b->at[i].cluster) ||
		    !addr_same(&a->at[i].cache, &b->at[i].cache) ||
		    !addr_same(&a->at[i].fallback, &b->at[i].fallback))
			return false;
	return true;
}

/* Does not compare features: those depend on the kernel alone. */
static bool same_steering(const struct steering *a, const struct steering *b)
{
	if (a->mode == STEER_OFF || b->mode == STEER_OFF)
		return a->mode == b->mode;
	return a->mode == b->mode && a->fail_open == b->fail_open && a->tcp == b->tcp &&
	       a->servfail_falls_back == b->servfail_falls_back && a->alive == b->alive &&
	       a->grace == b->grace && a->down == b->down && a->probes == b->probes &&
	       same_pairs(a, b);
}

/* Removes warnings of ADD's decision that no longer hold. */
static void drop_warnings(struct record *record, const char *kind)
{
	size_t kept = 0;

	for (size_t i = 0; i < record->warnings.n; i++)
		if (strcmp(record->warnings.at[i].kind, kind) != 0)
			record->warnings.at[kept++] = record->warnings.at[i];
	record->warnings.n = kept;
}

/* Puts the new decision into the record. `printed` stays: CHECK looks for what ADD printed. */
static void renew(struct record *record, const struct computed *c, const struct outcome *o)
{
	compute_record_decision(record, c, o);
	record->mode = (int)c->input->mode;
	if (!c->decision.unrecognised)
		drop_warnings(record, "unrecognised");
	if (same_steering(&record->steering.plan, &c->steering))
		record->config = conf_hash(c->input->network->own);
}

/* Whether no DEL, ADD or sweep came between the computation and the lock. */
static bool is_as_read(const struct update *p)
{
	auto_record now = RECORD_BLANK;

	return record_read(&now, p->run, p->id) == RECORD_KNOWN &&
	       json_equal(now.document, p->record->document);
}

/*** the runtime's file ***/

static bool is_left_to_pod(const struct record_target *target)
{
	return (target->kind == TARGET_SANDBOX || target->kind == TARGET_LATE) && target->path &&
	       target->why && strcmp(target->why, RECORD_KEPT) == 0;
}

/* The runtime's file that ADD wrote, or left as it was; NULL: the record names none. */
static const char *runtimes_file(const struct record *record)
{
	if (record->file)
		return record->file;
	for (size_t i = 0; i < record->targets.n; i++)
		if (is_left_to_pod(&record->targets.at[i]))
			return record->targets.at[i].path;
	return NULL;
}

/* The file was left to the runtime before, and is written now. */
static void mark_taken(struct record *record, const char *path)
{
	for (size_t i = 0; i < record->targets.n; i++)
		if (record->targets.at[i].path && strcmp(record->targets.at[i].path, path) == 0) {
			record->targets.at[i].taken = true;
			record->targets.at[i].why = NULL;
		}
}

static bool rewrite_file(const struct update *p, const struct rundir_lock *held, struct inplace *f,
			 struct record *record, const char *path, struct err *e)
{
	char claim[CLAIM_FOLDER];

	claim_sandbox(claim, record->at.container_id);
	if (!claim_is_made(p->run, claim, p->id) && !claim_add(held, claim, p->id, e))
		return false;
	/* The record names both texts first: a killed process leaves one that is known as ours. */
	record->written.n = 2;
	record->written.at[0] = p->before;
	record->written.at[1] = p->after;
	record->file = path;
	if (!record_write(held, p->id, record, e))
		return false;
	if (!inplace_write(f, p->after, true, e)) {
		(void)record_write(held, p->id, p->record, NULL);
		return err_in(e, "%s: ", path);
	}
	record->written.n = 1;
	record->written.at[0] = p->after;
	mark_taken(record, path);
	return record_write(held, p->id, record, e);
}

/* The file holds the new text already: only the record changes. */
static enum update_result keep_text(const struct update *p, const struct rundir_lock *held,
				    struct record *record, struct err *e)
{
	if (record->written.n) {
		record->written.n = 1;
		record->written.at[0] = p->after;
	}
	return !held || record_write(held, p->id, record, e) ? UPDATE_SAME : UPDATE_FAILED;
}

static enum update_result write_opened_file(struct update *p, const struct rundir_lock *held,
					    struct inplace *f, struct record *record,
					    const char *path, struct arena *a, struct err *e)
{
	text_unfit_nuls(f->old.at, f->old.len);
	p->before = arena_print(a, "%s", f->old.at ? f->old.at : "");
	if (text_same_lines(p->before, p->after))
		return keep_text(p, held, record, e);
	if (!record_wrote(p->record, p->before) &&
	    !pending_says(&f->old, p->record->inputs.runtime_text)) {
		(void)err_set(e, ERR_TARGET, "%s: the workload has changed it", path);
		return UPDATE_SKIPPED;
	}
	if (held && !rewrite_file(p, held, f, record, path, e))
		return UPDATE_FAILED;
	return UPDATE_CHANGED;
}

static enum update_result write_runtimes_file(struct update *p, const struct rundir_lock *held,
					      const struct sandbox_file *file,
					      struct record *record, struct arena *a, struct err *e)
{
	struct inplace f = INPLACE_NONE;
	enum update_result result;

	if (claim_sandbox_is_anothers(p->run, p->id)) {
		(void)err_set(e, ERR_TARGET, "a later attachment of the pod has the file");
		return UPDATE_SKIPPED;
	}
	if (!file->path || file->fd < 0) {
		(void)err_set(e, ERR_TARGET, "%s", file->path ? file->why : "its file is gone");
		return UPDATE_SKIPPED;
	}
	if (!(held ? inplace_open : inplace_look)(&f, file->fd, file->path, e))
		return UPDATE_FAILED;
	result = write_opened_file(p, held, &f, record, file->path, a, e);
	inplace_close(&f);
	return result;
}

/*** the namespace's file ***/

static bool has_netns_file(const struct record *record)
{
	return record_taken(record, TARGET_NETNS) && netnsfile_name(record->netns.path);
}

/* Whether the file is as the record says, or as a run that was killed has left it. */
static bool netns_file_is_ours(const struct update *p, const char *name)
{
	if (netnsfile_is_whole(p->run, name, p->before))
		return true;
	for (size_t i = 0; i < p->record->written.n; i++)
		if (netnsfile_is_whole(p->run, name, p->record->written.at[i]))
			return true;
	return false;
}

static bool rewrite_netns(const struct update *p, const struct rundir_lock *held, const char *name,
			  struct err *e)
{
	struct record aim = *p->record;

	aim.written.n = 1;
	aim.written.at[0] = p->after;
	return record_write(held, p->id, &aim, e) && netnsfile_write(held, name, p->after, e);
}

static enum update_result give_netns(struct update *p, const struct rundir_lock *held,
				     struct record *record, struct err *e)
{
	const char *name = netnsfile_name(record->netns.path);
	char claim[CLAIM_FOLDER];
	bool same = netnsfile_is_whole(p->run, name, p->after);

	claim_netns(claim, name);
	if (claim_is_anothers(p->run, claim, p->id))
		(void)err_set(e, ERR_TARGET, "a later attachment of the pod has the file");
	else if (!same && !netns_file_is_ours(p, name))
		(void)err_set(e, ERR_TARGET,
			      NETNSFILE_ETC "/%s/resolv.conf: it is not as it was made", name);
	if (e->code)
		return UPDATE_SKIPPED;
	record->written.n = 0;
	if (held &&
	    ((!same && !rewrite_netns(p, held, name, e)) || !record_write(held, p->id, record, e)))
		return UPDATE_FAILED;
	return same ? UPDATE_SAME : UPDATE_CHANGED;
}

/*** either ***/

/* Why the pod is left as it is; NULL: it need not be. */
static const char *why_left(const struct update *p)
{
	const struct record *record = p->record;

	if (record->late == RECORD_AWAITED)
		return "the runtime's file is still waited for";
	if (record->late == RECORD_MISSED)
		return "its file is not as the runtime wrote it";
	if (!p->computed->serves)
		return "today's configuration does not serve it";
	if (!p->after)
		return "the configuration is empty";
	if (!has_netns_file(record) && !runtimes_file(record))
		return "its record names no file that can be reached from the node";
	return NULL;
}

/* `held` is NULL in a dry run: nothing is written. */
static enum update_result write_files(struct update *p, const struct rundir_lock *held,
				      const struct sandbox_file *file, const struct outcome *o,
				      struct arena *a, struct err *e)
{
	struct record record = *p->record;

	renew(&record, p->computed, o);
	if (has_netns_file(p->record))
		return give_netns(p, held, &record, e);
	return write_runtimes_file(p, held, file, &record, a, e);
}

static enum update_result give_locked(struct update *p, const struct sandbox_file *file,
				      const struct outcome *o, struct arena *a, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, p->run, e))
		return UPDATE_FAILED;
	if (is_as_read(p))
		return write_files(p, &held, file, o, a, e);
	(void)err_set(e, ERR_IO, "its record has changed meanwhile");
	return UPDATE_SKIPPED;
}

/* Whether the pod has kubelet's `Default`, in a file that can be reached. */
static bool follows_node(const struct record *record)
{
	return record->inputs.of_node && runtimes_file(record);
}

/* A KEPT pod has the runtime's text, unless it requests a dnsConfig or was written before. */
static bool keeps_runtimes_text(const struct update *p)
{
	const struct computed *c = p->computed;

	return c->decision.state == KEPT && !c->request.dns.present && !p->record->written.n &&
	       !has_netns_file(p->record) && !follows_node(p->record);
}

/* The pod keeps what it has by its own choice: the record belongs to today's configuration. */
static enum update_result keep_choice(const struct update *p, const struct outcome *o,
				      struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct record record = *p->record;

	renew(&record, p->computed, o);
	if (p->dry || record.config == p->record->config)
		return UPDATE_SAME;
	if (!rundir_lock(&held, p->run, e))
		return UPDATE_FAILED;
	return !is_as_read(p) || record_write(&held, p->id, &record, e) ? UPDATE_SAME
									: UPDATE_FAILED;
}

/*** measuring ***/

static bool note_measured(const struct update *p, bool on, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	auto_record record = RECORD_BLANK;

	if (!rundir_lock(&held, p->run, e) || record_read(&record, p->run, p->id) != RECORD_KNOWN ||
	    !(on ? health_claim(&held, p->id, e) : health_unclaim(&held, p->id, e)))
		return false;
	record.measured = on;
	return record_write(&held, p->id, &record, e);
}

/* Measuring is switched on and off on running pods. */
static void switch_measure(const struct update *p, struct warnings *w)
{
	const struct record_netns *known = &p->record->netns;
	bool on = p->computed->measures;
	struct pod_netns netns = { .path = known->path, .fd = -1, .id = known->id, .runs = true };
	struct err e = { 0 };

	if (p->dry || p->computed->config_file_fault || on == p->record->measured || !known->path ||
	    !note_measured(p, on, &e))
		return;
	netns.fd = open(known->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (on ? !health_install(&netns, &e) : !health_settle(p->id, known, "", &e))
		warn(w, "measure", "%s", e.text);
	pod_netns_close(&netns);
}

static enum update_result update_text(struct update *p, struct warnings *w, struct err *e)
{
	const struct conf *conf = &p->computed->input->network->conf;
	const struct outcome *o = computed_pick(p->computed, p->record->steering.installed, w);
	auto_sandbox_file file = SANDBOX_FILE_NONE;
	const char *why;

	p->before = p->record->text;
	p->after = o->text;
	p->steering_differs = !same_steering(&p->record->steering.plan, &p->computed->steering);
	if (p->computed->serves && keeps_runtimes_text(p))
		return keep_choice(p, o, e);
	why = why_left(p);
	if (why) {
		(void)err_set(e, ERR_TARGET, "%s", why);
		return UPDATE_SKIPPED;
	}
	/* Opened before the lock is taken: a file system that hangs must not block the node. */
	if (!has_netns_file(p->record))
		file = sandbox_open_timeout(runtimes_file(p->record), NULL, conf->resolv_conf,
					    w->arena);
	return p->dry ? write_files(p, NULL, &file, o, w->arena, e)
		      : give_locked(p, &file, o, w->arena, e);
}

enum update_result update(struct update *p, struct warnings *w, struct err *e)
{
	enum update_result result = update_text(p, w, e);

	if (result != UPDATE_FAILED)
		switch_measure(p, w);
	return result;
}
