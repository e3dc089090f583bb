/* SPDX-License-Identifier: Apache-2.0 */
/* apply.c: pod-dnsctl apply: gives running pods what today's configuration makes. */
#include "attachment/update.h"
#include "diff.h"
#include "netns.h"
#include "pod-dnsctl/inventory/compute_for_running.h"
#include "pod-dnsctl/inventory/libcni_cache.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/verbs.h"
#include "pod-dnsctl/inventory/view.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>

enum { DIFF_MAX = 4 << 20, NOTES_MAX = 4 << 20 };

struct applying {
	struct ctl *ctl;
	const char *folder; /* NULL: the runtime's */
	const char *cache;
	const char *which; /* NULL: every pod */
	bool dry;
	uint64_t reported; /* text_hash() of the last run's notes, which are not repeated */
	/* For one run over the pods. */
	const struct networks *networks;
	struct rundir *run;
	json_t *all;
	struct text notes; /* lines */
	size_t changed, failed;
};

/*** one pod ***/

static void tell_json(struct applying *s, const struct view *v, bool changed, const char *diff)
{
	(void)json_array_append_new(s->all, json_pack("{s:s, s:b, s:s}", "pod", v->pod, "changed",
						      (int)changed, "diff", diff));
}

static void tell_change(struct applying *s, const struct view *v, const struct update *p)
{
	auto_text diff = TEXT_UP_TO(DIFF_MAX);

	diff_unified(&diff, v->pod, p->before ? p->before : "", v->pod, p->after);
	s->changed++;
	tell_json(s, v, true, text_ok(&diff) ? diff.at : "");
	if (s->ctl->json)
		return;
	if (s->dry && text_ok(&diff))
		out_text(s->ctl->out, diff.at);
	else
		out_line(s->ctl->out, "%s: changed", v->pod);
}

static void tell_pod(struct applying *s, const struct view *v, const struct update *p,
		     enum update_result result, const struct err *e)
{
	if (result != UPDATE_FAILED && p->steering_differs)
		text_print(&s->notes, "%s: steering is that of its ADD: restart the pod\n", v->pod);
	if (result == UPDATE_CHANGED) {
		tell_change(s, v, p);
		return;
	}
	tell_json(s, v, false, "");
	if (result == UPDATE_SKIPPED)
		text_print(&s->notes, "%s: left: %s\n", v->pod, e->text);
	if (result != UPDATE_FAILED)
		return;
	s->failed++;
	text_print(&s->notes, "%s: %s\n", v->pod, e->text);
}

static enum update_result give_pod(struct applying *s, struct update *p, struct live_network *n,
				   struct warnings *w, struct err *e)
{
	auto_compute_for_running in = { .cached = NULL };
	struct computed computed;

	if (!compute_for_running_read(&in, n, p->record, s->cache, w, e))
		return UPDATE_SKIPPED;
	if (!compute(&computed, &in.input, w, e)) {
		(void)err_in(e, "ADD would fail: ");
		return UPDATE_FAILED;
	}
	p->computed = &computed;
	return update(p, w, e);
}

static void apply_view(struct applying *s, const struct view *v)
{
	struct live_network *n = live_network_named(s->networks, v->record.at.network);
	struct update p = { .run = s->run, .id = v->path, .record = &v->record, .dry = s->dry };
	enum update_result result = n && n->fails ? UPDATE_FAILED : UPDATE_SKIPPED;
	struct arena a = { 0 };
	struct warnings w = { .arena = &a };
	struct err e = { 0 };

	if (!n)
		(void)err_set(&e, ERR_CONFIG, "pod-dns is not chained in network %s",
			      v->record.at.network);
	else if (n->why)
		(void)err_set(&e, ERR_CONFIG, "%s", n->why);
	else
		result = give_pod(s, &p, n, &w, &e);
	tell_pod(s, v, &p, result, &e);
	arena_done(&a);
}

/*** all of them ***/

/* A pod that lost its namespace is left to the sweep. */
static bool is_alive(const struct view *v)
{
	return !v->record.netns.path ||
	       netns_is(v->record.netns.path, v->record.netns.id, v->record.netns.cookie);
}

