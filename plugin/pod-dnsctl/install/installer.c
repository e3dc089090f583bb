/* SPDX-License-Identifier: Apache-2.0 */
/* installer.c: puts the plugin and its chain on a node, once or whenever the chain is lost. */
#include "pod-dnsctl/install/installer.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/install/chain.h"
#include "pod-dnsctl/install/chain_file.h"
#include "pod-dnsctl/install/plugin_file.h"
#include "pod-dnsctl/install/runtime.h"
#include "pod-dnsctl/install/set.h"
#include "pod-dnsctl/install/turn.h"
#include "diff.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { AGAIN_MAX = 10, AGAIN_SECONDS = 60 };

/*** what is to be done ***/

struct plan {
	struct chain_file chain;
	struct plugin_file plugin;
};

#define PLAN_NONE ((struct plan){ .chain = CHAIN_FILE_NONE })

static void plan_done(struct plan *p)
{
	chain_file_done(&p->chain);
}
#define auto_plan __attribute__((cleanup(plan_done))) struct plan

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

static bool plan_chain(const struct install *i, struct chain_file *chain, struct err *e)
{
	const char *path = find_network(i, e);
	json_auto_t *object = NULL;

	if (!path || !chain_file_open(chain, path, e))
		return false;
	object = set_object(i->set, chain->old.at, e);
	if (!object || !chain_file_plan(chain, object, e))
		return err_in(e, "%s: ", path);
	return !chain->changed || i->check(i->ctl, chain->target, chain->new.at, e);
}

/* Changes nothing. */
static bool plan_all(const struct install *i, struct plan *p, struct err *e)
{
	const char *folder = ctl_value(i->ctl, "bin-dir");

	if (!plan_chain(i, &p->chain, e))
		return false;
	if (!folder)
		folder = netdir_bin_of(&i->dirs, p->chain.first_type);
	return plugin_file_find(&p->plugin, folder, e);
}

/*** doing it ***/

/* Installs the plugin before the chain that calls it. */
static bool apply_plan(const struct install *i, struct plan *p, struct turn *turn, struct err *e)
{
	const enum turn_state before = turn->state;

	if (!plugin_file_copy(&p->plugin, i->ctl->out, e) || !turn_mark(turn, TURN_INSTALLED, e))
		return false;
	if (chain_file_apply(&p->chain, e))
		return true;
	(void)turn_mark(turn, before, NULL);
	return false;
}

/* A chain that the runtime does not load leaves the node without a network: it goes again. */
static bool confirm_chain(const struct install *i, const struct plan *p, struct err *e)
{
	const struct chain_file *chain = &p->chain;

	switch (runtime_await_chain(i->ctl, &i->dirs, chain)) {
	case RUNTIME_LOADED:
	case RUNTIME_SILENT:
		return true;
	case RUNTIME_OVERTAKEN:
		return err_set(e, ERR_AGAIN, "%s: its owner has changed it meanwhile",
			       chain->target);
	case RUNTIME_REFUSES:
		break;
	}
	if (!chain->changed)
		return err_set(e, ERR_IO,
			       "%s: the runtime has not loaded %s, which has pod-dns already: see "
			       "the runtime's log",
			       i->dirs.socket, chain->target);
	return chain_file_revert(chain, e) &&
	       err_set(e, ERR_IO,
		       "%s: the runtime has not loaded the changed chain, so %s is put back as it "
		       "was: see the runtime's log",
		       i->dirs.socket, chain->path);
}

bool install_once(const struct install *i, struct err *e)
{
	auto_plan p = PLAN_NONE;
	auto_turn turn = TURN_NONE;
	enum turn_state before;

	if (!turn_take(&turn, i->dirs.conf, i->ctl, e))
		return false;
	before = turn.state;
	if (!plan_all(i, &p, e) || !apply_plan(i, &p, &turn, e))
		return false;
	out_line(i->ctl->out, "%s: %s", p.chain.target,
		 p.chain.changed ? "pod-dns is chained" : "pod-dns is chained already");
	if (confirm_chain(i, &p, e))
		return true;
	if (p.chain.changed)
		(void)turn_mark(&turn, before, NULL);
	return false;
}

