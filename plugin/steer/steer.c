/* SPDX-License-Identifier: Apache-2.0 */
/* steer.c: installs, checks and removes the steering of a pod's queries to the node's cache. */
#include "steer/steer.h"
#include "steer/steer_node.h"
#include "steer/steer_pod.h"
#include "steer/steer_disable.h"
#include "steer/rules/table.h"

#include <stdio.h>
#include <sys/utsname.h>

/* Ours are recognised by the table's comment, which exists since Linux 5.10. */
static bool kernel_suffices(struct err *e)
{
	enum { MAJOR = 5, MINOR = 10 };
	unsigned major = 0, minor = 0;
	struct utsname kernel;

	if (uname(&kernel) == 0 && sscanf(kernel.release, "%u.%u", &major, &minor) == 2 &&
	    (major > MAJOR || (major == MAJOR && minor >= MINOR)))
		return true;
	return err_set(e, ERR_STEER, "Linux %s: steering needs %d.%d or later", kernel.release,
		       MAJOR, MINOR);
}

static bool install_on_node(struct rundir *r, const struct pod_netns *netns, const char *id,
			    struct steering *s, const struct pod_addrs *list, struct warnings *w,
			    struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, r, e))
		return false;
	if (steer_node_install(&held, netns, id, s, list, e))
		return true;
	steer_node_drop_stale(&held, id, list, w);
	return false;
}

static bool claim_pod(struct rundir *r, const char *id, const struct pod_addrs *list, bool *first,
		      struct warnings *w, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, r, e))
		return false;
	steer_node_drop_stale(&held, id, list, w);
	return steer_pod_claim(&held, id, first, e);
}

/* After a failure the tables are those of the attachment before, or gone. */
static void take_back_claim(struct rundir *r, const struct pod_netns *netns, const char *id)
{
	const struct record_netns known = { netns->path, netns->id, netns->cookie };
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, r, NULL))
		return;
	(void)steer_pod_unclaim(&held, id, NULL);
	rundir_unlock(&held);
	if (!netns->own && netns->path)
		(void)steer_pod_settle(id, &known, "", NULL);
}

static bool install_in_pod(struct rundir *r, const struct pod_netns *netns, const char *id,
			   struct steering *s, const struct pod_addrs *list, struct warnings *w,
			   struct err *e)
{
	bool first;

	if (!claim_pod(r, id, list, &first, w, e))
		return false;
	if (steer_pod_install(netns, s, first, e))
		return true;
	take_back_claim(r, netns, id);
	return false;
}

bool steer_install(struct rundir *r, const struct pod_netns *netns, const char *id,
		   struct steering *s, const struct pod_addrs *list, struct warnings *w,
		   struct err *e)
{
	bool done;

	if (!kernel_suffices(e))
		return err_in(e, "steer: ");
	if (s->mode == STEER_NODE)
		done = install_on_node(r, netns, id, s, list, w, e);
	else
		done = install_in_pod(r, netns, id, s, list, w, e);
	return (done && steer_disable_new(r, netns, s, w, e)) || err_in(e, "steer: ");
}

void steer_drop_stale(struct rundir *r, const char *id, const struct pod_addrs *list,
		      struct warnings *w)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };

	if (!steer_node_is_used(r))
		return;
	if (rundir_lock(&held, r, &e))
		steer_node_drop_stale(&held, id, list, w);
	else
		warn(w, "steer", "%s", e.text);
}

void steer_restore(struct rundir *r, struct warnings *w)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	struct err e = { 0 };

	if (!steer_node_is_used(r))
		return;
	if (rundir_lock(&held, r, &e))
		steer_node_restore(&held, w);
	else
		warn(w, "steer", "%s", e.text);
}

/*** the end ***/

static bool release_rules(const struct rundir_lock *held, const char *id,
			  const struct record *record, struct err *e)
{
	if (!record_has_steering(record))
		return true;
	if (record->steering.plan.mode != STEER_NODE)
		return steer_pod_unclaim(held, id, e);
	return steer_node_release(held, id, &record->steering.pod_addrs, e);
}

/* If there is no record: gives up what has the attachment's name, as far as that can be seen. */
static void release_unknown(const struct rundir_lock *held, const char *id)
{
	(void)steer_node_release(held, id, NULL, NULL);
	(void)steer_pod_unclaim(held, id, NULL);
}

bool steer_release(const struct rundir_lock *held, const char *id, const struct record *record,
		   struct warnings *w)
{
	struct err e = { 0 };

	if (!record)
		release_unknown(held, id);
	else if (!release_rules(held, id, record, &e))
		warn(w, "steer", "steer: %s", e.text);
	return !e.code;
}

bool steer_is_in_pod(const struct record *record)
{
	return !record || (record_has_steering(record) && record->steering.plan.mode != STEER_NODE);
}

bool steer_settle(const char *id, const struct record *record, const char *netns,
		  struct warnings *w)
{
	const bool in_pod =
		record && record_has_steering(record) && record->steering.plan.mode != STEER_NODE;
	struct err e = { 0 };

	if (record && !in_pod)
		return true;
	if (steer_pod_settle(id, record ? &record->netns : NULL, netns, &e) || !record)
		return true;
	warn(w, "steer", "steer: %s", e.text);
	return false;
}

bool steer_is_claimed(const struct rundir *r, const char *id)
{
	return steer_pod_is_claimed(r, id);
}

bool steer_drop_addresses(const struct rundir_lock *held, const char *id,
			  const struct record *record, const struct pod_addrs *now,
			  struct warnings *w)
{
	struct err e = { 0 };

	if (!record_has_steering(record) || record->steering.plan.mode != STEER_NODE ||
	    steer_node_drop_addresses(held, id, &record->steering.pod_addrs, now, &e))
		return true;
	warn(w, "steer", "steer: %s", e.text);
	return false;
}

/*** CHECK ***/

static bool check_node(struct rundir *r, const char *id, const struct record *record,
		       struct warnings *w, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	return rundir_lock(&held, r, e) && steer_node_check(&held, id, &record->steering, w, e);
}

bool steer_check(struct rundir *r, const struct pod_netns *netns, const char *id,
		 const struct record *record, struct warnings *w, struct err *e)
{
	struct steering s = record->steering.plan;
	bool done = true;

	if (!record_has_steering(record) || !record->steering.installed)
		s.mode = STEER_OFF;
	if (s.mode == STEER_NODE)
		done = check_node(r, id, record, w, e);
	else if (s.mode != STEER_OFF)
		done = steer_pod_check(r, netns, id, &s, w, e);
	if (s.mode != STEER_NODE)
		steer_restore(r, w);
	return done || err_in(e, "steer: ");
}

void steer_gc(struct rundir *r, const char *network, struct warnings *w)
{
	steer_node_collect(r, network, w);
}

bool steer_is_possible(const struct steering *plan, struct err *e)
{
	struct steering s = *plan;
	auto_nl nl = NL_CLOSED;

	if (!kernel_suffices(e))
		return err_in(e, "steer: ");
	if (!nl_open_in(&nl, -1, e))
		return false;
	for (int v6 = 0; v6 < 2; v6++) {
		struct table t = { .nl = &nl, .s = &s, .v6 = v6 };

		if (steering_has(&s, v6) && !table_dry_run(&t, e))
			return err_in(e, "steer: ");
	}
	return true;
}
