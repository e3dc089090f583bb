/* SPDX-License-Identifier: Apache-2.0 */
/* attach_targets.c: the targets of an ADD, tried in order until one is taken. */
#include "arena.h"
#include "attachment/attach_private.h"
#include "enum_names.h"
#include "state/nri_lock.h"
#include "targets/sandbox.h"

/* A KEPT pod keeps the text of the runtime's file, unless it requests a dnsConfig. */
static bool leaves_runtimes_text(const struct computed *c, const struct target *t)
{
	if (c->decision.state != KEPT || c->request.dns.present)
		return false;
	return t->kind == TARGET_LATE || (t->kind == TARGET_SANDBOX && t->path &&
					  (t->found >= 0 || sandbox_is_file(t->path)));
}

/*
 * The runtime writes the file after ADD. The claim lets the hook and pod-dns-nri find it. A child
 * waits for it, unless the runtime will tell pod-dns-nri of the file.
 */
static bool take_late(struct attach *a, struct target *t, struct err *e)
{
	struct err fault = { 0 };

	if (a->sandbox.runtimes.path || !a->sandbox.cri)
		return err_set(e, ERR_TARGET, "%s", t->why);
	if (!target_claim(&a->sandbox, &a->run, a->id, e))
		return false;
	t->waits = true;
	if (!t->path)
		return err_set(e, ERR_TARGET, "%s", t->why);
	if (nri_lock_serves(&a->run))
		return true;
	a->late = (struct late){ .fds = { -1, -1 },
				 .file = t->path,
				 .id = a->id,
				 .netns = a->netns.path,
				 .netns_id = a->netns.id };
	if (!late_watch(&a->late, &fault))
		warn(a->w, "target", "target late: %s: the child looks for the file without it",
		     fault.text);
	return true;
}

static bool take_target(struct attach *a, struct target *t, struct err *e)
{
	if (t->kind == TARGET_LATE)
		return take_late(a, t, e);
	return target_write(t, &a->sandbox, &a->netns, &a->run, a->id, a->outcome->text, &a->undo,
			    e);
}

/* Whether a target is left to the child or to a hook. */
static bool waits(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->at[i].waits)
			return true;
	return false;
}

bool attach_has_targets(const struct attach *a)
{
	const json_t *targets = a->computed->input->network->conf.targets;

	return a->computed->has_file && (!targets || json_array_size(targets));
}

bool attach_expect_target(struct attach *a)
{
	struct target *first = &a->plan.at[0];
	bool late = first->kind == TARGET_LATE;

	if (!attach_has_targets(a))
		return true;
	if (!a->plan.n || !first->path || first->why || leaves_runtimes_text(a->computed, first) ||
	    (a->computed->decision.state == DEFERRED && !late))
		return false;
	first->taken = true;
	first->waits = late;
	return true;
}

const char *attach_try_targets(struct attach *a)
{
	const struct computed *c = a->computed;
	const char *last = "none applies";

	for (size_t i = 0; i < a->plan.n; i++) {
		struct target *t = &a->plan.at[i];
		struct err fault = { 0 };

		t->taken = t->waits = false;
		if (leaves_runtimes_text(c, t)) {
			t->why = RECORD_KEPT;
			return NULL;
		}
		if (c->decision.state == DEFERRED && t->kind != TARGET_LATE)
			continue;
		t->taken = take_target(a, t, &fault);
		if (t->taken)
			return NULL;
		inplace_close(&a->undo);
		t->why = arena_print(a->w->arena, "target %s: %s", target_names[t->kind],
				     fault.text);
		warn(a->w, "target", "%s", t->why);
		last = t->why;
	}
	if (waits(&a->plan))
		return NULL;
	if (c->decision.state == DEFERRED)
		warn(a->w, "no-target", "no target waits for the runtime's text: it will stay");
	if (!a->plan.automatic && c->decision.state == COMPUTED)
		return last;
	if (!a->plan.n && c->decision.state == COMPUTED)
		warn(a->w, "no-target",
		     "no target applies to CNI_NETNS %s: only the result says it", a->netns.path);
	return NULL;
}
