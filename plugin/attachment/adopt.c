/* SPDX-License-Identifier: Apache-2.0 */
/* adopt.c: gives a running pod without a record what an ADD would give it now. */
#include "attachment/adopt.h"
#include "attachment/attach.h"
#include "attachment/pending_private.h"
#include "cni/result.h"
#include "state/claim.h"
#include "targets/inplace.h"

#include <string.h>

/*** the runtime's file ***/

static const char *changed_by_times(int fd)
{
	if (pending_is_as_made(fd))
		return NULL;
	return pending_has_birth(fd) ? "it was written after it was made"
				     : "its file system has no birth times";
}

/*
 * Why the file may not hold the runtime's text; NULL: it does. If the runtime hands that text down,
 * they are compared. If the file is the only source, its times tell.
 */
static const char *changed_by_workload(const struct sandbox_file *file, const struct text *now,
				       const struct runtime_dns *runtime)
{
	if (runtime->recorded) /* by an adoption that was killed */
		return NULL;
	if (!runtime->from || strcmp(runtime->from, "capability") != 0)
		return changed_by_times(file->fd);
	return pending_says(now, runtime->runtime_text) ? NULL : "the workload has changed it";
}

static bool plans_file(const struct plan *plan)
{
	return plan_has(plan, TARGET_SANDBOX) || plan_has(plan, TARGET_LATE);
}

/* The record keeps the text itself, so that it can be put back. */
static void note_texts(struct adoption *p, struct runtime_dns *runtime, const struct computed *c,
		       const char *now, struct arena *a)
{
	const char *text = arena_print(a, "%s", now);

	if (!runtime->recorded && text_is_utf8(now))
		runtime->runtime_text = text;
	if (!c->serves || !c->outcome.text || strcmp(now, c->outcome.text) == 0 ||
	    (c->decision.state == KEPT && !c->request.dns.present))
		return;
	p->before = text;
	p->after = c->outcome.text;
}

static void leave_file(struct computed *c, const char *path, const char *why, struct warnings *w)
{
	warn(w, "target", "%s: %s: left", path, why);
	c->has_file = false;
	c->plan.n = 0;
}

/* Fills in the texts before and after. A file that is not found, or that the workload has changed,
 * is not written. */
static void look_at_file(struct adoption *p, struct computed *c, struct runtime_dns *runtime,
			 const struct sandbox *sandbox, struct warnings *w)
{
	const struct sandbox_file *file = sandbox_input(sandbox);
	struct inplace looked = INPLACE_NONE;
	struct err fault = { 0 };
	const char *why;

	if (!c->has_file || !plans_file(&c->plan))
		return;
	if (!file)
		leave_file(c, "the runtime's file of the pod", "not found", w);
	else if (file->fd < 0)
		leave_file(c, file->path, file->why, w);
	else if (!inplace_look(&looked, file->fd, file->path, &fault))
		leave_file(c, file->path, fault.text, w);
	else if ((why = changed_by_workload(file, &looked.old, runtime)))
		leave_file(c, file->path, why, w);
	else
		note_texts(p, runtime, c, looked.old.at ? looked.old.at : "", w->arena);
	inplace_close(&looked);
}

/*** the pod ***/

static bool carry_out(struct attach *a, struct err *e)
{
	if (!record_path(a->id, &a->at, e) || !rundir_open(&a->run, true, e))
		return false;
	if (attach(a, e))
		return true;
	attach_undo(a);
	return false;
}

static bool adopt_computed(struct adoption *p, struct attach *a, struct computed *c,
			   struct runtime_dns *runtime, struct err *e)
{
	if (c->input->mode == MODE_OFF)
		return err_set(e, ERR_UNSUPPORTED, "its mode is off");
	if (c->decision.state == DEFERRED)
		return err_set(e, ERR_TARGET, "the runtime's file of the pod is not found");
	look_at_file(p, c, runtime, &a->sandbox, a->w);
	p->state = c->decision.state;
	p->steering = c->steering;
	if (!c->steers)
		p->steering.mode = STEER_OFF;
	return p->dry || carry_out(a, e);
}

bool adopt_pod(struct adoption *p, struct warnings *w, struct err *e)
{
	const struct call *call = p->call;
	struct call cleaned = *call;
	struct compute_sources sources;
	struct computed computed;
	struct attach a = {
		.computed = &computed,
		.at = { call->name, call->container_id, call->ifname },
		.adopts = true,
		.sandbox = SANDBOX_NONE,
		.run = RUNDIR_NONE,
		.undo = INPLACE_NONE,
		.late = LATE_NONE,
		.w = w,
	};
	bool done;

	if (!pod_netns_open(&a.netns, call, e) ||
	    !result_check(call->prev_result, call->version, e)) {
		pod_netns_close(&a.netns);
		return false;
	}
	a.netns.runs = true;
	a.prev_result = cleaned.prev_result = result_clean(call->prev_result, w);
	done = compute_for_call(&computed, &sources, &cleaned, &a.netns, &a.sandbox, w, e) &&
	       adopt_computed(p, &a, &computed, &sources.input.runtime_dns, e);
	attach_done(&a);
	compute_sources_done(&sources);
	json_decref(cleaned.prev_result);
	return done;
}

/*** its end ***/

static void restore_file(struct rundir *r, const char *id, const struct record *record,
			 const struct sandbox_file *file, struct warnings *w)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct inplace f = INPLACE_NONE;
	struct err e = { 0 };

	if (!rundir_lock(&held, r, &e) || claim_sandbox_is_anothers(r, id))
		return;
	if (inplace_open(&f, file->fd, file->path, &e) && f.old.at &&
	    record_wrote(record, f.old.at))
		(void)inplace_write(&f, record->inputs.runtime_text, true, &e);
	if (e.code)
		warn(w, "release", "%s", e.text);
	inplace_close(&f);
}

void adopt_restore(struct rundir *r, const char *id, struct warnings *w)
{
	auto_record record = RECORD_BLANK;
	struct sandbox_file file;

	if (record_read(&record, r, id) != RECORD_KNOWN || !record.adopted || !record.file ||
	    !record.inputs.runtime_text)
		return;
	file = sandbox_open_timeout(record.file, NULL, NULL, w->arena);
	if (file.why)
		warn(w, "release", "%s: the old text is not put back", file.why);
	if (file.fd >= 0)
		restore_file(r, id, &record, &file, w);
	sandbox_file_done(&file);
}
