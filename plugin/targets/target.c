/* SPDX-License-Identifier: Apache-2.0 */
/* target.c: where the file goes, and putting it there. */
#include "targets/target.h"
#include "arena.h"
#include "state/claim.h"
#include "targets/netnsfile.h"
#include "targets/rootfs.h"
#include "targets/sandbox.h"

#include <string.h>

/*** the plan ***/

static void add_target(struct plan *plan, struct target t)
{
	if (plan->n < TARGETS_MAX)
		plan->at[plan->n++] = t;
}

static void add_path(struct plan *plan, enum target_kind kind, const char *path, const char *why)
{
	add_target(plan, (struct target){ .kind = kind, .path = path, .found = -1, .why = why });
}

static struct target target_of_runtime(const struct sandbox *s)
{
	const struct sandbox_file *file = &s->runtimes;

	return (struct target){
		.kind = TARGET_SANDBOX,
		.path = file->path,
		.found = file->fd,
		.why = file->path ? file->why
				  : "no file of a runtime's is known for this container",
	};
}

static void plan_sandbox(struct plan *plan, const struct sandbox *s)
{
	add_target(plan, target_of_runtime(s));
}

static void plan_late(struct plan *plan, const struct sandbox *s)
{
	const char *why =
		"no file of the runtime's is known, and it writes none later: left to a hook";

	if (s->runtimes.path && s->cri) {
		struct target again = target_of_runtime(s);

		again.again = true;
		add_target(plan, again);
		return;
	}
	if (!s->cri)
		why = "it is no call of a CRI runtime";
	add_path(plan, TARGET_LATE, s->expected, s->expected ? NULL : why);
}

static void plan_rootfs(struct plan *plan, const struct pod_netns *netns)
{
	const char *why = NULL;

	if (!rootfs_is_proc(netns->path))
		why = "CNI_NETNS is not /proc/PID/ns/net";
	else if (netns->own)
		why = "CNI_NETNS is the plugin's own namespace";
	add_path(plan, TARGET_ROOTFS, why ? NULL : netns->path, why);
}

static void plan_netns(struct plan *plan, const struct pod_netns *netns, struct arena *a)
{
	const char *name = netnsfile_name(netns->path), *path = NULL, *why = NULL;

	if (!name)
		why = "CNI_NETNS is not /run/netns/NAME";
	else if (netns->own)
		why = "CNI_NETNS is the plugin's own namespace";
	else
		path = arena_print(a, NETNSFILE_ETC "/%s/resolv.conf", name);
	add_path(plan, TARGET_NETNS, path, why);
}

/* The target that fits the runtime. */
static void plan_auto(struct plan *plan, const struct sandbox *s, const struct pod_netns *netns,
		      struct arena *a)
{
	plan->automatic = true;
	if (s->runtimes.path)
		plan_sandbox(plan, s);
	else if (s->cri)
		plan_late(plan, s);
	else if (rootfs_is_proc(netns->path))
		plan_rootfs(plan, netns);
	else if (netnsfile_name(netns->path))
		plan_netns(plan, netns, a);
}

static void plan_template(struct plan *plan, const char *pattern, const struct sandbox *s,
			  struct arena *a)
{
	struct target t = { .kind = TARGET_SANDBOX, .found = -1 };
	char path[PATH_MAX];

	if (!sandbox_fill(path, pattern, s->container_id))
		t.why = "the template makes too long a path";
	else if (s->templated.fd >= 0 && strcmp(path, s->templated.path) == 0)
		t.path = s->templated.path, t.found = s->templated.fd;
	else
		t.path = arena_print(a, "%s", path);
	add_target(plan, t);
}

