/* SPDX-License-Identifier: Apache-2.0 */
/* adopt.c: `pod-dnsctl adopt`: pods that run already get what an ADD would give them now. */
#include "attachment/adopt.h"
#include "diff.h"
#include "enum_names.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/install/runtime.h"
#include "pod-dnsctl/inventory/missing.h"
#include "pod-dnsctl/verbs.h"

#include <string.h>

enum { DIFF_MAX = 4 << 20 };

struct adopting {
	struct ctl *ctl;
	const char *cache; /* libcni's */
	const char *which; /* NULL: every pod */
	bool dry;
	int runtime; /* its PID; 0: unknown */
	const struct networks *networks;
	json_t *all;
	size_t found, failed;
};

/*** what was done ***/

static const char *adopted_steer(const struct adoption *p)
{
	return p->steering.mode == STEER_OFF ? "off" : steer_names[p->steering.mode];
}

static void print_adopted(struct adopting *s, const struct view *v, const struct adoption *p)
{
	auto_text diff = TEXT_UP_TO(DIFF_MAX);
	struct out *out = s->ctl->out;

	if (p->before)
		diff_unified(&diff, v->pod, p->before, v->pod, p->after);
	(void)json_array_append_new(s->all, json_pack("{s:s, s:b, s:s, s:s}", "pod", v->pod,
						      "changed", (int)(p->before != NULL), "diff",
						      text_ok(&diff) && diff.at ? diff.at : "",
						      "steer", adopted_steer(p)));
	if (s->ctl->json)
		return;
	if (s->dry && diff.at && text_ok(&diff))
		out_text(out, diff.at);
	out_line(out, "%s: %s, %s, steer %s", v->pod, s->dry ? "would be adopted" : "adopted",
		 p->before ? "its file is written" : "its file stays", adopted_steer(p));
}

static void print_left(struct adopting *s, const struct view *v, const char *why)
{
	ctl_note(s->ctl, "%s: left: %s", v->pod, why);
	(void)json_array_append_new(s->all, json_pack("{s:s, s:b, s:s, s:s}", "pod", v->pod,
						      "changed", 0, "diff", "", "steer", "off"));
}

/*** one pod ***/

/* Fills in the call of the pod's ADD. False: libcni's cache does not tell enough. */
static bool make_call(struct call *call, const struct adopting *s, const json_t *entry,
		      const struct live_network *n, struct arena *a, struct err *e)
{
	const char *args = libcni_cache_args(entry, a), *netns = libcni_cache_netns(entry);

	*call = (struct call){
		.command = "ADD",
		.args = args ? args : "",
		.netns = netns ? netns : "",
		.runtime = s->runtime,
		.name = n->list.name,
		.network = libcni_cache_network(entry, n->list.network),
		.prev_result = json_object_get(entry, "result"),
	};
	call->version = json_string_value(json_object_get(call->network, "cniVersion"));
	return (args && netns && call->version) ||
	       err_set(e, ERR_IO, "libcni's cache does not have its arguments and namespace");
}

static bool adopt_entry(struct adopting *s, struct adoption *p, const struct view *v,
			const struct live_network *n, struct warnings *w, struct err *e)
{
	json_auto_t *entry = libcni_cache_read(s->cache, &v->record.at, w->arena);
	struct call call;
	bool done;

	done = make_call(&call, s, entry, n, w->arena, e);
	call.container_id = v->record.at.container_id;
	call.ifname = v->record.at.ifname;
	p->call = &call;
	done = done && adopt_pod(p, w, e);
	json_decref(call.network);
	p->call = NULL;
	return done;
}

/* The other warnings are in the record, as after an ADD. */
static void print_warnings(struct adopting *s, const struct view *v, const struct warnings *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->at[i].kind, "target") == 0 || strcmp(w->at[i].kind, "steer") == 0)
			ctl_note(s->ctl, "%s: %s", v->pod, w->at[i].text);
}

static void adopt_view(struct adopting *s, const struct view *v, const struct live_network *n)
{
	struct adoption p = { .dry = s->dry };
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct err e = { 0 };

	if (adopt_entry(s, &p, v, n, &w, &e)) {
		print_warnings(s, v, &w);
		print_adopted(s, v, &p);
		return;
	}
	s->failed += e.code != ERR_UNSUPPORTED;
	print_left(s, v, e.text);
}

