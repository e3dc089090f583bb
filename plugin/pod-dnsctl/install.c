/* SPDX-License-Identifier: Apache-2.0 */
/* install.c: pod-dnsctl install: chains pod-dns into the network that the runtime uses. */
#include "pod-dnsctl/install/bundle.h"
#include "pod-dnsctl/install/chain.h"
#include "pod-dnsctl/install/chain_file.h"
#include "pod-dnsctl/install/file_durable.h"
#include "pod-dnsctl/install/netdir.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/verbs.h"
#include "config/conf.h"
#include "config/request.h"
#include "diff.h"
#include "json.h"
#include "warn.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { AGAIN_MAX = 10, AGAIN_SECONDS = 60 };

struct install {
	struct ctl *ctl;
	struct netdir dirs;
	const char *conflist; /* NULL: the folder's first, looked up each time */
	json_t *set;	      /* the keys of --set; owned */
};

/*** our object ***/

/* What makes the object ours, and what CNI itself writes into it. */
static const char *const cnis_own[] = { "type", "name", "cniVersion", "prevResult" };

static bool read_set(struct install *i, struct err *e)
{
	const char *given;

	i->set = json_object();
	for (size_t n = 0; (given = ctl_value_at(i->ctl, "set", n)); n++) {
		const char *equals = strchr(given, '=');
		json_t *value = equals ? json_loads(equals + 1, JSON_DECODE_ANY, NULL) : NULL;

		if (!value || equals == given)
			return err_set(e, ERR_CONFIG, "--set %s: expected KEY=JSON", given);
		if (json_object_setn_new(i->set, given, (size_t)(equals - given), value) != 0)
			return err_set(e, ERR_IO, "out of memory");
	}
	for (size_t k = 0; k < LEN(cnis_own); k++)
		if (json_object_get(i->set, cnis_own[k]))
			return err_set(e, ERR_CONFIG, "--set %s: it is CNI's own key", cnis_own[k]);
	return true;
}

/* Applies --set. A null removes the key. */
static bool set_keys(json_t *object, json_t *set)
{
	const char *key;
	json_t *value;

	json_object_foreach (set, key, value)
		if (json_is_null(value))
			(void)json_object_del(object, key);
		else if (json_object_set(object, key, value) != 0)
			return false;
	return true;
}

/* A rule or a configFile may give servers: then it is STATUS's to say. */
static bool check_has_server(const struct conf *c, struct err *e)
{
	return c->config_file || c->rules.n || !conf_lacks_server(c, NULL) ||
	       err_set(e, ERR_CONFIG,
		       "dnsPolicy: None needs a nameserver in dnsConfig, or podMay with "
		       "nameservers: no pod could start");
}

static bool check_object(const json_t *object, struct ctl *ctl, struct err *e)
{
	struct warnings w = { .arena = ctl->arena };
	struct conf conf;
	bool good;

	conf_init(&conf);
	good = conf_decode(&conf, object, e) && conf_check(&conf, &w, e) &&
	       check_has_server(&conf, e);
	conf_done(&conf);
	if (good)
		ctl_tell(ctl, &w);
	return good;
}

/* The object in `text`, or a new one, with the keys of --set. */
static json_t *make_object(const struct install *i, const char *text, struct err *e)
{
	json_auto_t *object = chain_object(text);

	if (!object)
		object = json_pack("{s:s, s:{s:b, s:b}}", "type", "pod-dns", "capabilities", "dns",
				   1, REQUEST_ANNOTATIONS, 1);
	if (!object || !set_keys(object, i->set)) {
		(void)err_set(e, ERR_IO, "out of memory");
		return NULL;
	}
	return check_object(object, i->ctl, e) ? json_incref(object) : NULL;
}

/*** the file ***/

/* The file to change: the one given, or the first of the runtime's folder. */
static const char *find_network(const struct install *i, struct err *e)
{
	char name[NAME_MAX + 1];

	if (i->conflist)
		return i->conflist;
	if (!netdir_first(name, i->dirs.conf, e))
		return NULL;
	if (*name)
		return arena_print(i->ctl->arena, "%s/%s", i->dirs.conf, name);
	(void)err_set(e, ERR_CONFIG, "%s: no network is there yet", i->dirs.conf);
	return NULL;
}

/* Plans the edit; edit->changed tells whether there is one. */
static bool plan(const struct install *i, struct chain_file *edit, struct err *e)
{
	const char *path = find_network(i, e);
	json_auto_t *object = NULL;

	if (!path || !chain_file_open(edit, path, e))
		return false;
	object = make_object(i, edit->old.at, e);
	return (object && chain_file_plan(edit, object, e)) || err_in(e, "%s: ", path);
}

