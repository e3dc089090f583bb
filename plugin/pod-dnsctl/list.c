/* SPDX-License-Identifier: Apache-2.0 */
/* list.c: `pod-dnsctl list`: every attachment of the node. */
#include "pod-dnsctl/cli/columns.h"
#include "pod-dnsctl/inventory/networks.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/verbs.h"
#include "pod-dnsctl/inventory/view.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>

enum { QUIET = 200 /* ms */, ENTRY_MAX = 4 << 20 };

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
	columns_put(line, style, POD, pod);
	columns_put(line, style == OUT_BOLD ? OUT_PLAIN : style, POLICY, policy);
	columns_put(line, style == OUT_BOLD ? OUT_PLAIN : style, STEER, steer);
	columns_put(line, style == OUT_BOLD ? OUT_PLAIN : style, LATE, late);
}

static void put_attachment(const struct view *v, bool stale, struct out *out)
{
	struct columns line = { .out = out, .indent = 2 };

	put_row(&line, OUT_BOLD, v->pod, policy_of(v), v->steer, v->late ? v->late : "-");
	put_servers(v, &line);
	put_notes(v, stale, &line);
	columns_end(&line);
}

/*** all of them ***/

static void show_list_head(struct out *out)
{
	struct columns line = { .out = out };

	put_row(&line, OUT_DIM, "POD", "POLICY", "STEER", "LATE");
	columns_put(&line, OUT_DIM, 0, "SERVERS");
	columns_end(&line);
}

static void show_attachment(struct ctl *ctl, const struct view *v, bool stale, json_t *all)
{
	if (all)
		(void)json_array_append_new(all, attachment_json(v, stale));
	else
		put_attachment(v, stale, ctl->out);
}

static bool list_records(struct ctl *ctl, const struct rundir *r, const struct networks *networks,
			 json_t *all)
{
	auto_views views = { .run = NULL };
	const struct view *v;

	views_begin(&views, r);
	if (!all && views.paths.n)
		show_list_head(ctl->out);
	while ((v = views_next(&views)))
		if (v->fault)
			ctl_note(ctl, "%s %s", v->path, v->fault);
		else
			show_attachment(ctl, v, live_network_outdates(networks, &v->record), all);
	return views.whole;
}

/*** --missing: attachments in libcni's cache that have no record ***/

static const char *string_in(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* cniArgs is a list of pairs. */
static const char *arg_of(const json_t *entry, const char *name)
{
	const json_t *pair;
	size_t i;

	json_array_foreach (json_object_get(entry, "cniArgs"), i, pair) {
		const char *key = json_string_value(json_array_get(pair, 0));

		if (key && strcmp(key, name) == 0)
			return json_string_value(json_array_get(pair, 1));
	}
	return NULL;
}

/* From the entry (libcni 1.2 and later), else from the result's first interface in a sandbox. */
static const char *netns_of(const json_t *entry)
{
	const char *netns = string_in(entry, "netns");
	const json_t *interface;
	size_t i;

	if (netns && *netns)
		return netns;
	json_array_foreach (json_object_get(json_object_get(entry, "result"), "interfaces"), i,
			    interface) {
		const char *sandbox = string_in(interface, "sandbox");

		if (sandbox && *sandbox)
			return sandbox;
	}
	return NULL;
}

/*
 * Parses a cache entry. False: it is none, or of a network without pod-dns. Strings lie in *doc,
 * which the caller owns, and in the arena. *netns is NULL if the entry does not name it.
 */
static bool parse_entry(struct view *v, const char **netns, json_t **doc, const struct text *text,
			const struct networks *networks, struct arena *a)
{
	struct attachment *at = &v->record.at;
	const char *name, *namespace;

	*v = (struct view){ .state = "missing", .steer = "off" };
	*doc = json_loadb(text->at, text->len, 0, NULL);
	at->network = string_in(*doc, "networkName");
	at->container_id = string_in(*doc, "containerId");
	at->ifname = string_in(*doc, "ifName");
	if (!at->network || !at->container_id || !at->ifname ||
	    !live_network_named(networks, at->network))
		return false;
	name = arg_of(*doc, "K8S_POD_NAME");
	namespace = arg_of(*doc, "K8S_POD_NAMESPACE");
	v->pod = name && namespace ? arena_print(a, "%s/%s", namespace, name) : at->container_id;
	*netns = netns_of(*doc);
	return true;
}

/* Names with a slash and long names have no record. */
static bool entry_has_record(const struct rundir *r, const struct attachment *at)
{
	char path[RECORD_PATH];

	if (strchr(at->network, '/') || strchr(at->container_id, '/') || strchr(at->ifname, '/') ||
	    !record_path(path, at, NULL))
		return true;
	return r->fd >= 0 && faccessat(r->fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void list_entry(struct ctl *ctl, const struct rundir *r, const struct networks *networks,
		       int folder, const char *name, json_t *all)
{
	auto_text text = TEXT_UP_TO(ENTRY_MAX);
	struct arena a = { 0 };
	json_t *doc = NULL;
	const char *netns;
	struct view v;

	if (file_read(&text, folder, name, false, NULL) && text.at &&
	    parse_entry(&v, &netns, &doc, &text, networks, &a) &&
	    !entry_has_record(r, &v.record.at) && (!netns || access(netns, F_OK) == 0))
		show_attachment(ctl, &v, false, all);
	json_decref(doc);
	arena_done(&a);
}

/* Lists those whose namespace exists: they began before pod-dns was chained, or their record was
 * removed. Files that are no cache entries are skipped. */
static bool list_missing(struct ctl *ctl, const struct rundir *r, const struct networks *networks,
			 json_t *all)
{
	const char *folder = ctl_value(ctl, "cache-dir");
	const struct dirent *entry;
	DIR *dir;

	folder = folder ? folder : LIBCNI_CACHE;
	dir = opendir(folder);
	if (!dir && errno == ENOENT)
		return true; /* libcni has attached nothing yet */
	if (!dir) {
		ctl_note(ctl, "%s: %s", folder, strerror(errno));
		return false;
	}
	while ((entry = readdir(dir)))
		if (*entry->d_name != '.')
			list_entry(ctl, r, networks, dirfd(dir), entry->d_name, all);
	(void)closedir(dir);
	return true;
}

/*** --watch ***/

/* Watches the folders of networks; those that are watched stay so. Makes the run folder if there is
 * none. */
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

/* Whether a record changed. The lock and the stamp of a sweep, whose names begin with a dot, do not
 * count. */
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
	.root = true,
	.run = list,
};