static bool apply_records(struct applying *s, struct err *e)
{
	auto_views all = { .run = NULL };
	struct view_choice choice;
	const struct view *v;

	if (!view_choose(&choice, s->which, s->run, e))
		return false;
	views_begin(&all, s->run);
	while ((v = views_next(&all)))
		if (v->fault)
			text_print(&s->notes, "%s %s\n", v->path, v->fault);
		else if (view_is_chosen(v, &choice) && is_alive(v))
			apply_view(s, v);
	return err_incomplete(&all, e);
}

/* Prints the notes unless they are those of the last run. */
static void tell_notes(struct applying *s)
{
	uint64_t hash = text_hash(s->notes.at ? s->notes.at : "", s->notes.len);
	char *rest = NULL;

	if (hash != s->reported && s->notes.at)
		for (char *line = strtok_r(s->notes.at, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			ctl_note(s->ctl, "%s", line);
	s->reported = hash;
	text_done(&s->notes);
}

/*** --watch ***/

/* Events come in groups. Other files of /etc may change all the time: so not for ever. */
enum { QUIET_MS = 100, PATIENCE = 3, TICK_MS = 60 * 1000, LINKS_MAX = 16 };

static const uint32_t what = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE |
			     IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/* Watches the folder, or the nearest folder above it that exists. */
static void follow_folder(int inotify, const char *path)
{
	char folder[PATH_MAX];
	char *slash;

	(void)snprintf(folder, sizeof(folder), "%s", path);
	while ((slash = strrchr(folder, '/'))) {
		slash[slash == folder] = '\0';
		if (inotify_add_watch(inotify, folder, what) >= 0 || slash == folder)
			return;
	}
}

/* Replaces `path` by the target of that link; false: it is not a link. */
static bool read_link(char path[static PATH_MAX])
{
	char to[PATH_MAX], next[2 * PATH_MAX];
	ssize_t len = readlink(path, to, sizeof(to) - 1);
	int folder = (int)(strrchr(path, '/') - path) + 1;

	if (len <= 0)
		return false;
	to[len] = '\0';
	(void)snprintf(next, sizeof(next), "%.*s%s", *to == '/' ? 0 : folder, path, to);
	if (strlen(next) >= PATH_MAX)
		return false;
	memcpy(path, next, strlen(next) + 1);
	return true;
}

static void follow_file(int inotify, const char *file)
{
	char path[PATH_MAX], real[PATH_MAX];

	if (*file != '/')
		return;
	(void)snprintf(path, sizeof(path), "%s", file);
	follow_folder(inotify, path);
	for (int i = 0; i < LINKS_MAX && read_link(path); i++)
		follow_folder(inotify, path);
	/* Folders may be links too, as in a mounted ConfigMap. */
	if (realpath(file, real))
		follow_folder(inotify, real);
}

static void follow_network(int inotify, const struct live_network *n)
{
	const struct conf *c = &n->conf.conf;

	if (c->config_file)
		follow_file(inotify, c->config_file);
	if (c->resolv_conf) {
		follow_file(inotify, c->resolv_conf);
		return;
	}
	follow_file(inotify, "/etc/resolv.conf");
	follow_file(inotify, NODE_RESOLV_RESOLVED);
}

/*
 * Lets inotify watch the folders of the conflists, of each configFile and of each node's file and,
 * where these are links, the folders on their way: so a file that replaces another is noticed.
 * Called before the files are read and after each change, since folders come and go. ERR_IO: the
 * folder of conflists does not exist.
 */
static bool follow_networks(int inotify, const struct networks *all, struct err *e)
{
	if (inotify_add_watch(inotify, all->folder, what) < 0)
		return err_errno(e, ERR_IO, "%s", all->folder);
	for (size_t i = 0; i < all->n; i++)
		follow_network(inotify, &all->at[i]);
	return true;
}

static void drain_events(int fd)
{
	char events[4096];

	while (read(fd, events, sizeof(events)) > 0)
		;
}

/* Waits until something has changed and then nothing more, or for a minute: some folders cannot be
 * watched. */
static bool wait_for_news(int inotify, struct err *e)
{
	struct pollfd on = { .fd = inotify, .events = POLLIN };
	int n = poll(&on, 1, TICK_MS);

	for (int i = 0; n > 0 && i < PATIENCE; i++) {
		drain_events(inotify);
		n = poll(&on, 1, QUIET_MS);
	}
	return n >= 0 || errno == EINTR || err_errno(e, ERR_IO, "poll");
}

/* A file that changed before it was watched is seen by reading it again. */
static bool read_networks(const struct applying *s, struct networks *networks, int inotify,
			  struct arena *a, struct err *e)
{
	if (!networks_read(networks, s->folder, a, e))
		return false;
	if (inotify < 0)
		return true;
	if (!follow_networks(inotify, networks, e))
		return false;
	networks_done(networks);
	return networks_read(networks, s->folder, a, e);
}

/* Adds what is to be watched to `inotify`; -1: nothing is watched. */
static bool apply_once(struct applying *s, int inotify, struct err *e)
{
	json_auto_t *all = json_array();
	auto_rundir run = RUNDIR_NONE;
	auto_networks networks = { .at = NULL };
	struct arena a = { 0 };
	bool done;

	s->changed = s->failed = 0;
	s->all = all;
	s->notes = TEXT_UP_TO(NOTES_MAX);
	s->run = &run;
	s->networks = &networks;
	done = rundir_open(&run, false, e) && read_networks(s, &networks, inotify, &a, e) &&
	       apply_records(s, e);
	tell_notes(s);
	if (done && s->ctl->json && (inotify < 0 || s->changed))
		out_json(s->ctl->out, all);
	arena_done(&a);
	return done;
}

/*** the verb ***/

/* The configurations say which files are to be followed. */
static int watch_all(struct applying *s)
{
	auto_fd inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	struct err e = { 0 };

	if (inotify < 0 && !err_errno(&e, ERR_IO, "inotify"))
		return ctl_fail(s->ctl, &e);
	while (out_ok(s->ctl->out))
		if (!apply_once(s, inotify, &e) || !wait_for_news(inotify, &e))
			return ctl_fail(s->ctl, &e);
	return CTL_BAD;
}

static int apply_pods(struct ctl *ctl)
{
	const char *cache = ctl_value(ctl, "cache-dir");
	struct applying s = { .ctl = ctl,
			      .folder = ctl_value(ctl, "conf-dir"),
			      .dry = ctl_flag(ctl, "dry-run") };
	struct err e = { 0 };

	s.which = ctl->n_args ? ctl->args[0] : NULL;
	if ((s.which != NULL) == ctl_flag(ctl, "all"))
		return ctl_usage(ctl, "expected a pod or --all");
	if (s.dry && ctl_flag(ctl, "watch"))
		return ctl_usage(ctl, "--dry-run and --watch exclude each other");
	s.cache = cache ? cache : LIBCNI_CACHE;
	if (ctl_flag(ctl, "watch"))
		return watch_all(&s);
	if (!apply_once(&s, -1, &e))
		return ctl_fail(ctl, &e);
	return s.failed ? CTL_BAD : CTL_GOOD;
}

static const struct ctl_option options[] = {
	{ .name = "all", .help = "every pod that runs on this node" },
	{ .name = "dry-run", .help = "change nothing, show the differences" },
	{ .name = "watch",
	  .help = "again whenever the conflist, the configFile or\n"
		  "the node's resolv.conf changes" },
	NETWORKS_OPTION,
	LIBCNI_CACHE_OPTION,
	{ 0 },
};

const struct ctl_verb ctl_verb_apply = {
	.name = "apply",
	.synopsis = "apply [OPTION...] ID|NAMESPACE/POD\napply [OPTION...] --all",
	.summary = "today's configuration for pods that run",
	.help = "Gives running pods what today's conflist and today's node file say, in place,\n"
		"as an ADD would. A file that its workload has changed is left, and told. The\n"
		"rules that steer a pod stay as ADD made them.\n",
	.options = options,
	.max_args = 1,
	.json = true,
	.root = true,
	.examples = "  pod-dnsctl apply --all --dry-run\n"
		    "  pod-dnsctl apply shop/web-0\n",
	.run = apply_pods,
};
