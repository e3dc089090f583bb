/* SPDX-License-Identifier: Apache-2.0 */
/* uninstall.c: pod-dnsctl uninstall: takes pod-dns out of the networks of a node. */
#include "pod-dnsctl/install/bundle.h"
#include "pod-dnsctl/install/chain.h"
#include "pod-dnsctl/install/chain_file.h"
#include "pod-dnsctl/install/file_durable.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/verbs.h"
#include "attachment/release.h"
#include "attachment/sweep.h"
#include "file.h"
#include "nft/nl.h"
#include "state/record.h"
#include "steer/rules/table.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct uninstall {
	struct ctl *ctl;
	struct netdir dirs;
	bool dry;
	json_t *shown; /* of -o json; owned */
};

/*** the chains ***/

static bool show(struct uninstall *u, const struct chain_file *c, bool changed, const char *diff)
{
	if (u->ctl->json)
		return json_array_append_new(u->shown,
					     json_pack("{s:s, s:b, s:s}", "file", c->path,
						       "changed", changed, "diff", diff)) == 0;
	out_text(u->ctl->out, diff);
	return true;
}

static bool unchain(struct uninstall *u, const char *path, struct err *e)
{
	auto_text diff = TEXT_UP_TO(1 << 24);
	auto_chain_file c = CHAIN_FILE_NONE;
	bool changed;

	text_put(&diff, "", 0);
	if (!chain_file_open(&c, path, e) ||
	    !chain_file_undo(&c, &changed, u->dry ? &diff : NULL, e))
		return false;
	if (u->dry)
		return (text_ok(&diff) && show(u, &c, changed, diff.at)) ||
		       err_set(e, ERR_IO, "%s: out of memory", path);
	if (changed)
		out_line(u->ctl->out, "%s: pod-dns is taken out", path);
	return true;
}

/* Removes a saved original whose list is gone, by a killed run or by its owner. */
static bool remove_orphan(struct uninstall *u, const char *saved, struct err *e)
{
	const char *name = arena_print(u->ctl->arena, "%.*s",
				       (int)(strlen(saved) - strlen(DURABLE_SAVED)), saved);
	const char *dot = strrchr(name, '.');
	const char *list =
		arena_print(u->ctl->arena, "%.*s.conflist", dot ? (int)(dot - name) : 0, name);

	return u->dry || access(list, F_OK) == 0 || file_durable_remove(saved, e);
}

/* A link, which install refuses, has us only by somebody else's hand. */
static bool is_others_link(const char *path)
{
	auto_text text = TEXT_UP_TO(1 << 24);
	json_auto_t *ours = NULL;
	struct stat st;

	if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return false;
	if (file_read(&text, AT_FDCWD, path, true, NULL))
		ours = chain_object(text.at);
	return !ours;
}

/* Visits every list: an installer may have added one before ours since. */
static bool unchain_entry(struct uninstall *u, const char *name, struct err *e)
{
	const char *path = arena_print(u->ctl->arena, "%s/%s", u->dirs.conf, name);

	if (*name != '.' && text_ends_with(name, ".conflist"))
		return is_others_link(path) || unchain(u, path, e);
	return !text_ends_with(name, DURABLE_SAVED) || strcmp(name, DURABLE_SAVED) == 0 ||
	       remove_orphan(u, path, e);
}

static bool unchain_folder(struct uninstall *u, struct err *e)
{
	struct dirent **names;
	int n = scandir(u->dirs.conf, &names, NULL, alphasort);

	if (n < 0 && errno == ENOENT)
		return true;
	if (n < 0)
		return err_errno(e, ERR_IO, "%s", u->dirs.conf);
	for (int i = 0; i < n; i++) {
		if (!e->code)
			(void)unchain_entry(u, names[i]->d_name, e);
		free(names[i]);
	}
	free(names);
	return !e->code;
}

/*** what attachments have left ***/

static bool list_all(struct rundir_list *out, const struct rundir *r, struct ctl *ctl,
		     struct err *e)
{
	return record_list(out, r, NULL, ctl->arena) ||
	       err_set(e, ERR_IO, RUNDIR ": it cannot be read whole");
}

