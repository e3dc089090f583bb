/* SPDX-License-Identifier: Apache-2.0 */
/* attach.c: carries out what compute() decided: the record, the rules, the target. */
#include "attachment/attach_private.h"
#include "state/claim.h"
#include "targets/netnsfile.h"
#include "attachment/release.h"
#include "cni/pod_addrs.h"
#include "steer/health.h"
#include "steer/steer.h"

#include <string.h>

/* Gives up the namespace's file of an earlier ADD, unless this ADD writes the same one. */
static void release_earlier(struct attach *a, const struct rundir_lock *held)
{
	const char *path = a->earlier.netns.path, *name = netnsfile_name(path);

	if (name && (!plan_has(&a->plan, TARGET_NETNS) || strcmp(path, a->netns.path) != 0))
		(void)release_netns(held, a->id, name, a->w);
}

/* Removes the rules of an earlier ADD that this ADD does not make again. */
static void unsteer_earlier(struct attach *a, const struct rundir_lock *held)
{
	bool node = a->earlier.steering.plan.mode == STEER_NODE;

	if (!record_has_steering(&a->earlier))
		return;
	if (!a->computed->steers || node != (a->steering.mode == STEER_NODE))
		a->settles = steer_release(held, a->id, &a->earlier, a->w);
	else
		(void)steer_drop_addresses(held, a->id, &a->earlier, &a->pod_addrs, a->w);
}

/* The configFile broke after this pod was served: it stays so, but prevResult passes through. */
static bool keep_earlier(struct attach *a, const struct rundir_lock *held, struct err *e)
{
	a->keep = true;
	a->earlier.printed = NULL;
	return record_write(held, a->id, &a->earlier, e);
}

static bool announce_locked(struct attach *a, const struct rundir_lock *held, struct err *e)
{
	enum record_found found = record_read(&a->earlier, &a->run, a->id);

	a->repeated = found == RECORD_KNOWN;
	if (found == RECORD_UNREADABLE) {
		a->keep = true;
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", a->id);
	}
	if (found == RECORD_OTHER_VERSION) {
		a->keep = true;
		warn(a->w, "alien-record", RUNDIR "/%s: not this version's: left as it is", a->id);
		return true;
	}
	if (a->repeated && a->computed->config_file_fault)
		return keep_earlier(a, held, e);
	a->announced = true;
	if (a->repeated)
		unsteer_earlier(a, held);
	else
		a->expected = attach_expect_target(a);
	if (a->expected && a->computed->steers)
		steering_expect(&a->steering);
	if (a->computed->measures ? !health_claim(held, a->id, e)
				  : a->earlier.measured && !health_unclaim(held, a->id, e))
		return false;
	return attach_write_record(a, held, false, e);
}

static bool announce_record(struct attach *a, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	return rundir_lock(&held, &a->run, e) && announce_locked(a, &held, e);
}

static bool install_rules(struct attach *a, struct err *e)
{
	struct err fault = { 0 };

	a->installed =
		steer_install(&a->run, &a->netns, a->id, &a->steering, &a->pod_addrs, a->w, &fault);
	if (a->installed)
		return true;
	if (a->computed->input->network->conf.node_cache.required)
		return err_move(e, &fault);
	warn(a->w, "steer", "%s: the pod is not steered", fault.text);
	return true;
}

/* The tables change no packet: without them the pod works as well. */
static void measure(struct attach *a)
{
	struct err fault = { 0 };

	a->netns.runs |= a->repeated;
	if (a->keep)
		return;
	if (a->computed->measures && !health_install(&a->netns, &fault))
		warn(a->w, "measure", "%s: the pod's DNS is not measured", fault.text);
	if (!a->computed->measures && a->earlier.measured)
		(void)health_settle(a->id, &a->earlier.netns, a->netns.path, NULL);
}

/*
 * The record is written before the rules and the first target, so that DEL and GC find what a
 * killed ADD left. It says what is expected to happen.
 */
static bool announce_and_steer(struct attach *a, struct err *e)
{
	if (!announce_record(a, e))
		return false;
	if (a->settles)
		(void)steer_settle(a->id, &a->earlier, a->netns.path, a->w);
	measure(a);
	return a->keep || !a->computed->steers || install_rules(a, e);
}

/* Removes the rules that this ADD installed. */
static void unsteer_own(struct attach *a)
{
	auto_record now = RECORD_BLANK;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	bool released;

	if (!a->installed || record_read(&now, &a->run, a->id) != RECORD_KNOWN)
		return;
	released = rundir_lock(&held, &a->run, NULL) && steer_release(&held, a->id, &now, a->w);
	rundir_unlock(&held);
	if (released)
		(void)steer_settle(a->id, &now, a->netns.path, a->w);
	a->installed = false;
}

