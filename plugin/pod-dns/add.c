/* add.c: ADD: decides a pod's DNS, records it, puts it where the pod reads it, prints the result.
 */
#include "attachment/apply.h"
#include "attachment/release.h"
#include "cni/result.h"
#include "steer/steer.h"
#include "attachment/sweep.h"
#include "pod-dns/verbs.h"

/* `off`: as if the plugin were not there, and had not been. */
static bool stand_aside(struct apply *d, FILE *out, struct err *e)
{
	struct err ignored = { 0 };

	if (rundir_open(&d->run, false, &ignored) && d->run.fd >= 0 &&
	    rundir_lock(&d->run, &ignored)) {
		if (record_read(&d->earlier, &d->run, d->record) == RECORD_ALIEN)
			warn(d->w, "alien-record", RUNDIR "/%s: not this version's: left as it is",
			     d->record);
		else
			(void)release(&d->run, d->record, d->netns.path, d->w);
		rundir_unlock(&d->run);
		addresses_of_result(&d->addresses, d->call->prev_result);
		steer_evict_stale(&d->run, d->record, &d->addresses, d->w);
	}
	return cni_print(d->result, out, e);
}

static bool perform(struct apply *d, FILE *out, struct err *e)
{
	struct err fault = { 0 };

	if (!record_path(d->record, &d->at, e) || !apply_make_result(d, e))
		return false;
	if (!arena_ok(d->w->arena))
		return err_set(e, ERR_IO, "out of memory");
	if (d->verdict->mode == MODE_OFF)
		return stand_aside(d, out, e);
	if (!rundir_open(&d->run, true, e))
		return false;
	if (!apply(d, e) || !cni_print(d->result, out, e)) {
		apply_undo(d);
		return false;
	}
	if (sweep_is_due(&d->run) && !sweep(&d->run, d->w, &fault))
		warn(d->w, "sweep", "%s", fault.text);
	return true;
}

static bool add(const struct call *call, FILE *out, struct warnings *w, struct err *e)
{
	static struct computed verdict; /* large, and main calls once */
	struct apply d = {
		.call = call,
		.at = { call->name, call->container_id, call->ifname },
		.verdict = &verdict,
		.sandbox = SANDBOX_NONE,
		.run = RUNDIR_NONE,
		.undo = INPLACE_NONE,
		.late = LATE_NONE,
		.w = w,
	};
	bool done;

	if (!pod_netns_open(&d.netns, call, e) ||
	    !result_check(call->prev_result, call->version, e))
		return false;
	done = compute_for_call(&verdict, call, &d.sandbox, w, e) && perform(&d, out, e);
	inplace_close(&d.undo);
	sandbox_done(&d.sandbox);
	late_close(&d.late);
	rundir_close(&d.run);
	json_decref(d.result);
	json_decref(d.earlier);
	computed_done(&verdict);
	return done;
}

const struct verb verb_add = {
	.command = "ADD",
	.needs = NEEDS_CONTAINERID | NEEDS_NETNS | NEEDS_IFNAME | NEEDS_PATH,
	.prints = true,
	.run = add,
};
