/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: `pod-dnsctl status`: where steered queries go. */
#include "pod-dnsctl/cli/columns.h"
#include "pod-dnsctl/cli/out.h"
#include "steer/steer_status.h"
#include "pod-dnsctl/inventory/probe.h"
#include "pod-dnsctl/inventory/summary.h"
#include "pod-dnsctl/inventory/view.h"
#include "pod-dnsctl/verbs.h"

#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <time.h>

/* Probes that wait at once: before descriptors run out. */
enum { PROBES_MAX = 256 };

static const struct ctl_option options[] = {
	NETWORKS_OPTION,
	LIBCNI_CACHE_OPTION,
	{ .name = "probe", .help = "ask each cache from where each pod would" },
	{ 0 },
};

/*** the rows ***/

/* A pod and a cache, or the node's table and a cache. */
struct row {
	const char *pod; /* NULL: all pods that the node's table steers */
	struct steer_status_pair pair;
	bool counted;
	struct probe probe;
};

/* Returns how many probes were waited for. */
static size_t wait_once(struct row *rows, size_t n, int ms)
{
	struct pollfd on[PROBES_MAX];
	size_t waiting = 0;

	for (size_t i = 0; i < n; i++) {
		on[i] = (struct pollfd){ .fd = rows[i].probe.fd, .events = POLLIN };
		waiting += rows[i].probe.fd >= 0;
	}
	if (!waiting || poll(on, n, ms) <= 0)
		return waiting;
	for (size_t i = 0; i < n; i++)
		if (on[i].revents)
			probe_receive(&rows[i].probe);
	return waiting;
}

/* Waits for the answers to the probes of up to PROBES_MAX rows, a second at most, and closes them.
 */
static void wait_for_rows(struct row *rows, size_t n)
{
	struct timespec begun;
	double left;

	(void)clock_gettime(CLOCK_MONOTONIC, &begun);
	while ((left = PROBE_PATIENCE - probe_ms_since(&begun)) > 0 &&
	       wait_once(rows, n, (int)left + 1) > 0)
		;
	for (size_t i = 0; i < n; i++)
		if (rows[i].probe.fd >= 0)
			probe_end(&rows[i].probe, PROBE_SILENT);
}

static json_t *count_json(const struct row *row, uint64_t count)
{
	return row->counted ? json_integer((json_int_t)count) : json_null();
}

static json_t *row_json(const struct row *row)
{
	const char *said = row->probe.result ? probe_names[row->probe.result] : NULL;
	const struct steer_status_pair *p = &row->pair;
	char cluster[ADDR_TEXT], cache[ADDR_TEXT];

	addr_print(cluster, &p->pair.cluster);
	addr_print(cache, &p->pair.cache);
	return json_pack("{s:s?, s:s, s:s, s:s, s:o, s:o, s:s*}", "pod", row->pod, "cluster",
			 cluster, "cache", cache, "state", steer_state_names[p->state], "toCache",
			 count_json(row, p->counts.to_cache), "toCluster",
			 count_json(row, p->counts.to_fallback), "probe", said);
}

enum { POD = 23, CACHE = 16, STATE = 9, COUNT = 10 };

static void put_count(struct columns *line, const struct row *row, uint64_t count, size_t width)
{
	char text[24] = "-";

	if (row->counted)
		(void)snprintf(text, sizeof(text), "%" PRIu64, count);
	columns_put(line, OUT_PLAIN, width, text);
}

static void put_probe(struct columns *line, const struct probe *probe)
{
	char text[32];

	if (probe->result == PROBE_ANSWERS) {
		(void)snprintf(text, sizeof(text), "%.1f ms", probe->ms);
		columns_put(line, OUT_GREEN, 0, text);
	} else if (probe->result) {
		columns_put(line, OUT_RED, 0, probe_names[probe->result]);
	}
}

