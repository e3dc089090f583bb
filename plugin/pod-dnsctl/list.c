/* SPDX-License-Identifier: Apache-2.0 */
/* list.c: `pod-dnsctl list`: every attachment of the node. */
#include "pod-dnsctl/cli/columns.h"
#include "pod-dnsctl/inventory/missing.h"
#include "pod-dnsctl/inventory/networks.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/verbs.h"
#include "pod-dnsctl/inventory/view.h"
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>

enum { QUIET = 200 /* ms */ };

static const struct ctl_option options[] = {
	{ .name = "missing",
	  .help = "instead: pods of these networks that have\nno record (from libcni's cache)" },
	{ .name = "watch", .help = "print again whenever it changes" },
	NETWORKS_OPTION,
	LIBCNI_CACHE_OPTION,
	{ 0 },
};

/*** one attachment ***/

static json_t *attachment_json(const struct view *v, bool stale)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s, s:o, s:s, s:s?, s:b, s:I}", "network",
			 v->record.at.network, "containerID", v->record.at.container_id, "ifname",
			 v->record.at.ifname, "pod", v->pod, "policy", v->policy, "state", v->state,
			 "nameservers", view_texts(&v->record.dns.nameservers), "steer", v->steer,
			 "late", v->late, "stale", (int)stale, "warnings",
			 (json_int_t)v->record.warnings.n);
}

static void put_servers(const struct view *v, struct columns *line)
{
	const struct resolv_list *servers = &v->record.dns.nameservers;

	for (size_t i = 0; i < servers->n; i++)
		columns_put(line, OUT_PLAIN, 0, servers->at[i].text);
}

static void put_notes(const struct view *v, bool stale, struct columns *line)
{
	size_t n = v->record.warnings.n;
	char warnings[48];

	if (v->record.mode == MODE_OBSERVE)
		columns_put(line, OUT_DIM, 0, "observed");
	if (stale)
		columns_put(line, OUT_YELLOW, 0, "stale");
	if (v->record.decision.unrecognised)
		columns_put(line, OUT_RED, 0, "unrecognised");
	if (!n)
		return;
	(void)snprintf(warnings, sizeof(warnings), "%zu warning%s", n, n == 1 ? "" : "s");
	columns_put(line, OUT_YELLOW, 0, warnings);
}

static const char *policy_of(const struct view *v)
{
	if (strcmp(v->policy ? v->policy : "", "ClusterFirstWithAutopath") == 0)
		return "Autopath";
	return v->policy ? v->policy : v->state;
}

enum { POD = 29, POLICY = 13, STEER = 6, LATE = 8 };

static void put_row(struct columns *line, enum out_style style, const char *pod, const char *policy,
		    const char *steer, const char *late)
{
	columns_name(line, style, POD, pod);
	columns_put(line, style == OUT_BOLD ? OUT_PLAIN : style, POLICY, policy);
	columns_put(line, style == OUT_BOLD ? OUT_PLAIN : style, STEER, steer);
	columns_put(line, style == OUT_BOLD ? OUT_PLAIN : style, LATE, late);
}

static void put_attachment(const struct view *v, bool stale, struct out *out, bool wide)
{
	struct columns line = { .out = out, .whole = true, .cut = out->tty && !wide };

	put_row(&line, OUT_BOLD, v->pod, policy_of(v), v->steer, v->late ? v->late : "-");
	put_servers(v, &line);
	put_notes(v, stale, &line);
	columns_end(&line);
}

/*** all of them ***/

static void show_list_head(struct ctl *ctl)
{
	struct columns line = { .out = ctl->out };

	if (ctl->no_headers)
		return;
	put_row(&line, OUT_DIM, "POD", "POLICY", "STEER", "LATE");
	columns_put(&line, OUT_DIM, 0, "SERVERS");
	columns_end(&line);
}

static void show_attachment(struct ctl *ctl, const struct view *v, bool stale, json_t *all)
{
	if (!ctl_shows(ctl, v->pod))
		return;
	if (all)
		(void)json_array_append_new(all, attachment_json(v, stale));
	else
		put_attachment(v, stale, ctl->out, ctl->wide);
}

static bool list_records(struct ctl *ctl, const struct rundir *r, const struct networks *networks,
			 json_t *all)
{
	auto_views views = { .run = NULL };
	const struct view *v;

	views_begin_sorted(&views, r);
	if (!all && views.paths.n)
		show_list_head(ctl);
	else if (!all)
		ctl_note(ctl, "no pod has a record on this node");
	while ((v = views_next(&views)))
		if (v->fault)
			ctl_note(ctl, "%s %s", v->path, v->fault);
		else
			show_attachment(ctl, v, live_network_outdates(networks, &v->record), all);
	return views.whole;
}

