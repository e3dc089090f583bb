/* SPDX-License-Identifier: Apache-2.0 */
/* add.c: ADD: decides a pod's DNS, applies it, and prints the result. */
#include "attachment/attach.h"
#include "attachment/compute_for.h"
#include "attachment/release.h"
#include "attachment/sweep.h"
#include "cni/pod_addrs.h"
#include "cni/result.h"
#include "pod-dns/verbs.h"
#include "steer/steer.h"

/* Mode `off`: removes what an earlier ADD made, and does nothing else. */
static void remove_earlier(struct attach *a)
{
	if (!rundir_open(&a->run, false, NULL) || a->run.fd < 0)
		return;
	if (record_read(&a->earlier, &a->run, a->id) == RECORD_OTHER_VERSION)
		warn(a->w, "alien-record", RUNDIR "/%s: not this version's: left as it is", a->id);
	else
		(void)release(&a->run, a->id, a->netns.path, a->w);
	pod_addrs_of_result(&a->pod_addrs, a->prev_result);
	steer_drop_stale(&a->run, a->id, &a->pod_addrs, a->w);
}

static bool add_or_remove(struct attach *a, struct err *e)
{
	if (!record_path(a->id, &a->at, e))
		return false;
	if (!arena_ok(a->w->arena))
		return err_set(e, ERR_IO, "out of memory");
	if (a->computed->input->mode == MODE_OFF) {
		remove_earlier(a);
		return true;
	}
	return rundir_open(&a->run, true, e) && attach(a, e);
}

/* Prints prevResult, with our dns if the pod is served. */
static bool print_result(const struct attach *a, const char *version, FILE *out, struct err *e)
{
	const struct resolv *r = a->served ? &a->outcome->resolv : NULL;
	json_auto_t *result = result_make(a->prev_result, version, r);

	return (result || err_set(e, ERR_IO, "result: out of memory")) && cni_print(result, out, e);
}

static void sweep_if_due(struct attach *a)
{
	struct err fault = { 0 };

	a->w->pod = NULL; /* its warnings are about other pods */
	if (a->computed->input->mode != MODE_OFF && sweep_is_due(&a->run) &&
	    !sweep(&a->run, a->w, &fault))
		warn(a->w, "sweep", "%s", fault.text);
}

static bool act_and_tell(struct attach *a, const char *version, FILE *out, struct err *e)
{
	if (!add_or_remove(a, e) || !print_result(a, version, out, e)) {
		attach_undo(a);
		return false;
	}
	attach_start_late(a);
	sweep_if_due(a);
	return true;
}

static bool add(const struct call *call, FILE *out, struct warnings *w, struct err *e)
{
	struct call cleaned = *call;
	struct compute_sources sources;
	struct computed computed;
	struct attach a = {
		.computed = &computed,
		.at = { call->name, call->container_id, call->ifname },
		.trace = call->trace,
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
	a.prev_result = cleaned.prev_result = result_clean(call->prev_result, w);
	done = compute_for_call(&computed, &sources, &cleaned, &a.netns, &a.sandbox, w, e) &&
	       act_and_tell(&a, call->version, out, e);
	attach_done(&a);
	compute_sources_done(&sources);
	json_decref(cleaned.prev_result);
	return done;
}

const struct verb verb_add = {
	.command = "ADD",
	.needs = NEEDS_CONTAINERID | NEEDS_NETNS | NEEDS_IFNAME | NEEDS_PATH,
	.prints = true,
	.run = add,
};