static void show_head(struct out *out, bool probe)
{
	struct columns line = { .out = out };

	columns_put(&line, OUT_DIM, POD, "POD");
	columns_put(&line, OUT_DIM, CACHE, "CACHE");
	columns_put(&line, OUT_DIM, STATE, "STATE");
	columns_put(&line, OUT_DIM, COUNT, "TO CACHE");
	columns_put(&line, OUT_DIM, COUNT + 1, "TO CLUSTER");
	if (probe)
		columns_put(&line, OUT_DIM, 0, "PROBE");
	columns_end(&line);
}

static void row_show(const struct row *row, struct out *out, bool wide)
{
	static const enum out_style styles[] = { [STEER_STATE_CACHE] = OUT_GREEN,
						 [STEER_STATE_FALLBACK] = OUT_RED,
						 [STEER_STATE_UNUSED] = OUT_YELLOW,
						 [STEER_STATE_DORMANT] = OUT_YELLOW,
						 [STEER_STATE_MISSING] = OUT_RED };
	const struct steer_status_pair *p = &row->pair;
	struct columns line = { .out = out, .whole = true, .cut = out->tty && !wide };
	char cache[ADDR_TEXT];

	addr_print(cache, &p->pair.cache);
	columns_name(&line, OUT_BOLD, POD, row->pod ? row->pod : "(the node's table)");
	columns_put(&line, OUT_PLAIN, CACHE, cache);
	columns_put(&line, styles[p->state], STATE, steer_state_names[p->state]);
	put_count(&line, row, p->counts.to_cache, COUNT);
	put_count(&line, row, p->counts.to_fallback, COUNT + 1);
	if (row->counted && p->counts.to_cache && !p->counts.answers)
		columns_put(&line, OUT_RED, 0, "no answer");
	put_probe(&line, &row->probe);
	columns_end(&line);
}

/*** all of them ***/

struct status {
	struct ctl *ctl;
	bool probe;
	struct row *rows; /* owned */
	size_t n;
	size_t waited; /* rows before this one wait for no answer */
	bool good;     /* all was read, and each cache that was asked has answered */
};

static void await_probes(struct status *s)
{
	if (!s->probe)
		return;
	wait_for_rows(s->rows + s->waited, s->n - s->waited);
	for (; s->waited < s->n; s->waited++)
		s->good &= s->rows[s->waited].probe.result == PROBE_ANSWERS;
}

/* `netns`: where a probe is sent from; NULL: the namespace is gone. */
static void append_row(struct status *s, const struct row *row, const int *netns)
{
	struct row *added = &s->rows[s->n];

	if (s->probe && s->n - s->waited == PROBES_MAX)
		await_probes(s);
	*added = *row;
	added->probe = PROBE_UNSENT;
	s->n++;
	if (s->probe && netns)
		probe_send(&added->probe, *netns, &row->pair.pair.cache);
	else if (s->probe)
		added->probe.result = PROBE_UNREACHABLE;
}

static void add_pod(struct status *s, const struct view *v, const struct steer_status *steered)
{
	auto_fd netns = s->probe ? view_open_netns(v) : -1;
	struct row row = { .pod = arena_print(s->ctl->arena, "%s", v->pod),
			   .counted = steered->steering.mode != STEER_NODE };

	for (size_t i = 0; i < steered->n; i++) {
		row.pair = steered->at[i];
		append_row(s, &row, netns < 0 ? NULL : &netns);
	}
}

static void read_one(struct status *s, const struct view *v, struct steer_node_status *node,
		     struct steer_status_total *total)
{
	struct steer_status steered;
	struct err e = { 0 };

	if (steer_status_read(&steered, &v->record, node, &e)) {
		add_pod(s, v, &steered);
		steer_status_add(total, &steered);
	} else {
		ctl_note(s->ctl, "%s: %s", v->pod, e.text);
		s->good = false;
	}
}