/*** --missing ***/

struct missing_rows {
	struct ctl *ctl;
	json_t *all;
	size_t n;
};

static void list_one_missing(const struct view *v, void *context)
{
	struct missing_rows *rows = context;

	if (!rows->all && !rows->n++)
		show_list_head(rows->ctl);
	show_attachment(rows->ctl, v, false, rows->all);
}

static bool list_missing(struct ctl *ctl, const struct rundir *r, const struct networks *networks,
			 json_t *all)
{
	struct missing_rows rows = { .ctl = ctl, .all = all };
	const struct known_networks known = known_networks_find(networks, r, ctl->arena);
	struct err e = { 0 };

	if (missing_each(ctl_value(ctl, "cache-dir"), r, &known, list_one_missing, &rows, &e)) {
		if (!all && !rows.n)
			ctl_note(ctl, "each pod of these networks has a record");
		return true;
	}
	ctl_note(ctl, "%s", e.text);
	return false;
}

/*** --watch ***/

/* Watches the folders of networks; those that are watched stay so. Makes the run folder if it is
 * missing. */
static bool watch_folders(int inotify, struct err *e)
{
	static const uint32_t what =
		IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ONLYDIR;
	auto_rundir r = RUNDIR_NONE;
	struct rundir_list names;
	struct arena a = { 0 };

	if (!rundir_open(&r, true, e))
		return false;
	if (inotify_add_watch(inotify, RUNDIR, what) < 0)
		return err_errno(e, ERR_IO, RUNDIR);
	(void)rundir_list(&names, &r, ".", &a);
	for (size_t i = 0; i < names.n; i++)
		if (*names.at[i] != '.')
			(void)inotify_add_watch(inotify, arena_print(&a, RUNDIR "/%s", names.at[i]),
						what);
	arena_done(&a);
	return true;
}

/* Whether a record changed. The lock and the stamp of a sweep do not count: their names begin with
 * a dot. */
static bool read_changes(int inotify)
{
	_Alignas(struct inotify_event) char buffer[4096];
	bool news = false;
	ssize_t len;

	while ((len = read(inotify, buffer, sizeof(buffer))) > 0)
		for (const char *at = buffer; at < buffer + len;) {
			const struct inotify_event *event = (const void *)at;

			news |= !event->len || *event->name != '.';
			at += sizeof(*event) + event->len;
		}
	return news;
}

/* Waits until a record has changed, and then nothing for QUIET. */
static bool wait_for_change(int inotify, struct err *e)
{
	struct pollfd on = { .fd = inotify, .events = POLLIN };
	bool news = false;
	int n;

	do {
		n = poll(&on, 1, news ? QUIET : -1);
		if (n < 0 && errno != EINTR)
			return err_errno(e, ERR_IO, "poll");
		if (n > 0)
			news |= read_changes(inotify);
	} while (!news || n > 0);
	return watch_folders(inotify, e); /* there may be a new network */
}

/*** the verb ***/

static bool list_once(struct ctl *ctl, struct err *e)
{
	json_auto_t *all = ctl->json ? json_array() : NULL;
	auto_networks networks = { .at = NULL };
	auto_rundir r = RUNDIR_NONE;
	struct arena a = { 0 };
	bool good;

	if (!rundir_open(&r, false, e))
		return false;
	(void)networks_read(&networks, ctl_value(ctl, "conf-dir"), &a, NULL);
	good = ctl_flag(ctl, "missing") ? list_missing(ctl, &r, &networks, all)
					: list_records(ctl, &r, &networks, all);
	if (all)
		out_json(ctl->out, all);
	arena_done(&a);
	return good;
}

/* Runs until the reader or the run folder is gone. */
static int watch_records(struct ctl *ctl)
{
	auto_fd inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	struct err e = { 0 };

	if (inotify < 0 ? !err_errno(&e, ERR_IO, "inotify") : !watch_folders(inotify, &e))
		return ctl_fail(ctl, &e);
	while (list_once(ctl, &e) && out_ok(ctl->out)) {
		if (!wait_for_change(inotify, &e))
			return ctl_fail(ctl, &e);
		if (!ctl->json)
			out_end(ctl->out);
	}
	return e.code ? ctl_fail(ctl, &e) : CTL_BAD;
}

static int list(struct ctl *ctl)
{
	struct err e = { 0 };

	if (ctl_flag(ctl, "watch"))
		return watch_records(ctl);
	if (list_once(ctl, &e))
		return CTL_GOOD;
	return e.code ? ctl_fail(ctl, &e) : CTL_BAD;
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
	.table = true,
	.examples = "  pod-dnsctl list -n shop\n"
		    "  pod-dnsctl list --missing\n",
	.root = true,
	.run = list,
};
