/* SPDX-License-Identifier: Apache-2.0 */
/* attach_record.c: the record of an ADD. */
#include "attachment/attach_private.h"
#include "attachment/compute_record.h"
#include "cni/result.h"

/* The target by which the runtime's file is written, now or late; NULL: it is not. */
static const struct target *file_to_write(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->at[i].waits || (plan->at[i].taken && plan->at[i].kind == TARGET_SANDBOX))
			return &plan->at[i];
	return NULL;
}

/* Notes which texts of ours the runtime's file may hold: both, until the writing is over. */
static void note_file(struct record *record, const struct attach *a, bool over)
{
	const struct target *file = file_to_write(&a->plan);
	const char *before = a->computed->input->runtime_dns.written;
	const char *text = a->outcome->text;
	bool ours = file && file->taken && text;
	bool may = plan_has(&a->plan, TARGET_SANDBOX) || plan_has(&a->plan, TARGET_LATE);

	if (before && !(over && ours))
		record->written.at[record->written.n++] = before;
	if (text && (ours || (!over && may)))
		record->written.at[record->written.n++] = text;
	record->file = file ? file->path : NULL;
	record->late = file && file->waits ? RECORD_AWAITED : RECORD_NOT_LATE;
}

static void note_targets(struct record *record, const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		record->targets.at[record->targets.n++] =
			(struct record_target){ .kind = (int)plan->at[i].kind,
						.path = plan->at[i].path,
						.taken = plan->at[i].taken,
						.why = plan->at[i].why };
}

/* Before they are installed: whether they are expected to be. */
static bool are_rules_there(const struct attach *a, bool over)
{
	return a->computed->steers && (a->installed || (!over && a->expected));
}

/*
 * The `dns` that ADD prints and CHECK later looks for in prevResult; the caller's. An adoption
 * prints no result: the runtime keeps that of the pod's own ADD.
 */
static json_t *printed_dns(const struct attach *a)
{
	const struct resolv *r = &a->outcome->resolv;

	if (a->adopts || !a->served || resolv_is_empty(r))
		return NULL;
	return result_make_dns(a->prev_result, r);
}

bool attach_write_record(struct attach *a, const struct rundir_lock *held, bool over, struct err *e)
{
	const struct computed *c = a->computed;
	struct record record = RECORD_BLANK;
	json_auto_t *printed = a->keep ? NULL : printed_dns(a);

	if (a->keep)
		return true;
	compute_record(&record, c, a->outcome);
	record.at = a->at;
	record.trace = a->trace;
	record.adopted = a->adopts;
	record.measured = a->computed->measures;
	record.adopting = a->adopts && !over;
	record.netns = (struct record_netns){ a->netns.path, a->netns.id, a->netns.cookie };
	record.printed = printed;
	if (c->steering.mode != STEER_OFF)
		record.steering = (struct record_steering){ a->steering, a->pod_addrs,
							    are_rules_there(a, over) };
	note_file(&record, a, over);
	note_targets(&record, &a->plan);
	record_add_warnings(&record, a->w);
	a->reported = a->w->n + a->w->lost;
	return record_write(held, a->id, &record, e);
}
