/* apply.c: what ADD does once it has decided: the record, the rules, the target. */
#include "attachment/apply_private.h"
#include "attachment/account.h"
#include "state/claim.h"
#include "targets/netnsfile.h"
#include "attachment/release.h"
#include "cni/result.h"
#include "steer/steer.h"

#include <string.h>

/* Whether the pod gets a configuration of ours, in the result and in a file. */
static bool is_enforced(const struct computed *v)
{
	return v->mode == MODE_ENFORCE && !v->network.unusable &&
	       (v->decision.state == COMPUTED || v->decision.state == LEFT);
}

bool apply_make_result(struct apply *d, struct err *e)
{
	const struct call *call = d->call;

	d->result = is_enforced(d->verdict)
			    ? result_with_dns(call->prev_result, call->version, &d->verdict->resolv)
			    : result_pass(call->prev_result, call->version);
	return d->result || err_set(e, ERR_IO, "result: out of memory");
}

/* What CHECK will look for in prevResult. */
static const json_t *printed(const struct apply *d)
{
	if (!is_enforced(d->verdict) || resolv_is_empty(&d->verdict->resolv))
		return NULL;
	return json_object_get(d->result, "dns");
}

static json_t *steering_account(const struct apply *d)
{
	json_t *steering = d->steers ? steering_json(&d->steering, &d->addresses) : NULL;

	if (steering)
		(void)json_object_set_new(steering, "installed", json_boolean(d->installed));
	return steering;
}

static bool write_account(struct apply *d, bool over, struct err *e)
{
	json_auto_t *steering = steering_account(d);
	json_auto_t *record = NULL;

	if (d->keep)
		return true;
	record = account_make(&d->at, &d->netns, d->verdict, &d->plan, over, printed(d), steering,
			      d->w);
	if (!record)
		return err_set(e, ERR_IO, "record: out of memory");
	return record_write(&d->run, d->record, record, e);
}

static bool plans(const struct plan *plan, enum target_kind kind)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->at[i].kind == kind)
			return true;
	return false;
}

/* An earlier ADD of this attachment may have written a file that this one will not. */
static void release_earlier(struct apply *d)
{
	const json_t *netns = json_object_get(d->earlier, "netns");
	const char *path = record_string(netns, "path");
	const char *name = path ? netnsfile_name(path) : NULL;

	if (name && (!plans(&d->plan, TARGET_NETNS) || strcmp(path, d->netns.path) != 0))
		(void)release_netns(&d->run, d->record, name, d->w);
}

/* Rules that an earlier ADD made and this one will not. */
static void unsteer_earlier(struct apply *d)
{
	struct steering s;

	if (!steering_parse(&s, json_object_get(d->earlier, "steering")))
		return;
	if (!d->steers || (s.mode == STEER_NODE) != (d->steering.mode == STEER_NODE))
		(void)steer_release(&d->run, d->record, d->earlier, d->netns.path, d->w);
	else
		(void)steer_drop_addresses(&d->run, d->record, d->earlier, &d->addresses, d->w);
}

/* A pod that was served before a configFile broke stays served; the result has passed through. */
static bool keep_earlier(struct apply *d, struct err *e)
{
	d->keep = true;
	return json_object_set_new(d->earlier, "printed", json_null()) == 0 &&
	       record_write(&d->run, d->record, d->earlier, e);
}

static bool announce_locked(struct apply *d, struct err *e)
{
	enum record found = record_read(&d->earlier, &d->run, d->record);

	if (found == RECORD_UNREADABLE) {
		d->keep = true;
		return err_set(e, ERR_IO, RUNDIR "/%s: cannot be read", d->record);
	}
	if (found == RECORD_ALIEN) {
		d->keep = true;
		warn(d->w, "alien-record", RUNDIR "/%s: not this version's: left as it is",
		     d->record);
		return true;
	}
	if (d->earlier && d->verdict->network.unusable)
		return keep_earlier(d, e);
	d->announced = true;
	if (d->earlier) {
		release_earlier(d);
		unsteer_earlier(d);
	}
	return write_account(d, false, e);
}

/* The record comes before the first target: whatever happens then, DEL and GC know of it. */
static bool announce(struct apply *d, struct err *e)
{
	bool done;

	if (!rundir_lock(&d->run, e))
		return false;
	done = announce_locked(d, e);
	rundir_unlock(&d->run);
	return done;
}

/* What this ADD installed goes. The lock is held. */
static void unsteer_own(struct apply *d)
{
	json_auto_t *now = NULL;

	if (d->installed && record_read(&now, &d->run, d->record) == RECORD_KNOWN)
		(void)steer_release(&d->run, d->record, now, d->netns.path, d->w);
	d->installed = false;
}

