/* apply_targets.c: the targets of an ADD, tried in order until one is taken. */
#include "arena.h"
#include "attachment/apply_private.h"
#include "targets/sandbox.h"

/* A pod that chose for itself keeps its runtime's file, unless it asks for more here. */
static bool stays(const struct computed *v, const struct target *t)
{
	if (v->decision.state != LEFT || v->ask.dns.present)
		return false;
	return t->kind == TARGET_LATE || (t->kind == TARGET_SANDBOX && t->path &&
					  (t->found >= 0 || sandbox_is_file(t->path)));
}

/* A file that the runtime will write: known by its claim to the hook, and waited for by a child. */
static bool take_late(struct apply *d, struct target *t, struct err *e)
{
	if (d->sandbox.runtimes.path || !d->sandbox.cri)
		return err_set(e, ERR_TARGET, "%s", t->why);
	if (!target_claim(&d->sandbox, &d->run, d->record, e))
		return false;
	t->waits = true;
	if (!t->path)
		return err_set(e, ERR_TARGET, "%s", t->why);
	d->late = (struct late){ .watch = -1,
				 .file = t->path,
				 .record = d->record,
				 .netns = d->netns.path,
				 .netns_id = d->netns.id };
	return late_watch(&d->late, e);
}

static bool take(struct apply *d, struct target *t, struct err *e)
{
	if (t->kind == TARGET_LATE)
		return take_late(d, t, e);
	return target_write(t, &d->sandbox, &d->netns, &d->run, d->record, d->verdict->text,
			    &d->undo, e);
}

/* A hook may write it, though no child of ours can wait. */
static bool waits(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->at[i].waits)
			return true;
	return false;
}

const char *apply_try_targets(struct apply *d)
{
	const struct computed *v = d->verdict;
	const char *last = "none applies";

	for (size_t i = 0; i < d->plan.n; i++) {
		struct target *t = &d->plan.at[i];
		struct err fault = { 0 };

		if (stays(v, t)) {
			t->why = "left: the runtime's text stays";
			return NULL;
		}
		if (v->decision.state == PENDING && t->kind != TARGET_LATE)
			continue;
		t->taken = take(d, t, &fault);
		if (t->taken)
			return NULL;
		inplace_close(&d->undo);
		t->why = arena_print(d->w->arena, "target %s: %s", target_words[t->kind],
				     fault.text);
		warn(d->w, "target", "%s", t->why);
		last = t->why;
	}
	if (waits(&d->plan))
		return NULL;
	if (v->decision.state == PENDING)
		warn(d->w, "no-target", "no target waits for the runtime's text: it will stay");
	if (!d->plan.automatic && v->decision.state == COMPUTED)
		return last;
	if (!d->plan.n && v->decision.state == COMPUTED)
		warn(d->w, "no-target",
		     "no target applies to CNI_NETNS %s: only the result says it", d->netns.path);
	return NULL;
}
