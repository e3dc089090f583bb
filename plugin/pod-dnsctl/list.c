/* list.c: `pod-dnsctl list`: every attachment of the node. */
#include "pod-dnsctl/out.h"
#include "pod-dnsctl/today.h"
#include "pod-dnsctl/verbs.h"
#include "pod-dnsctl/view.h"

#include <string.h>

static const struct ctl_option options[] = {
	{ .name = "conf-dir",
	  .value = "DIR",
	  .help = "where networks are configured\n(default " TODAY_CONF_DIR ")" },
	{ 0 },
};

/*** one attachment ***/

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *row_json(const struct view *v, bool stale)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:o, s:b, s:I}", "network",
			 v->network, "containerID", v->container_id, "ifname", v->ifname, "pod",
			 v->pod, "policy", text_or_null(v->policy), "state", v->state,
			 "nameservers", view_texts(v, "nameservers"), "steer", v->steer, "late",
			 text_or_null(v->late), "stale", (int)stale, "warnings",
			 (json_int_t)v->warnings);
}

static void put_servers(const struct view *v, struct out *out)
{
	json_auto_t *servers = view_texts(v, "nameservers");
	const char *sep = "";
	json_t *server;
	size_t i;

	json_array_foreach (servers, i, server) {
		out_put(out, OUT_PLAIN, "%s%s", sep, json_string_value(server));
		sep = ",";
	}
}

static void put_notes(const struct view *v, bool stale, struct out *out)
{
	if (stale)
		out_put(out, OUT_YELLOW, "  stale");
	if (v->unrecognised)
		out_put(out, OUT_RED, "  unrecognised");
	if (v->warnings)
		out_put(out, OUT_YELLOW, "  %zu warning%s", v->warnings,
			v->warnings == 1 ? "" : "s");
}

static const char *policy_of(const struct view *v)
{
	if (strcmp(v->policy ? v->policy : "", "ClusterFirstWithAutopath") == 0)
		return "Autopath";
	return v->policy ? v->policy : v->state;
}

/* A name that is too long for its column has a line for itself. */
static void row_show(const struct view *v, bool stale, struct out *out)
{
	enum { POD = 30 };

	out_put(out, OUT_BOLD, "%-*s", POD, v->pod);
	if (strlen(v->pod) > POD) {
		out_end(out);
		out_put(out, OUT_PLAIN, "%*s", POD, "");
	}
	out_put(out, OUT_PLAIN, " %-12s %-5s %-8s ", policy_of(v), v->steer,
		v->late ? v->late : "-");
	put_servers(v, out);
	put_notes(v, stale, out);
	out_end(out);
}

/*** all of them ***/

static void show_head(struct out *out)
{
	out_put(out, OUT_DIM, "%-30s %-12s %-5s %-8s %s", "POD", "POLICY", "STEER", "LATE",
		"SERVERS");
	out_end(out);
}

static int list_all(struct ctl *ctl, const struct rundir *r, const struct today *today)
{
	json_auto_t *all = ctl->json ? json_array() : NULL;
	auto_view_paths paths = { .n = 0 };
	const char *why;

	view_list(&paths, r);
	if (!ctl->json && paths.n)
		show_head(ctl->out);
	for (size_t i = 0; i < paths.n; i++) {
		struct arena a = { 0 };
		auto_view v = { .record = NULL };
		bool stale;

		if (view_read(&v, r, paths.at[i], &why, &a)) {
			stale = today_is_stale(today, v.network, v.config);
			if (all)
				(void)json_array_append_new(all, row_json(&v, stale));
			else
				row_show(&v, stale, ctl->out);
		} else if (why) {
			ctl_note(ctl, "%s %s", paths.at[i], why);
		}
		arena_done(&a);
	}
	if (all)
		out_json(ctl->out, all);
	return paths.failed ? CTL_BAD : CTL_GOOD;
}

static int list(struct ctl *ctl)
{
	const char *folder = ctl_value(ctl, "conf-dir");
	static struct today today;
	auto_rundir r = RUNDIR_NONE;
	struct err e = { 0 };

	if (!rundir_open(&r, false, &e))
		return ctl_fail(ctl, &e);
	today_read(&today, folder ? folder : TODAY_CONF_DIR, ctl->arena);
	return list_all(ctl, &r, &today);
}

const struct ctl_verb ctl_verb_list = {
	.name = "list",
	.synopsis = "list [OPTION...]",
	.summary = "every attachment of the node",
	.help = "Prints every attachment of the node: the pod, its policy, its servers, whether\n"
		"it is steered, what became of a late write, and whether it is stale: made with\n"
		"another configuration than the network's conflist holds now.\n",
	.options = options,
	.json = true,
	.root = true,
	.run = list,
};