/* A pod that is left is not steered either. */
static bool unsteer_left(struct apply *d, struct err *e)
{
	if (!rundir_lock(&d->run, e))
		return false;
	unsteer_own(d);
	rundir_unlock(&d->run);
	return true;
}

/* Whether there is a text for a file, or will be. */
static bool has_text(const struct computed *v)
{
	return (is_enforced(v) && v->text) ||
	       (v->mode == MODE_ENFORCE && v->decision.state == PENDING);
}

/* What a configFile says must not stop a node. */
static bool none_taken(struct apply *d, const char *why, struct err *e)
{
	const char *path = d->verdict->network.conf.config_file;

	if (!path)
		return err_set(e, ERR_TARGET, "none of targets was taken: %s", why);
	warn(d->w, "config-file", "configFile %s: none of targets was taken: %s: the pod is left",
	     path, why);
	d->verdict->network.unusable = true;
	json_decref(d->result);
	return unsteer_left(d, e) && apply_make_result(d, e);
}

static bool try_targets(struct apply *d, struct err *e)
{
	const struct conf *c = &d->verdict->network.conf;
	const char *why;

	if (!has_text(d->verdict) || (c->targets_written && !c->targets.n))
		return true;
	why = apply_try_targets(d);
	return !why || none_taken(d, why, e);
}

/* The child comes last: from then on the record is its to change. */
static void start_late(struct apply *d)
{
	struct err fault = { 0 };

	if (d->late.watch >= 0 && !late_start(&d->late, &fault))
		warn(d->w, "target", "target late: %s: left to the sweep", fault.text);
}

/* An undecided pod is steered as a cluster-first one: the rules touch what goes to clusterDNS only.
 */
static void plan_steering(struct apply *d)
{
	const struct computed *v = d->verdict;
	const struct conf *c = &v->network.conf;
	bool pending = v->mode == MODE_ENFORCE && v->decision.state == PENDING;

	addresses_of_result(&d->addresses, d->call->prev_result);
	if (c->node_cache.present && (is_enforced(v) || pending))
		d->steers = steering_plan(&d->steering, c, v->decision.rule,
					  pending ? NULL : &v->resolv, d->w);
}

static bool steer(struct apply *d, struct err *e)
{
	struct err fault = { 0 };

	if (!d->steers) {
		steer_evict_stale(&d->run, d->record, &d->addresses, d->w);
		return true;
	}
	if (!steer_install(&d->run, &d->netns, d->record, &d->steering, &d->addresses, d->w,
			   &fault)) {
		if (d->verdict->network.conf.node_cache.required) {
			*e = fault;
			return false;
		}
		warn(d->w, "steer", "%s: the pod is not steered", fault.text);
		return true;
	}
	d->installed = true;
	return true;
}

bool apply(struct apply *d, struct err *e)
{
	bool done;

	plan_steering(d);
	if (has_text(d->verdict))
		target_plan(&d->plan, &d->verdict->network.conf, &d->sandbox, &d->netns,
			    d->w->arena);
	if (!announce(d, e) || (!d->keep && !steer(d, e)))
		return false;
	if (!try_targets(d, e))
		return false;
	if (!rundir_lock(&d->run, e))
		return false;
	done = write_account(d, true, e);
	rundir_unlock(&d->run);
	if (done)
		start_late(d);
	return done;
}

/* An earlier ADD's record comes back, its rules, and its file of the namespace. */
static void restore_earlier(struct apply *d)
{
	const char *name = netnsfile_name(d->netns.path);
	const char *text = record_string(d->earlier, "text");
	char folder[CLAIM_FOLDER], owner[RECORD_PATH];
	struct err ignored = { 0 };

	unsteer_own(d);
	(void)record_write(&d->run, d->record, d->earlier, &ignored);
	(void)steer_check(&d->run, &d->netns, d->record, d->earlier, d->w, &ignored);
	if (!name || !plans(&d->plan, TARGET_NETNS))
		return;
	claim_netns(folder, name);
	if (text && claim_owner(owner, &d->run, folder) && strcmp(owner, d->record) == 0)
		(void)netnsfile_write(&d->run, name, text, &ignored);
}

void apply_undo(struct apply *d)
{
	struct err ignored = { 0 };

	inplace_undo(&d->undo);
	if (!d->announced || d->keep || !rundir_lock(&d->run, &ignored))
		return;
	if (d->earlier)
		restore_earlier(d);
	else
		(void)release(&d->run, d->record, d->netns.path, d->w);
	rundir_unlock(&d->run);
}
