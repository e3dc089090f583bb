/* SPDX-License-Identifier: Apache-2.0 */
/* doctor.c: `pod-dnsctl doctor`: what is wrong with DNS on this node, and what to do. */
#include "pod-dnsctl/check/check.h"
#include "pod-dnsctl/cli/columns.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/install/cri_status.h"
#include "pod-dnsctl/install/runtime.h"
#include "pod-dnsctl/inventory/probe.h"
#include "pod-dnsctl/inventory/summary.h"
#include "pod-dnsctl/verbs.h"
#include "file.h"
#include "steer/steer_status.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { CONFLIST_MAX = 64 << 20 };

static const char default_kubelet[] = "/var/lib/kubelet/config.yaml";

struct doctor {
	struct ctl *ctl;
	json_t *all; /* NULL: for a person */
	size_t wrong;
};

/*** telling ***/

static void doctor_line(struct doctor *d, const char *about, bool good, const char *text)
{
	struct columns line = { .out = d->ctl->out, .indent = 10, .whole = !d->ctl->out->tty };

	d->wrong += !good;
	if (d->all) {
		(void)json_array_append_new(d->all,
					    json_pack("{s:s, s:b, s:o}", "about", about, "good",
						      (int)good, "text", out_string(text)));
		return;
	}
	columns_put(&line, good ? OUT_GREEN : OUT_RED, 7, good ? "ok" : "wrong");
	columns_put(&line, OUT_BOLD, 10, about);
	columns_text(&line, OUT_PLAIN, text);
	columns_end(&line);
}

static void tell_wrong_pods(const char *line, void *context)
{
	doctor_line(context, "pods", false, line);
}

/*** the network ***/

static void look_at_loaded(struct doctor *d, const struct netdir *dirs, const char *path)
{
	auto_text text = TEXT_UP_TO(CONFLIST_MAX);
	char fault[CRI_FAULT];

	if (!dirs->socket || !file_read(&text, AT_FDCWD, path, true, NULL) || !text.at)
		return;
	if (cri_status_chain(fault, dirs->socket, dirs->conf, text.at) == CRI_NOT_LOADED)
		doctor_line(d, "runtime", false,
			    arena_print(d->ctl->arena, "the runtime has not loaded %s%s%s", path,
					*fault ? ": " : "", fault));
	else
		doctor_line(d, "runtime", true,
			    arena_print(d->ctl->arena, "has not refused %s", path));
}

static void look_at_findings(struct doctor *d, const char *path)
{
	const char *kubelet = ctl_value(d->ctl, "kubelet");
	static struct findings f; /* large */
	bool valid = true, agrees = true;

	if (!kubelet && access(default_kubelet, R_OK) == 0)
		kubelet = default_kubelet;
	f = (struct findings){ .arena = d->ctl->arena };
	check_conflist(path, kubelet, &f);
	for (size_t i = 0; i < f.n; i++) {
		bool is_kubelet = strcmp(f.at[i].kind, "kubelet") == 0;

		if (f.at[i].severity != SEVERITY_ERROR)
			continue;
		doctor_line(d, is_kubelet ? "kubelet" : "conflist", false,
			    arena_print(d->ctl->arena, "%s: %s%s%s", path, f.at[i].path,
					*f.at[i].path ? ": " : "", f.at[i].text));
		agrees &= !is_kubelet;
		valid &= is_kubelet;
	}
	if (valid)
		doctor_line(d, "conflist", true,
			    arena_print(d->ctl->arena, "%s has no errors", path));
	if (kubelet && agrees)
		doctor_line(d, "kubelet", true, arena_print(d->ctl->arena, "%s agrees", kubelet));
}

/* The runtime uses the first network of its folder. */
static void look_at_network(struct doctor *d, const struct netdir *dirs)
{
	struct arena *a = d->ctl->arena;
	char name[NAME_MAX + 1];
	auto_conflist list = { 0 };
	struct err e = { 0 };
	const char *path;

	if (!netdir_first(name, dirs->conf, &e) || !*name) {
		doctor_line(d, "network", false,
			    *e.text ? e.text
				    : arena_print(a, "%s: there is no network", dirs->conf));
		return;
	}
	path = arena_print(a, "%s/%s", dirs->conf, name);
	if (!conflist_read(&list, path, &e)) {
		doctor_line(d, "network", false,
			    arena_print(a, "%s; pod-dnsctl install chains pod-dns", e.text));
		return;
	}
	doctor_line(d, "network", true,
		    arena_print(a, "%s: pod-dns is chained in %s", list.name, path));
	look_at_loaded(d, dirs, path);
	look_at_findings(d, path);
}

/*** the caches ***/

