/* SPDX-License-Identifier: Apache-2.0 */
/* install.c: pod-dnsctl install: chains pod-dns into the network that the runtime uses. */
#include "pod-dnsctl/check/check.h"
#include "pod-dnsctl/inventory/libcni_cache.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/install/chain.h"
#include "pod-dnsctl/install/installer.h"
#include "pod-dnsctl/install/runtime.h"
#include "pod-dnsctl/install/set.h"
#include "pod-dnsctl/verbs.h"
#include "config/conf.h"
#include "text.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Runs `check` on a text that is in no file yet. */
static void check_text(const char *text, struct findings *f)
{
	auto_fd fd = memfd_create("conflist", MFD_CLOEXEC);
	char path[64];

	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text))
		check_conflist(path, NULL, f);
	else
		findings_add(f, SEVERITY_ERROR, "conflist", "", NULL, "out of memory");
}

static void note_finding(struct ctl *ctl, const char *file, const struct finding *at)
{
	const char *path = *at->path ? arena_print(ctl->arena, "%s: ", at->path) : "";
	bool error = at->severity == SEVERITY_ERROR;

	ctl_note(ctl, "%s: %s: %s%s", file, error ? "error" : "warning", path, at->text);
}

/* Whether the object has only CNI's keys: the plugin is called, and leaves pods as they are. */
static bool is_idle(const char *text)
{
	json_auto_t *object = chain_object(text);
	json_auto_t *own = conf_own_keys(object, NULL);

	return !json_object_size(own) && !json_object_get(object, "configFile");
}

/* Prints what `check` finds. An error refuses the file. */
static bool check_result(struct ctl *ctl, const char *file, const char *text, struct err *e)
{
	static struct findings f; /* large */
	bool idle = is_idle(text);
	size_t errors;

	f = (struct findings){ .arena = ctl->arena };
	check_text(text, &f);
	for (size_t i = 0; i < f.n; i++)
		if (!idle || strcmp(f.at[i].kind, "missing-cluster-dns") != 0)
			note_finding(ctl, file, &f.at[i]);
	errors = findings_count(&f, SEVERITY_ERROR);
	if (errors)
		return err_set(e, ERR_CONFIG, "%s: %zu error%s: nothing is changed", file, errors,
			       errors == 1 ? "" : "s");
	if (idle)
		ctl_note(ctl, "no clusterDNS: pods are left as they are; begin with --set "
			      "'clusterDNS=[\"ADDRESS\"]'");
	return true;
}

/*** the verb ***/

static bool run_install(const struct install *i, struct err *e)
{
	struct ctl *ctl = i->ctl;

	if (ctl_flag(ctl, "dry-run"))
		return install_dry_run(i, e);
	if (ctl_flag(ctl, "watch"))
		return install_watch(i, e);
	if (ctl_flag(ctl, "wait") && !i->conflist && !install_await_network(i, e))
		return false;
	if (!install_once(i, e))
		return false;
	if (i->then)
		i->then(ctl);
	return true;
}

static int install(struct ctl *ctl)
{
	struct install i = { .ctl = ctl,
			     .conflist = ctl->n_args ? ctl->args[0] : NULL,
			     .check = check_result,
			     .then = ctl_flag(ctl, "adopt") ? adopt_after_install : NULL };
	struct err e = { 0 };
	json_auto_t *set = NULL;

	if (ctl_flag(ctl, "dry-run") && ctl_flag(ctl, "watch"))
		return ctl_usage(ctl, "--dry-run and --watch exclude each other");
	i.set = set = set_read(ctl, &e);
	if (!set)
		return ctl_usage(ctl, "%s", e.text);
	runtime_dirs(ctl, &i.dirs, i.conflist);
	return run_install(&i, &e) ? CTL_GOOD : ctl_fail(ctl, &e);
}

static const struct ctl_option options[] = {
	{ .name = "conf-dir", .value = "DIR", .help = "the runtime's folder of networks" },
	{ .name = "bin-dir", .value = "DIR", .help = "the runtime's folder of plugins" },
	{ .name = "cri-socket", .value = "PATH", .help = "the runtime's CRI socket" },
	{ .name = "set",
	  .value = "KEY=JSON",
	  .repeats = true,
	  .help = "a key of pod-dns's object; null removes it" },
	{ .name = "dry-run", .help = "print the difference and change nothing" },
	{ .name = "adopt", .help = "then adopt pods that run already: pod-dnsctl adopt" },
	LIBCNI_CACHE_OPTION,
	{ .name = "wait", .help = "wait until there is a network in the folder" },
	{ .name = "watch",
	  .help = "stay, and chain again when the network's installer\n"
		  "rewrites the file" },
	{ 0 },
};

const struct ctl_verb ctl_verb_install = {
	.name = "install",
	.synopsis = "install [--set KEY=JSON]...\n"
		    "        [--dry-run | --wait | --watch] [CONFLIST]",
	.summary = "chain pod-dns into the network that the runtime uses",
	.help = "Adds pod-dns's object as the last plugin of CONFLIST, by default of the first\n"
		"network in the runtime's folder, and copies the plugin to the runtime's\n"
		"plugins. What check calls an error is refused before anything is changed. The\n"
		"file as it was is kept beside it for uninstall, and is put back where the\n"
		"runtime does not load the new one. A second run changes nothing.\n",
	.options = options,
	.max_args = 1,
	.json = true,
	.examples = "  pod-dnsctl install --dry-run\n"
		    "  pod-dnsctl install --set 'nodeCache={\"addresses\":[\"169.254.20.10\"]}'\n",
	.run = install,
};