void target_plan(struct plan *plan, const struct conf *c, const struct sandbox *sandbox,
		 const struct pod_netns *netns, struct arena *a)
{
	json_t *target;
	size_t i;

	*plan = (struct plan){ 0 };
	if (!c->targets)
		plan_auto(plan, sandbox, netns, a);
	json_array_foreach (c->targets, i, target) {
		const char *word = json_string_value(target);

		if (strcmp(word, "auto") == 0)
			plan_auto(plan, sandbox, netns, a);
		else if (strcmp(word, "sandbox") == 0)
			plan_sandbox(plan, sandbox);
		else if (strcmp(word, "late") == 0)
			plan_late(plan, sandbox);
		else if (strcmp(word, "rootfs") == 0)
			plan_rootfs(plan, netns);
		else if (strcmp(word, "netns") == 0)
			plan_netns(plan, netns, a);
		else
			plan_template(plan, word, sandbox, a);
	}
}

bool plan_has(const struct plan *plan, enum target_kind kind)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->at[i].kind == kind)
			return true;
	return false;
}

/*** writing ***/

static bool write_netns(const struct pod_netns *netns, struct rundir *r, const char *id,
			const char *text, struct err *e)
{
	const char *name = netnsfile_name(netns->path);
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	char folder[CLAIM_FOLDER];
	bool claimed;

	claim_netns(folder, name);
	if (!rundir_lock(&held, r, e))
		return false;
	claimed = claim_is_made(r, folder, id);
	if (claim_add(&held, folder, id, e) && netnsfile_write(&held, name, text, e))
		return true;
	if (!claimed) /* else the file is still what an earlier ADD made */
		(void)claim_remove(&held, folder, id, NULL);
	return false;
}

bool target_claim(const struct sandbox *sandbox, struct rundir *r, const char *id, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	char folder[CLAIM_FOLDER];

	claim_sandbox(folder, sandbox->container_id);
	return rundir_lock(&held, r, e) && claim_add(&held, folder, id, e);
}

/* Under the lock, since two ADDs of a pod may run at once: look again, claim, write. */
static bool write_claimed(const struct target *t, const struct sandbox *sandbox,
			  const struct rundir_lock *held, const char *id, const char *text,
			  struct inplace *undo, struct err *e)
{
	char folder[CLAIM_FOLDER];
	bool claimed;

	claim_sandbox(folder, sandbox->container_id);
	claimed = claim_is_made(held->run, folder, id);
	if (t->again && !claimed)
		return err_set(e, ERR_TARGET, "late: the runtime has written its file already");
	if (!inplace_refresh(undo, t->path, e) || !claim_add(held, folder, id, e))
		return false;
	if (inplace_write(undo, text, false, e))
		return true;
	if (!claimed) /* else the file still holds what an earlier ADD wrote */
		(void)claim_remove(held, folder, id, NULL);
	return err_in(e, "%s: ", t->path);
}

/* Opens the file before it takes the lock: a file system that hangs must not block the node. */
static bool write_sandbox(const struct target *t, const struct sandbox *sandbox, struct rundir *r,
			  const char *id, const char *text, struct inplace *undo, struct err *e)
{
	auto_fd own = -1;
	auto_rundir_lock held = RUNDIR_UNLOCKED; /* released before that is closed */
	int found = t->found;

	if (found < 0 && t->why)
		return err_set(e, ERR_TARGET, "%s", t->why);
	if (found < 0) {
		own = inplace_find(t->path, sandbox->node_file, e);
		found = own;
	}
	return found >= 0 && inplace_open(undo, found, t->path, e) && rundir_lock(&held, r, e) &&
	       write_claimed(t, sandbox, &held, id, text, undo, e);
}

bool target_write(const struct target *t, const struct sandbox *sandbox,
		  const struct pod_netns *netns, struct rundir *r, const char *id, const char *text,
		  struct inplace *undo, struct err *e)
{
	if (!t->path)
		return err_set(e, ERR_TARGET, "%s", t->why);
	if (t->kind == TARGET_NETNS)
		return write_netns(netns, r, id, text, e);
	if (t->kind == TARGET_ROOTFS)
		return rootfs_open(undo, netns, sandbox->node_file, text, e) &&
		       rootfs_write(undo, e);
	return write_sandbox(t, sandbox, r, id, text, undo, e);
}