static void adopt_missing(const struct view *v, void *context)
{
	struct adopting *s = context;
	const struct live_network *n = live_network_named(s->networks, v->record.at.network);

	if (s->which && !view_is(v, s->which))
		return;
	s->found++;
	if (strcmp(v->state, "gone") == 0)
		print_left(s, v, "its network namespace is gone");
	else if (!n)
		print_left(s, v,
			   arena_print(s->ctl->arena, "pod-dns is not chained in network %s",
				       v->record.at.network));
	else if (n->why)
		print_left(s, v, n->why);
	else
		adopt_view(s, v, n);
}

/*** all of them ***/

/* A named pod that has a record already is not an error: a second run changes nothing. */
static bool is_known_pod(struct adopting *s, const struct rundir *r, struct err *e)
{
	struct view_choice choice;

	return !s->which || s->found || view_choose(&choice, s->which, r, e);
}

static bool adopt_pods(struct adopting *s, struct err *e)
{
	auto_networks networks = { .at = NULL };
	auto_rundir run = RUNDIR_NONE;
	struct known_networks known;

	if (!rundir_open(&run, false, e) ||
	    !networks_read(&networks, ctl_value(s->ctl, "conf-dir"), s->ctl->arena, e))
		return false;
	s->networks = &networks;
	known = known_networks_find(&networks, &run, s->ctl->arena);
	known.with_gone = true;
	return missing_each(s->cache, &run, &known, adopt_missing, s, e) &&
	       is_known_pod(s, &run, e);
}

static struct adopting begin_adopting(struct ctl *ctl)
{
	const char *cache = ctl_value(ctl, "cache-dir");
	struct netdir dirs;

	runtime_dirs(ctl, &dirs, NULL);
	return (struct adopting){ .ctl = ctl,
				  .cache = cache ? cache : LIBCNI_CACHE,
				  .runtime = runtime_pid(&dirs) };
}

void adopt_after_install(struct ctl *ctl)
{
	struct adopting s = begin_adopting(ctl);
	json_auto_t *all = json_array();
	struct err e = { 0 };

	s.all = all;
	if (!adopt_pods(&s, &e))
		ctl_note(ctl, "adopt: %s", e.text);
}

/*** the verb ***/

static int adopt_running(struct ctl *ctl)
{
	struct adopting s = begin_adopting(ctl);
	json_auto_t *all = json_array();
	struct err e = { 0 };

	s.all = all;
	s.dry = ctl_flag(ctl, "dry-run");
	s.which = ctl->n_args ? ctl->args[0] : NULL;
	if ((s.which != NULL) == ctl_flag(ctl, "all"))
		return ctl_usage(ctl, "expected a pod or --all");
	if (!adopt_pods(&s, &e))
		return ctl_fail(ctl, &e);
	if (ctl->json)
		out_json(ctl->out, all);
	else if (!s.found)
		ctl_note(ctl, "each pod has a record already");
	return s.failed ? CTL_BAD : CTL_GOOD;
}

static const struct ctl_option options[] = {
	{ .name = "all", .help = "every pod without a record: list --missing" },
	{ .name = "dry-run", .help = "change nothing, show the differences" },
	NETWORKS_OPTION,
	LIBCNI_CACHE_OPTION,
	{ .name = "cri-socket", .value = "PATH", .help = "the runtime's CRI socket" },
	{ 0 },
};

const struct ctl_verb ctl_verb_adopt = {
	.name = "adopt",
	.synopsis = "adopt [OPTION...] ID|NAMESPACE/POD\nadopt [OPTION...] --all",
	.summary = "pods that ran before pod-dns was chained",
	.help = "Gives pods without a record what an ADD would give them now: a record, the\n"
		"file, and steering. What the runtime told its plugins is in libcni's cache. A\n"
		"file that its workload has changed is not written. A second run changes\n"
		"nothing.\n",
	.examples = "  pod-dnsctl adopt --all --dry-run\n"
		    "  pod-dnsctl adopt shop/web-0\n",
	.options = options,
	.max_args = 1,
	.json = true,
	.root = true,
	.run = adopt_running,
};