static void look_at_caches(struct doctor *d, const struct networks *networks)
{
	for (size_t i = 0; i < networks->n; i++) {
		const struct addr_list *list = &networks->at[i].conf.conf.node_cache.addresses;

		for (size_t k = 0; k < list->n; k++) {
			enum probe_result result = probe_once(&list->at[k]);
			char text[ADDR_TEXT];

			addr_print(text, &list->at[k]);
			doctor_line(
				d, "cache", result == PROBE_ANSWERS,
				arena_print(
					d->ctl->arena, "%s: %s", text,
					result == PROBE_ANSWERS
						? "it answers"
						: arena_print(d->ctl->arena,
							      "%s: pods ask the fallback; is the "
							      "cache running?",
							      probe_names[result])));
		}
	}
}

/*** the pods ***/

static void look_at_tables(struct doctor *d, const struct rundir *r)
{
	auto_steer_node_status node = STEER_NODE_STATUS;
	static struct steer_status found; /* large */
	auto_views all = { .run = NULL };
	size_t missing = 0, dormant = 0, silent = 0, steered = 0;
	struct arena *a = d->ctl->arena;
	const struct view *v;

	views_begin(&all, r);
	while ((v = views_next(&all))) {
		struct err e = { 0 };

		if (v->fault)
			continue;
		if (!steer_status_read(&found, &v->record, &node, &e)) {
			silent++;
			continue;
		}
		steered += found.n > 0;
		missing += found.n && found.at[0].state == STEER_STATE_MISSING;
		dormant += found.n && found.at[0].state == STEER_STATE_DORMANT;
	}
	if (missing)
		doctor_line(d, "steering", false,
			    arena_print(a, "the rules of %zu pod%s are missing: restart %s",
					missing, missing == 1 ? "" : "s",
					missing == 1 ? "it" : "them"));
	if (dormant)
		doctor_line(d, "steering", false,
			    arena_print(a,
					"the rules of %zu pod%s are switched off: pod-dnsctl steer "
					"on --all",
					dormant, dormant == 1 ? "" : "s"));
	if (silent)
		doctor_line(
			d, "steering", false,
			arena_print(
				a,
				"the rules of %zu pod%s cannot be read: pod-dnsctl status says why",
				silent, silent == 1 ? "" : "s"));
	if (!missing && !dormant && !silent)
		doctor_line(d, "steering", true,
			    arena_print(a, "%zu pod%s steered", steered,
					steered == 1 ? " is" : "s are"));
}

static void look_at_pods(struct doctor *d, const struct rundir *r, const struct networks *networks)
{
	struct summary summary;

	summary_read(&summary, r, networks, ctl_value(d->ctl, "cache-dir"), d->ctl->arena);
	if (!summary_tell(&summary, d->ctl->arena, tell_wrong_pods, d))
		doctor_line(d, "pods", true,
			    arena_print(d->ctl->arena, "%zu %s a record", summary.pods,
					summary.pods == 1 ? "has" : "have"));
	if (!summary.whole)
		doctor_line(d, "pods", false, "not every record could be read");
}

/*** the verb ***/

static int doctor(struct ctl *ctl)
{
	json_auto_t *all = ctl->json ? json_array() : NULL;
	struct doctor d = { .ctl = ctl, .all = all };
	auto_networks networks = { .at = NULL };
	auto_rundir r = RUNDIR_NONE;
	struct netdir dirs;
	struct err e = { 0 };

	runtime_dirs(ctl, &dirs, NULL);
	(void)networks_read(&networks, dirs.conf, ctl->arena, NULL);
	look_at_network(&d, &dirs);
	if (!rundir_open(&r, false, &e))
		doctor_line(&d, "state", false, e.text);
	else if (r.fd < 0)
		doctor_line(&d, "state", true, "no pod has been served since the node booted");
	if (r.fd >= 0) {
		look_at_pods(&d, &r, &networks);
		look_at_tables(&d, &r);
	}
	look_at_caches(&d, &networks);
	if (all)
		out_json(ctl->out, all);
	return d.wrong ? CTL_BAD : CTL_GOOD;
}

static const struct ctl_option options[] = {
	NETWORKS_OPTION,
	{ .name = "bin-dir", .value = "DIR", .help = "the runtime's folder of plugins" },
	{ .name = "cri-socket", .value = "PATH", .help = "the runtime's CRI socket" },
	LIBCNI_CACHE_OPTION,
	{ .name = "kubelet",
	  .value = "FILE",
	  .help = "kubelet's configuration (default:\n/var/lib/kubelet/config.yaml)" },
	{ 0 },
};

const struct ctl_verb ctl_verb_doctor = {
	.name = "doctor",
	.synopsis = "doctor [OPTION...]",
	.summary = "what is wrong on this node, and what to do",
	.help = "Looks at everything that pods' DNS depends on: whether pod-dns is chained and\n"
		"loaded, the conflist, kubelet, pods without a record, stale ones and ones that\n"
		"did not get their file, the rules, and whether each cache answers. Prints a line\n"
		"for each. Exits 1 if one is wrong. Nothing is changed.\n",
	.examples = "  pod-dnsctl doctor\n"
		    "  pod-dnsctl doctor -o json\n",
	.options = options,
	.json = true,
	.root = true,
	.run = doctor,
};
