/* SPDX-License-Identifier: Apache-2.0 */
/* uninstall.c: pod-dnsctl uninstall: takes pod-dns out of the networks of a node. */
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/install/plugin_file.h"
#include "pod-dnsctl/install/purge.h"
#include "pod-dnsctl/install/runtime.h"
#include "pod-dnsctl/install/turn.h"
#include "pod-dnsctl/install/unchain.h"
#include "pod-dnsctl/verbs.h"

/*
 * The plugin stays while pods that it served live: CRI-O calls DEL by the chain that ADD had.
 * (containerd uses the chain of today, so that this program releases pods that have ended.)
 */
static bool remove_plugin(struct ctl *ctl, const struct netdir *dirs, struct err *e)
{
	size_t left;

	if (ctl_flag(ctl, "purge")) {
		if (!purge_all(ctl, &left, e))
			return false;
	} else {
		if (!purge_sees_pods(ctl, e))
			return err_in(e, "the plugin stays: ");
		if (!purge_ended(ctl, &left, e))
			return false;
	}
	if (!left)
		return purge_node(ctl, e) && plugin_file_remove(dirs, ctl->out, e);
	ctl_note(ctl,
		 "%zu running pod%s made with the plugin, so %s/pod-dns stays. Run uninstall again "
		 "when %s gone, or --purge now",
		 left, left == 1 ? " was" : "s were", netdir_bin_of(dirs, "pod-dns"),
		 left == 1 ? "it is" : "they are");
	return true;
}

static bool unchain(struct unchain *u, const struct netdir *dirs, struct err *e)
{
	return u->ctl->n_args ? unchain_file(u, u->ctl->args[0], e)
			      : unchain_folder(u, dirs->conf, e);
}

/* The lock is held to the end: whoever chains meanwhile would call a plugin that is about to go. */
static bool run_uninstall(struct ctl *ctl, const struct netdir *dirs, struct err *e)
{
	struct unchain u = { .ctl = ctl };
	auto_turn turn = TURN_NONE;

	if (!turn_take(&turn, dirs->conf, ctl, e) || !turn_mark(&turn, TURN_UNINSTALLED, e) ||
	    !unchain(&u, dirs, e))
		return false;
	if (runtime_await_release(ctl, dirs) == RUNTIME_REFUSES)
		return err_set(e, ERR_AGAIN,
			       "%s: the runtime still has a chain with pod-dns, so the plugin "
			       "stays: run uninstall again",
			       dirs->socket);
	return remove_plugin(ctl, dirs, e);
}

static bool dry_run(struct ctl *ctl, const struct netdir *dirs, struct err *e)
{
	json_auto_t *shown = json_array();
	struct unchain u = { .ctl = ctl, .shown = shown };

	if (!unchain(&u, dirs, e))
		return false;
	if (ctl->json)
		out_json(ctl->out, shown);
	return true;
}

static int uninstall(struct ctl *ctl)
{
	struct netdir dirs;
	struct err e = { 0 };

	runtime_dirs(ctl, &dirs, ctl->n_args ? ctl->args[0] : NULL);
	return (ctl_flag(ctl, "dry-run") ? dry_run : run_uninstall)(ctl, &dirs, &e)
		       ? CTL_GOOD
		       : ctl_fail(ctl, &e);
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
		"removes the plugin, unless pods run that were made with it: runtimes call DEL\n"
		"with the chain that ADD had.\n",
	.options = options,
	.max_args = 1,
	.json = true,
	.examples = "  pod-dnsctl uninstall --dry-run\n"
		    "  pod-dnsctl uninstall --purge\n",
	.run = uninstall,
};