/* Adds rows for the node's table, which counts for all its pods together. */
static void add_node(struct status *s, const struct steer_node_status *node,
		     const struct steer_status_total *total)
{
	static const int own = -1;

	for (size_t i = 0; i < total->n; i++) {
		struct row row = { .counted = true };

		if (!total->at[i].node)
			continue;
		row.pair = steer_status_of_node(&total->at[i], node);
		append_row(s, &row, &own);
	}
}

static void show_rows(const struct status *s)
{
	json_auto_t *all = s->ctl->json ? json_array() : NULL;

	if (!all && s->n && !s->ctl->no_headers)
		show_head(s->ctl->out, s->probe);
	else if (!all && !s->n)
		ctl_note(s->ctl, "no pod is steered by rules");
	for (size_t i = 0; i < s->n; i++)
		if (all)
			(void)json_array_append_new(all, row_json(&s->rows[i]));
		else
			row_show(&s->rows[i], s->ctl->out, s->ctl->wide);
	if (all)
		out_json(s->ctl->out, all);
}

static bool gather(struct status *s, const struct rundir *r)
{
	auto_steer_node_status node = STEER_NODE_STATUS;
	auto_views all = { .run = NULL };
	struct steer_status_total total = { 0 };
	const struct view *v;

	views_begin_sorted(&all, r);
	s->good = all.whole;
	s->rows = calloc(all.paths.n * STEERING_PAIRS + STEER_SUMS, sizeof(*s->rows));
	if (!s->rows) {
		ctl_note(s->ctl, "out of memory");
		return false;
	}
	while ((v = views_next(&all)))
		if (!v->fault && ctl_shows(s->ctl, v->pod))
			read_one(s, v, &node, &total);
	add_node(s, &node, &total);
	await_probes(s);
	return s->good;
}

static void show_line(const char *line, void *context)
{
	out_line(context, "%s", line);
}

/* Prints what must be seen to, before the rows. */
static void show_summary(struct ctl *ctl, const struct rundir *r)
{
	auto_networks networks = { .at = NULL };
	struct summary summary;

	(void)networks_read(&networks, ctl_value(ctl, "conf-dir"), ctl->arena, NULL);
	summary_read(&summary, r, &networks, ctl_value(ctl, "cache-dir"), ctl->arena);
	if (ctl->json || ctl->no_headers)
		return;
	if (summary.pods)
		out_line(ctl->out, "%zu pod%s with a record", summary.pods,
			 summary.pods == 1 ? "" : "s");
	if (summary_tell(&summary, ctl->arena, show_line, ctl->out) || summary.pods)
		out_end(ctl->out);
}

static int status(struct ctl *ctl)
{
	struct status s = { .ctl = ctl, .probe = ctl_flag(ctl, "probe") };
	auto_rundir r = RUNDIR_NONE;
	struct err e = { 0 };
	bool good;

	if (!rundir_open(&r, false, &e))
		return ctl_fail(ctl, &e);
	good = gather(&s, &r);
	show_summary(ctl, &r);
	show_rows(&s);
	free(s.rows);
	return good ? CTL_GOOD : CTL_BAD;
}

const struct ctl_verb ctl_verb_status = {
	.name = "status",
	.synopsis = "status [OPTION...]",
	.summary = "where steered queries go: to the cache, or to the cluster",
	.help = "Prints, for each steered pod and cache, where its queries go now, and how many\n"
		"went where:\n"
		"  cache     to the cache\n"
		"  fallback  to the cluster's DNS: the cache does not answer this pod\n"
		"  unused    no query ever came by\n"
		"  dormant   to the cluster's DNS: steering is switched off (steer off)\n"
		"  missing   to the cluster's DNS: somebody removed the rules\n"
		"The node's table (mode node) counts for all its pods together.\n",
	.options = options,
	.json = true,
	.table = true,
	.examples = "  pod-dnsctl status\n"
		    "  pod-dnsctl status --probe -n shop\n",
	.root = true,
	.run = status,
};