static bool copy_plugin(const struct install *i, const struct chain_file *edit, struct err *e)
{
	struct ctl *ctl = i->ctl;
	const char *folder = ctl_value(ctl, "bin-dir");
	const char *plugin;
	char own[PATH_MAX];
	bool changed;

	if (!folder)
		folder = netdir_bin_of(&i->dirs, edit->first_type);
	plugin = arena_print(ctl->arena, "%s/pod-dns", folder);
	if (!chain_file_own_program(own, "pod-dns", e))
		return false;
	/* A package, or make install, has installed the programs. */
	if (access(own, F_OK) < 0 && access(plugin, X_OK) == 0)
		return true;
	if (!(bundle_is_at(own) ? bundle_install : file_durable_copy)(own, plugin, &changed, e))
		return false;
	if (changed)
		out_line(ctl->out, "%s: copied", plugin);
	return true;
}

/* Installs the plugin before the chain that calls it. */
static bool install_once(const struct install *i, bool *changed, struct err *e)
{
	auto_chain_file edit = CHAIN_FILE_NONE;
	auto_fd turn = -1;

	if (!netdir_lock(&turn, i->dirs.conf, e) || !plan(i, &edit, e) ||
	    !copy_plugin(i, &edit, e) ||
	    (edit.changed && !cni_dirs_announce(i->dirs.conf, NETDIR_INSTALL, e)) ||
	    !chain_file_apply(&edit, e))
		return false;
	*changed = edit.changed;
	out_line(i->ctl->out, "%s: %s", edit.target,
		 edit.changed ? "pod-dns is chained" : "pod-dns is chained already");
	return true;
}

static int dry_run(const struct install *i, struct err *e)
{
	auto_text diff = TEXT_UP_TO(1 << 24);
	auto_chain_file edit = CHAIN_FILE_NONE;
	struct ctl *ctl = i->ctl;

	if (!plan(i, &edit, e))
		return ctl_fail(ctl, e);
	diff_unified(&diff, edit.path, edit.old.at, edit.target, edit.new.at);
	if (!text_ok(&diff)) {
		(void)err_set(e, ERR_IO, "%s: the difference is too long to be shown", edit.path);
		return ctl_fail(ctl, e);
	}
	if (ctl->json) {
		json_auto_t *shown = json_pack("[{s:s, s:b, s:s}]", "file", edit.path, "changed",
					       edit.changed, "diff", diff.at);

		out_json(ctl->out, shown);
	} else {
		out_text(ctl->out, diff.at);
	}
	return CTL_GOOD;
}

/*** --watch ***/

struct watch {
	struct netdir_watch *folder;
	bool chained;		/* pod-dns was in the chain at the last look */
	bool told;		/* that it stands by after an uninstall */
	time_t when[AGAIN_MAX]; /* the last times it chained again */
	size_t n;
};

/* Ends the watch if another installer keeps rewriting what this one wrote. */
static bool count_again(struct watch *w, struct err *e)
{
	struct timespec now;
	time_t oldest = w->when[w->n % AGAIN_MAX];

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	w->when[w->n % AGAIN_MAX] = now.tv_sec;
	if (++w->n > AGAIN_MAX && now.tv_sec - oldest < AGAIN_SECONDS)
		return err_set(e, ERR_AGAIN,
			       "somebody takes pod-dns out of the chain again and again: %d times "
			       "in a minute; given up",
			       AGAIN_MAX);
	return true;
}

/*
 * After an uninstall nothing is chained until somebody else has chained pod-dns again. An uninstall
 * whose announcement was lost is known by its traces: the chain and the saved original are gone.
 */
static bool stands_by(struct watch *w, const struct install *i, const struct chain_file *edit)
{
	json_auto_t *ours = chain_object(edit->old.at);
	bool before = w->told;

	if (w->folder->lost && w->chained && access(edit->saved, F_OK) < 0)
		w->folder->uninstalled = true;
	w->folder->lost = false;
	w->folder->uninstalled = w->folder->uninstalled && !ours;
	w->told = w->folder->uninstalled;
	if (w->told && !before)
		ctl_note(i->ctl,
			 "%s: pod-dns was taken out by uninstall, and stays out until the "
			 "next install",
			 edit->path);
	return w->told;
}

