/* target.c: where the file goes, and putting it there. */
#include "targets/target.h"
#include "arena.h"
#include "state/claim.h"
#include "targets/netnsfile.h"
#include "targets/sandbox.h"

#include <string.h>

const char *const target_words[] = { "sandbox", "late", "rootfs", "netns", NULL };

/*** the plan ***/

static void add(struct plan *plan, enum target_kind kind, const char *path, const char *why)
{
	if (plan->n < TARGETS_MAX)
		plan->at[plan->n++] = (struct target){ .kind = kind, .path = path, .why = why };
}

static void plan_sandbox(struct plan *plan, const struct place *p)
{
	add(plan, TARGET_SANDBOX, p->sandbox,
	    p->sandbox ? NULL : "no file of a runtime's is known for this container");
}

static void plan_late(struct plan *plan, const struct place *p)
{
	const char *why =
		"no file of the runtime's is known, and it writes none later: left to a hook";
	size_t n = plan->n;

	if (p->sandbox && p->cri) {
		add(plan, TARGET_SANDBOX, p->sandbox, NULL);
		if (plan->n > n)
			plan->at[n].again = true;
		return;
	}
	if (!p->cri)
		why = "it is no call of a CRI runtime";
	add(plan, TARGET_LATE, p->expected, p->expected ? NULL : why);
}

static void plan_rootfs(struct plan *plan, const struct place *p)
{
	const char *why = NULL;

	if (!inplace_is_proc(p->netns))
		why = "CNI_NETNS is not /proc/PID/ns/net";
	else if (p->own_netns)
		why = "CNI_NETNS is the plugin's own namespace";
	add(plan, TARGET_ROOTFS, why ? NULL : p->netns, why);
}

static void plan_netns(struct plan *plan, const struct place *p, struct arena *a)
{
	const char *name = netnsfile_name(p->netns), *path = NULL, *why = NULL;

	if (!name)
		why = "CNI_NETNS is not /run/netns/NAME";
	else if (p->own_netns)
		why = "CNI_NETNS is the plugin's own namespace";
	else
		path = arena_print(a, NETNSFILE_ETC "/%s/resolv.conf", name);
	add(plan, TARGET_NETNS, path, why);
}

/* The one that fits the runtime. */
static void plan_auto(struct plan *plan, const struct place *p, struct arena *a)
{
	plan->automatic = true;
	if (p->sandbox)
		plan_sandbox(plan, p);
	else if (p->cri)
		plan_late(plan, p);
	else if (inplace_is_proc(p->netns))
		plan_rootfs(plan, p);
	else if (netnsfile_name(p->netns))
		plan_netns(plan, p, a);
}

static void plan_template(struct plan *plan, const char *pattern, const struct place *p,
			  struct arena *a)
{
	char path[PATH_MAX];

	if (sandbox_fill(path, pattern, p->container_id))
		add(plan, TARGET_SANDBOX, arena_print(a, "%s", path), NULL);
	else
		add(plan, TARGET_SANDBOX, NULL, "the template makes too long a path");
}

void target_plan(struct plan *plan, const struct conf *c, const struct place *p, struct arena *a)
{
	*plan = (struct plan){ 0 };
	if (!c->targets_written)
		plan_auto(plan, p, a);
	for (size_t i = 0; i < c->targets.n; i++) {
		const char *word = c->targets.at[i];

		if (strcmp(word, "auto") == 0)
			plan_auto(plan, p, a);
		else if (strcmp(word, "sandbox") == 0)
			plan_sandbox(plan, p);
		else if (strcmp(word, "late") == 0)
			plan_late(plan, p);
		else if (strcmp(word, "rootfs") == 0)
			plan_rootfs(plan, p);
		else if (strcmp(word, "netns") == 0)
			plan_netns(plan, p, a);
		else
			plan_template(plan, word, p, a);
	}
}

/*** the deed ***/

static bool write_netns(const struct place *p, struct rundir *r, const char *record,
			const char *text, struct err *e)
{
	const char *name = netnsfile_name(p->netns);
	char folder[CLAIM_FOLDER];
	struct err ignored = { 0 };
	bool done;

	claim_netns(folder, name);
	if (!rundir_lock(r, e))
		return false;
	done = claim_add(r, folder, record, e) && netnsfile_write(r, name, text, e);
	if (!done)
		(void)claim_remove(r, folder, record, &ignored);
	rundir_unlock(r);
	return done;
}

bool target_claim(const struct place *p, struct rundir *r, const char *record, struct err *e)
{
	char folder[CLAIM_FOLDER];
	bool done;

	claim_sandbox(folder, p->container_id);
	if (!rundir_lock(r, e))
		return false;
	done = claim_add(r, folder, record, e);
	rundir_unlock(r);
	return done;
}

static bool claims(const struct place *p, const struct rundir *r, const char *record)
{
	char folder[CLAIM_FOLDER];

	claim_sandbox(folder, p->container_id);
	return claim_is_made(r, folder, record);
}

static void unclaim_file(const struct place *p, struct rundir *r, const char *record)
{
	char folder[CLAIM_FOLDER];
	struct err ignored = { 0 };

	claim_sandbox(folder, p->container_id);
	if (!rundir_lock(r, &ignored))
		return;
	(void)claim_remove(r, folder, record, &ignored);
	rundir_unlock(r);
}

static bool write_sandbox(const struct target *t, const struct place *p, struct rundir *r,
			  const char *record, const char *text, struct inplace *undo, struct err *e)
{
	bool claimed = claims(p, r, record);

	if (t->again && !claimed)
		return err_set(e, ERR_TARGET, "late: the runtime has written its file already");
	if (!inplace_open(undo, t->path, p->node_file, e) || !target_claim(p, r, record, e))
		return false;
	if (inplace_write(undo, text, false, e))
		return true;
	if (!claimed) /* else the file still holds what an earlier ADD wrote */
		unclaim_file(p, r, record);
	return err_in(e, "%s: ", t->path);
}

bool target_write(const struct target *t, const struct place *p, struct rundir *r,
		  const char *record, const char *text, struct inplace *undo, struct err *e)
{
	if (!t->path)
		return err_set(e, ERR_TARGET, "%s", t->why);
	if (t->kind == TARGET_NETNS)
		return write_netns(p, r, record, text, e);
	if (t->kind == TARGET_ROOTFS)
		return inplace_open_rootfs(undo, p->netns, &p->netns_id, p->node_file, true, e) &&
		       inplace_write(undo, text, false, e);
	return write_sandbox(t, p, r, record, text, undo, e);
}