bool install_dry_run(const struct install *i, struct err *e)
{
	auto_text diff = TEXT_UP_TO(1 << 24);
	auto_plan p = PLAN_NONE;
	const struct chain_file *chain = &p.chain;
	json_auto_t *shown = NULL;

	if (!plan_all(i, &p, e))
		return false;
	diff_unified(&diff, chain->path, chain->old.at, chain->target, chain->new.at);
	if (!text_ok(&diff))
		return err_set(e, ERR_IO, "%s: the difference is too long to be shown",
			       chain->path);
	shown = json_pack("[{s:s, s:b, s:s}]", "file", chain->path, "changed", chain->changed,
			  "diff", diff.at);
	if (!plugin_file_is_there(&p.plugin)) {
		(void)json_array_append_new(shown,
					    json_pack("{s:s, s:b, s:s}", "file", p.plugin.to,
						      "changed", 1, "copyOf", p.plugin.from));
		if (!i->ctl->json)
			out_line(i->ctl->out, "would copy %s to %s", p.plugin.from, p.plugin.to);
	}
	if (i->ctl->json)
		out_json(i->ctl->out, shown);
	else
		out_text(i->ctl->out, diff.at);
	return true;
}

/*** --wait and --watch ***/

bool install_await_network(const struct install *i, struct err *e)
{
	auto_folder_watch folder = { .fd = -1 };
	char name[NAME_MAX + 1];

	if (!folder_watch_begin(&folder, i->dirs.conf, e) || !netdir_first(name, i->dirs.conf, e))
		return false;
	if (!*name)
		ctl_note(i->ctl, "%s: no network is there yet: waiting", i->dirs.conf);
	while (!*name)
		if (!folder_watch_wait(&folder, e) || !netdir_first(name, i->dirs.conf, e))
			return false;
	return true;
}

struct again {
	bool stands_by;		/* a note has said so */
	bool chained;		/* the last look did it */
	time_t when[AGAIN_MAX]; /* the last times it chained again */
	size_t n;
};

/* Ends the watch if another installer keeps rewriting what this one wrote. */
static bool count_again(struct again *a, struct err *e)
{
	struct timespec now;
	time_t oldest = a->when[a->n % AGAIN_MAX];

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	a->when[a->n % AGAIN_MAX] = now.tv_sec;
	if (++a->n > AGAIN_MAX && now.tv_sec - oldest < AGAIN_SECONDS)
		return err_set(e, ERR_AGAIN,
			       "another program takes pod-dns out of the chain again and again: %d "
			       "times in a minute; given up",
			       AGAIN_MAX);
	return true;
}

/* Chains where pod-dns is installed and not in the chain. Faults of the network's file are notes:
 * its owner may mend it. */
static bool chain_again(const struct install *i, struct again *a, struct err *e)
{
	auto_plan p = PLAN_NONE;
	struct err fault = { 0 };

	if (!plan_all(i, &p, &fault)) {
		ctl_note(i->ctl, "%s", fault.text);
		return true;
	}
	if (!p.chain.changed)
		return true;
	if (!plugin_file_copy(&p.plugin, i->ctl->out, e))
		return false;
	if (!chain_file_apply(&p.chain, &fault)) /* a change of its owner's wakes the watch again */
		return fault.code == ERR_AGAIN || err_move(e, &fault);
	out_line(i->ctl->out, "%s: pod-dns is chained", p.chain.target);
	if (i->dirs.socket && !confirm_chain(i, &p, &fault))
		return fault.code == ERR_AGAIN || err_move(e, &fault);
	a->chained = true;
	return count_again(a, e);
}

/* After an uninstall the watch stands by until the next install. */
static bool look_again(const struct install *i, struct again *a, struct err *e)
{
	auto_turn turn = TURN_NONE;
	bool before = a->stands_by;

	if (!turn_take_installed(&turn, i->dirs.conf, i->ctl, e))
		return false;
	a->stands_by = turn.state == TURN_UNINSTALLED;
	if (a->stands_by && !before)
		ctl_note(i->ctl,
			 "%s: pod-dns was taken out by uninstall, and stays out until the next "
			 "install",
			 i->dirs.conf);
	return a->stands_by || chain_again(i, a, e);
}

/* To watch is to install: it notes so, and chains at the first look. */
static bool begin_watch(const struct install *i, struct folder_watch *folder, struct err *e)
{
	auto_turn turn = TURN_NONE;

	return turn_take(&turn, i->dirs.conf, i->ctl, e) && turn_mark(&turn, TURN_INSTALLED, e) &&
	       folder_watch_begin(folder, i->dirs.conf, e);
}

bool install_watch(const struct install *i, struct err *e)
{
	auto_folder_watch folder = { .fd = -1 };
	struct again again = { 0 };
	bool good = begin_watch(i, &folder, e);

	while (good && out_ok(i->ctl->out)) {
		auto_arena arena = { 0 }; /* of one look: a watcher may run for months */
		struct ctl ctl = *i->ctl;
		struct install look = *i;

		ctl.arena = &arena;
		look.ctl = &ctl;
		again.chained = false;
		good = look_again(&look, &again, e);
		if (good && again.chained && i->then)
			i->then(&ctl);
		good = good && folder_watch_wait(&folder, e);
	}
	return good;
}