/* Holds the folder's lock: an uninstall's announcement is in the queue by then. */
static bool chain_again(struct watch *w, const struct install *i, struct err *e)
{
	auto_chain_file edit = CHAIN_FILE_NONE;
	struct err fault = { 0 };
	auto_fd turn = -1;

	if (!netdir_lock(&turn, i->dirs.conf, e) || !netdir_watch_read(w->folder, e))
		return false;
	if (!plan(i, &edit, &fault)) {
		ctl_note(i->ctl, "%s", fault.text);
		return true;
	}
	if (stands_by(w, i, &edit))
		return true;
	w->chained = true;
	if (!edit.changed)
		return true;
	if (!copy_plugin(i, &edit, e))
		return false;
	if (!chain_file_apply(&edit, &fault)) /* a change of its owner's is in the queue */
		return fault.code == ERR_AGAIN || err_move(e, &fault);
	out_line(i->ctl->out, "%s: pod-dns is chained", edit.target);
	return count_again(w, e);
}

static bool watch(const struct install *i, struct err *e)
{
	struct arena *const all = i->ctl->arena;
	auto_netdir_watch folder = NETDIR_UNWATCHED;
	struct watch w = { .folder = &folder };
	bool good = netdir_watch_begin(&folder, i->dirs.conf, e);

	while (good && out_ok(i->ctl->out)) {
		struct arena look = { 0 }; /* a watcher may run for months */

		i->ctl->arena = &look;
		good = chain_again(&w, i, e);
		i->ctl->arena = all;
		arena_done(&look);
		good = good && netdir_watch_wait(&folder, e);
	}
	return good;
}

/* On a new node, whose network's own installer may come later. */
static bool wait_for_network(const struct install *i, struct err *e)
{
	auto_netdir_watch folder = NETDIR_UNWATCHED;
	char name[NAME_MAX + 1];

	if (!netdir_watch_begin(&folder, i->dirs.conf, e) || !netdir_first(name, i->dirs.conf, e))
		return false;
	if (!*name)
		ctl_note(i->ctl, "%s: no network is there yet: waiting", i->dirs.conf);
	while (!*name)
		if (!netdir_watch_wait(&folder, e) || !netdir_first(name, i->dirs.conf, e))
			return false;
	return true;
}

/*** the verb ***/

static int run(struct install *i, struct err *e)
{
	struct ctl *ctl = i->ctl;
	bool changed = false;

	if (ctl_flag(ctl, "dry-run"))
		return dry_run(i, e);
	if (ctl_flag(ctl, "watch"))
		return watch(i, e) ? CTL_GOOD : ctl_fail(ctl, e);
	if ((ctl_flag(ctl, "wait") && !i->conflist && !wait_for_network(i, e)) ||
	    !install_once(i, &changed, e))
		return ctl_fail(ctl, e);
	return chain_file_wait(ctl, &i->dirs, true) ? CTL_GOOD : CTL_BAD;
}

static const struct ctl_option options[] = {
	{ .name = "conf-dir", .value = "DIR", .help = "the runtime's folder of networks" },
	{ .name = "bin-dir", .value = "DIR", .help = "the runtime's folder of plugins" },
	{ .name = "cri-socket", .value = "PATH", .help = "the runtime's CRI socket" },
	{ .name = "set",
	  .value = "KEY=JSON",
	  .repeats = true,
	  .help = "a key of pod-dns's object; null takes it away" },
	{ .name = "dry-run", .help = "print the difference and change nothing" },
	{ .name = "wait", .help = "wait until there is a network in the folder" },
	{ .name = "watch",
	  .help = "stay, and chain again when the network's installer\n"
		  "rewrites the file" },
	{ 0 },
};

static int install(struct ctl *ctl)
{
	struct install i = { .ctl = ctl, .conflist = ctl->n_args ? ctl->args[0] : NULL };
	struct err e = { 0 };
	int status;

	if (ctl_flag(ctl, "dry-run") && ctl_flag(ctl, "watch"))
		return ctl_usage(ctl, "--dry-run and --watch exclude each other");
	chain_file_dirs(ctl, &i.dirs, i.conflist);
	status = read_set(&i, &e) ? run(&i, &e) : ctl_usage(ctl, "%s", e.text);
	json_decref(i.set);
	return status;
}

const struct ctl_verb ctl_verb_install = {
	.name = "install",
	.synopsis = "install [--set KEY=JSON]...\n"
		    "        [--dry-run | --wait | --watch] [CONFLIST]",
	.summary = "chain pod-dns into the network that the runtime uses",
	.help = "Adds pod-dns's object as the last plugin of CONFLIST, by default of the first\n"
		"network in the runtime's folder, and copies the plugin to the runtime's\n"
		"plugins. Everything else in the file stays as it is; what the file was is\n"
		"kept beside it for uninstall. A second run changes nothing.\n",
	.options = options,
	.max_args = 1,
	.json = true,
	.run = install,
};