static void release_all(struct rundir *r, struct ctl *ctl, struct warnings *w)
{
	struct rundir_list records;

	(void)list_all(&records, r, ctl, NULL); /* what is left is counted */
	for (size_t i = 0; i < records.n; i++)
		(void)release(r, records.at[i], "", w);
}

/*
 * Releases the attachments whose namespace is gone, since without the plugin in the chain no
 * runtime calls their DEL. With `all`: every attachment; running pods keep their resolv.conf.
 * *left: the number of records that remain. What cannot be removed is a note.
 */
static bool purge_records(struct ctl *ctl, bool all, size_t *left, struct err *e)
{
	struct warnings w = { .arena = ctl->arena };
	auto_rundir run = RUNDIR_NONE;
	struct rundir_list records;
	bool whole;

	*left = 0;
	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	if (all)
		release_all(&run, ctl, &w);
	else if (!sweep(&run, &w, e))
		return false;
	whole = list_all(&records, &run, ctl, e);
	*left = records.n;
	ctl_tell(ctl, &w);
	return whole;
}

/* Whether the folder of the namespace exists here. A path below /proc ends with its process. */
static bool was_seen(const char *netns, struct err *e)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(netns, '/');

	if (!slash || slash == netns || strncmp(netns, "/proc/", strlen("/proc/")) == 0)
		return true;
	(void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - netns), netns);
	return access(folder, F_OK) == 0 ||
	       err_set(e, ERR_IO,
		       "%s: the network namespaces of pods cannot be seen from here, nor whether "
		       "they live",
		       folder);
}

/*
 * Whether the namespaces of the records can be seen from here. False: the folder of one is missing,
 * as in a container that does not mount it; *e names it.
 */
static bool purge_sees_pods(struct ctl *ctl, struct err *e)
{
	auto_rundir run = RUNDIR_NONE;
	struct rundir_list records;

	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	(void)list_all(&records, &run, ctl, e);
	for (size_t i = 0; !e->code && i < records.n; i++) {
		auto_record record = RECORD_BLANK;

		if (record_read(&record, &run, records.at[i]) == RECORD_KNOWN && record.netns.path)
			(void)was_seen(record.netns.path, e);
	}
	return !e->code;
}

static bool remove_tables(struct err *e)
{
	auto_nl nl = { 0 };

	if (!nl_open_in(&nl, -1, e))
		return false;
	for (int v6 = 0; v6 < 2; v6++) {
		bool ours;

		if (table_is_there(&nl, v6, &ours, e) && ours)
			(void)table_remove(&nl, v6, e);
		if (e->code)
			return false;
	}
	return true;
}

/* Removes the run folder. Folders in it that are not empty hold things of others. */
static bool remove_rundir(struct ctl *ctl, struct err *e)
{
	static const char *const files[] = { ".lock", ".swept", ".steer-off" };
	static const char *const folders[] = { ".netns", ".sandbox", ".steer", ".node" };
	struct warnings w = { .arena = ctl->arena };
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	release_leftovers(&run, &w);
	if (!rundir_lock(&held, &run, e))
		return false;
	rundir_remove_temps(&held);
	rundir_remove_told(&run);
	for (size_t i = 0; i < LEN(folders); i++)
		(void)unlinkat(run.fd, folders[i], AT_REMOVEDIR);
	for (size_t i = 0; i < LEN(files); i++)
		(void)unlinkat(run.fd, files[i], 0);
	if (rmdir(RUNDIR) < 0 && errno != ENOENT)
		ctl_note(ctl, RUNDIR ": %s", strerror(errno));
	ctl_tell(ctl, &w);
	return true;
}

/* Removes the node's tables and the run folder, after the last record. */
static bool purge_node(struct ctl *ctl, struct err *e)
{
	return remove_tables(e) && remove_rundir(ctl, e);
}

/*** the plugin ***/

/* Removes what install copied, which it does if a plugin lies beside this program. A package
 * removes its file itself. */
