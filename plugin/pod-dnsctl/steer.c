/* SPDX-License-Identifier: Apache-2.0 */
/* steer.c: `pod-dnsctl steer`: switches steering off and on for running pods. */
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/verbs.h"
#include "pod-dnsctl/inventory/missing.h"
#include "pod-dnsctl/inventory/view.h"
#include "text.h"
#include "steer/steer_disable.h"
#include "steer/steer_status.h"

#include <string.h>

struct switching {
	struct ctl *ctl;
	const char *which; /* NULL: every pod */
	bool on;
	size_t failed;
};

/* One table serves all pods of mode node: a single one cannot be switched. */
static bool switch_one(struct switching *s, const struct view *v, struct err *e)
{
	int mode = record_has_steering(&v->record) ? (int)v->record.steering.plan.mode : STEER_OFF;
	bool there, has;

	if (s->which && mode == STEER_NODE)
		return err_set(e, ERR_UNSUPPORTED,
			       "%s: the node's table steers it, with others: steer %s --node",
			       v->pod, s->on ? "on" : "off");
	if (s->which && mode == STEER_OFF)
		return err_set(e, ERR_UNSUPPORTED, "%s: it is not steered by rules", v->pod);
	if (mode != STEER_POD && mode != STEER_DNAT)
		return true;
	if (!steer_disable_pod(&v->record, s->on, &there, e))
		return err_in(e, "%s: ", v->pod);
	if (!there) {
		ctl_note(s->ctl, "%s: its network namespace is not seen here: left as it is",
			 v->pod);
		return true;
	}
	if (!steer_status_has_table(&has, &v->record, e))
		return err_in(e, "%s: ", v->pod);
	if (!has)
		return err_set(e, ERR_STEER,
			       "%s: its table is missing: it comes back with CHECK, which "
			       "containerd does not call, or with a new pod",
			       v->pod);
	out_line(s->ctl->out, "%s: %s", v->pod, s->on ? "on" : "off");
	return true;
}

static void switch_view(struct switching *s, const struct view *v)
{
	struct err e = { 0 };

	if (switch_one(s, v, &e))
		return;
	s->failed++;
	(void)ctl_fail(s->ctl, &e);
}

static bool switch_pods(struct switching *s, const struct rundir *r, struct err *e)
{
	auto_views all = { .run = NULL };
	struct view_choice choice;
	const struct view *v;

	if (!view_choose(&choice, s->which, r, e))
		return false;
	views_begin_sorted(&all, r);
	while ((v = views_next(&all)))
		if (v->fault)
			ctl_note(s->ctl, "%s %s", v->path, v->fault);
		else if (view_is_chosen(v, &choice))
			switch_view(s, v);
	return err_incomplete(&all, e);
}

static void note_one_missing(const struct view *v, void *context)
{
	struct text *names = context;

	text_print(names, "%s%s", names->len ? ", " : "", v->pod);
}

/* A pod without a record may have a table, which is found by its record alone. */
static void note_missing(struct switching *s, const struct rundir *r)
{
	auto_networks networks = { .at = NULL };
	auto_text names = TEXT_UP_TO(1 << 20);
	struct known_networks known;

	(void)networks_read(&networks, NULL, s->ctl->arena, NULL);
	known = known_networks_find(&networks, r, s->ctl->arena);
	text_put(&names, "", 0);
	if (missing_each(NULL, r, &known, note_one_missing, &names, NULL) && names.len)
		ctl_note(s->ctl, "pods without a record are not reached: %s", names.at);
}

/* The node's table first: its file then applies to pods that start meanwhile. */
static int switch_all(struct switching *s, bool node, bool keep)
{
	struct ctl *ctl = s->ctl;
	auto_rundir r = RUNDIR_NONE;
	struct err e = { 0 };

	if (!rundir_open(&r, keep, &e))
		return ctl_fail(ctl, &e);
	if (r.fd < 0) {
		ctl_note(ctl, "there are no pods that pod-dns has made");
		return CTL_GOOD;
	}
	if ((node && !steer_disable_node(&r, s->on, keep, &e)) || !switch_pods(s, &r, &e))
		return ctl_fail(ctl, &e);
	if (!s->which)
		note_missing(s, &r);
	return s->failed ? CTL_BAD : CTL_GOOD;
}

static int steer(struct ctl *ctl)
{
	bool all = ctl_flag(ctl, "all"), node = ctl_flag(ctl, "node");
	struct switching s = { .ctl = ctl, .which = ctl->n_args > 1 ? ctl->args[1] : NULL };

	s.on = strcmp(ctl->args[0], "on") == 0;
	if (!s.on && strcmp(ctl->args[0], "off") != 0)
		return ctl_usage(ctl, "%s: expected on or off", ctl->args[0]);
	if ((s.which != NULL) + (all || node) != 1)
		return ctl_usage(ctl, "expected a pod, --all or --node");
	return switch_all(&s, all || node, node);
}

static const struct ctl_option options[] = {
	{ .name = "all", .help = "every pod that runs on this node" },
	{ .name = "node", .help = "and those to come, until `steer on --node` or a boot" },
	{ 0 },
};

const struct ctl_verb ctl_verb_steer = {
	.name = "steer",
	.synopsis = "steer on|off ID|NAMESPACE/POD\nsteer on|off --all|--node",
	.summary = "switch steering off on running pods, and on again",
	.help = "Makes the tables that steer pods dormant, or wakes them: their queries go to the\n"
		"cluster's DNS as if there were no rules. Nothing else is changed. If a new\n"
		"ADD replaces the table, steering is on again, unless --node switched it off.\n",
	.options = options,
	.min_args = 1,
	.max_args = 2,
	.root = true,
	.examples = "  pod-dnsctl steer off shop/web-0\n"
		    "  pod-dnsctl steer off --node\n",
	.run = steer,
};
