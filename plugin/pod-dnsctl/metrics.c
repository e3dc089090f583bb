/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.c: `pod-dnsctl metrics`: the node in Prometheus' text format. */
#include "pod-dnsctl/metrics.h"
#include "pod-dnsctl/networks.h"
#include "pod-dnsctl/out.h"
#include "pod-dnsctl/verbs.h"
#include "file.h"
#include "text.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

enum { METRICS_MAX = 16 << 20 };

static const struct ctl_option options[] = {
	{ .name = "output",
	  .value = "FILE",
	  .help = "write them to FILE, atomically, for\nnode_exporter's textfile collector" },
	NETWORKS_OPTION,
	{ 0 },
};

/* The temporary file beside it begins with a dot and does not end in ".prom". */
static bool replace(const char *path, const struct text *text, struct err *e)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char folder[PATH_MAX], temp[NAME_MAX + 1];
	auto_fd dir = -1;

	if (!*name)
		return err_set(e, ERR_IO, "%s: is a folder", path);
	if (snprintf(temp, sizeof temp, ".%s.new", name) > NAME_MAX ||
	    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
		     slash ? path : ".") >= PATH_MAX)
		return err_set(e, ERR_IO, "%s: the name is too long", path);
	dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return err_errno(e, ERR_IO, "%s", folder);
	return file_replace(dir, name, temp, text->at, text->len, 0644, e);
}

static bool count_all(struct ctl *ctl, struct metrics *m, const struct rundir *r)
{
	auto_steered_node node = STEERED_NODE;
	auto_views all = { .run = NULL };
	const struct view *v;
	bool good = true;

	views_begin(&all, r);
	while ((v = views_next(&all))) {
		struct err e = { 0 };

		if (v->fault || !metrics_add(m, v, &node, &e))
			good = false;
		if (e.code)
			ctl_note(ctl, "%s: %s", v->pod, e.text);
	}
	metrics_add_node(m, &node);
	return good && all.whole;
}

static int metrics(struct ctl *ctl)
{
	const char *output = ctl_value(ctl, "output");
	auto_networks networks = { .at = NULL };
	static struct metrics m;
	auto_text text = TEXT_UP_TO(METRICS_MAX);
	auto_rundir r = RUNDIR_NONE;
	struct err e = { 0 };
	bool good;

	if (!rundir_open(&r, false, &e))
		return ctl_fail(ctl, &e);
	(void)networks_read(&networks, ctl_value(ctl, "conf-dir"), ctl->arena, NULL);
	metrics_begin(&m, &networks, ctl->arena);
	good = count_all(ctl, &m, &r);
	metrics_render(&text, &m);
	metrics_done(&m);
	if (!text_ok(&text))
		return ctl_fail(ctl, &(struct err){ .code = ERR_IO, .text = "out of memory" });
	if (!output)
		out_text(ctl->out, text.at);
	else if (!replace(output, &text, &e))
		return ctl_fail(ctl, &e);
	return good ? CTL_GOOD : CTL_BAD;
}

const struct ctl_verb ctl_verb_metrics = {
	.name = "metrics",
	.synopsis = "metrics [OPTION...]",
	.summary = "the same for Prometheus",
	.help = "Prints the node's attachments and where steered queries go, in Prometheus' text\n"
		"format. What one says and the kernel does not is a note on stderr and exit\n"
		"status 1; the others are there.\n",
	.options = options,
	.root = true,
	.run = metrics,
};