static bool remove_copies(struct uninstall *u, struct err *e)
{
	char own[PATH_MAX];

	if (!chain_file_own_program(own, "pod-dns", e))
		return false;
	for (size_t i = 0; access(own, F_OK) == 0 && i < NETDIR_BINS && u->dirs.bins[i]; i++) {
		const char *path = arena_print(u->ctl->arena, "%s/pod-dns", u->dirs.bins[i]);

		if (strcmp(path, own) == 0 ||
		    faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (!bundle_remove(path, e) || !file_durable_remove(path, e))
			return false;
		out_line(u->ctl->out, "%s: removed", path);
	}
	return true;
}

/*
 * The plugin stays while pods that it served live: CRI-O calls DEL by the chain that ADD had.
 * (containerd uses the chain of today, so that this program releases pods that have ended.)
 */
static bool remove_plugin(struct uninstall *u, struct err *e)
{
	size_t left;

	if (!ctl_flag(u->ctl, "purge") && !purge_sees_pods(u->ctl, e))
		return err_in(e, "the plugin stays: ");
	if (!purge_records(u->ctl, ctl_flag(u->ctl, "purge"), &left, e))
		return false;
	if (left) {
		ctl_note(u->ctl,
			 "the plugin stays, for the end of what was made with it: %zu pod%s; "
			 "uninstall again then, or with --purge",
			 left, left == 1 ? "" : "s");
		return true;
	}
	if (!purge_node(u->ctl, e))
		return false;
	return remove_copies(u, e);
}

/*** the verb ***/

static bool perform(struct uninstall *u, struct err *e)
{
	struct ctl *ctl = u->ctl;
	auto_fd turn = -1;

	/* Held to the end: whoever chains meanwhile would call a plugin that is about to go. */
	if (!u->dry && (!netdir_lock(&turn, u->dirs.conf, e) ||
			!cni_dirs_announce(u->dirs.conf, NETDIR_UNINSTALL, e)))
		return false;
	if (!(ctl->n_args ? unchain(u, ctl->args[0], e) : unchain_folder(u, e)))
		return false;
	if (u->dry)
		return true;
	if (!chain_file_wait(ctl, &u->dirs, false))
		return err_set(e, ERR_AGAIN, "the plugin stays until the runtime has let go of it");
	return remove_plugin(u, e);
}

static int uninstall(struct ctl *ctl)
{
	struct uninstall u = { .ctl = ctl, .dry = ctl_flag(ctl, "dry-run") };
	struct err e = { 0 };
	bool done;

	u.shown = json_array();
	chain_file_dirs(ctl, &u.dirs, ctl->n_args ? ctl->args[0] : NULL);
	done = perform(&u, &e);
	if (done && u.dry && ctl->json)
		out_json(ctl->out, u.shown);
	json_decref(u.shown);
	return done ? CTL_GOOD : ctl_fail(ctl, &e);
}

static const struct ctl_option options[] = {
	{ .name = "conf-dir", .value = "DIR", .help = "the runtime's folder of networks" },
	{ .name = "bin-dir", .value = "DIR", .help = "the runtime's folder of plugins" },
	{ .name = "cri-socket", .value = "PATH", .help = "the runtime's CRI socket" },
	{ .name = "dry-run", .help = "print the difference and change nothing" },
	{ .name = "purge", .help = "remove all records, files, links and tables too" },
	{ 0 },
};

const struct ctl_verb ctl_verb_uninstall = {
	.name = "uninstall",
	.synopsis = "uninstall [--dry-run] [--purge] [CONFLIST]",
	.summary = "take pod-dns out of the node's networks again",
	.help = "Gives back each file as install found it, or, where its owner has rewritten it\n"
		"since, that text without pod-dns. Waits until the runtime has loaded it, then\n"
		"removes the plugin, unless pods are left that were made with it: runtimes call\n"
		"DEL with the chain that ADD had.\n",
	.options = options,
	.max_args = 1,
	.json = true,
	.run = uninstall,
};