/* If there is a configFile this is a warning: an edit of that file must not stop a node. */
static bool none_taken(struct attach *a, const char *why, struct err *e)
{
	const char *path = a->computed->input->network->conf.config_file;

	if (!path)
		return err_set(e, ERR_TARGET, "none of targets was taken: %s", why);
	warn(a->w, "config-file", "configFile %s: none of targets was taken: %s: the pod is left",
	     path, why);
	a->served = false;
	unsteer_own(a); /* the pod keeps what it has */
	return true;
}

static bool try_targets(struct attach *a, struct err *e)
{
	const char *why = attach_has_targets(a) ? attach_try_targets(a) : NULL;

	return !why || none_taken(a, why, e);
}

static bool write_record_locked(struct attach *a, bool over, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, &a->run, e) || !attach_write_record(a, &held, over, e))
		return false;
	/* Last: a failed ADD leaves what an earlier one made. */
	if (over && a->repeated && !a->keep)
		release_earlier(a, &held);
	return true;
}

/* Picks by whether the rules are installed. A text must be in the record before it is written. */
static bool pick_outcome(struct attach *a, struct err *e)
{
	const struct outcome *announced = a->outcome;

	a->outcome = computed_pick(a->computed, a->installed, a->w);
	if (a->outcome == announced)
		return true;
	a->expected = false;
	return write_record_locked(a, false, e);
}

/* Nothing has happened since that the record does not say. */
static bool is_as_announced(const struct attach *a)
{
	return !a->adopts && a->expected && (!attach_has_targets(a) || a->plan.at[0].taken) &&
	       (!a->computed->steers || steering_is_as_expected(&a->steering)) &&
	       a->reported == a->w->n + a->w->lost;
}

bool attach(struct attach *a, struct err *e)
{
	a->outcome = &a->computed->outcome;
	a->served = a->computed->serves;
	a->steering = a->computed->steering;
	a->plan = a->computed->plan;
	pod_addrs_of_result(&a->pod_addrs, a->prev_result);
	if (!announce_and_steer(a, e))
		return false;
	if (!a->keep && !a->computed->steers)
		steer_drop_stale(&a->run, a->id, &a->pod_addrs, a->w);
	if (!pick_outcome(a, e))
		return false;
	return try_targets(a, e) && (is_as_announced(a) || write_record_locked(a, true, e));
}

void attach_start_late(struct attach *a)
{
	struct err fault = { 0 };

	if (a->late.file && !late_start(&a->late, &fault))
		warn(a->w, "target", "target late: %s: left to the sweep", fault.text);
}

/* Gives the namespace's file back the text of the earlier ADD, or removes it. */
static void restore_netns(struct attach *a, const struct rundir_lock *held)
{
	const char *name = netnsfile_name(a->netns.path), *text = a->earlier.text;
	char folder[CLAIM_FOLDER];

	if (!name || !plan_has(&a->plan, TARGET_NETNS))
		return;
	claim_netns(folder, name);
	if (!text || !record_taken(&a->earlier, TARGET_NETNS))
		(void)release_netns(held, a->id, name, a->w);
	else if (!claim_is_anothers(&a->run, folder, a->id) &&
		 claim_is_made(&a->run, folder, a->id))
		(void)netnsfile_write(held, name, text, NULL);
}

/* Brings back the record, the rules and the namespace's file of an earlier ADD. */
static void restore_earlier(struct attach *a, const struct rundir_lock *held)
{
	(void)record_write(held, a->id, &a->earlier, NULL);
	restore_netns(a, held);
}

/* Returns whether there is an earlier record again. */
static bool undo_locked(struct attach *a)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	bool helped = helper_is_there(&a->undo.helper), locked;

	/* Does nothing if another attachment has written the file since. */
	if (helped) /* it may hang: without the lock */
		inplace_undo(&a->undo);
	locked = a->run.fd >= 0 && rundir_lock(&held, &a->run, NULL);
	if (!helped)
		inplace_undo(&a->undo);
	if (!locked || !a->announced || !a->repeated)
		return false;
	restore_earlier(a, &held);
	return true;
}

void attach_undo(struct attach *a)
{
	if (a->announced && a->repeated && a->run.fd >= 0)
		unsteer_own(a);
	if (undo_locked(a))
		(void)steer_check(&a->run, &a->netns, a->id, &a->earlier, a->w, &(struct err){ 0 });
	if (a->announced && !a->repeated)
		(void)release(&a->run, a->id, a->netns.path, a->w);
}

void attach_done(struct attach *a)
{
	inplace_close(&a->undo);
	sandbox_done(&a->sandbox);
	late_close(&a->late);
	rundir_close(&a->run);
	pod_netns_close(&a->netns);
	record_done(&a->earlier);
}
