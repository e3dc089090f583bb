/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: `pod-dnsctl status`: where steered queries go. */
#include "pod-dnsctl/columns.h"
#include "pod-dnsctl/out.h"
#include "pod-dnsctl/probe.h"
#include "pod-dnsctl/steered.h"
#include "pod-dnsctl/verbs.h"

#include <inttypes.h>
#include <string.h>

static const struct ctl_option options[] = {
	{ .name = "probe", .help = "ask each cache from where each pod would" },
	{ 0 },
};

/* A row: a pod and a cache, or the node's table and a cache. */
struct row {
	const char *pod; /* NULL: all pods that the node's table steers */
	struct steered_pair pair;
	bool counted;
};

static json_t *count_json(const struct row *row, uint64_t count)
{
	return row->counted ? json_integer((json_int_t)count) : json_null();
}

static json_t *row_json(const struct row *row, const struct probe *probe)
{
	const char *said = probe->result ? probe_names[probe->result] : NULL;
	const struct steered_pair *p = &row->pair;
	char cluster[ADDR_TEXT], cache[ADDR_TEXT];

	addr_print(cluster, &p->pair.cluster);
	addr_print(cache, &p->pair.cache);
	return json_pack("{s:s?, s:s, s:s, s:s, s:o, s:o, s:s*}", "pod", row->pod, "cluster",
			 cluster, "cache", cache, "state", steered_names[p->state], "toCache",
			 count_json(row, p->counts.to_cache), "toCluster",
			 count_json(row, p->counts.to_cluster), "probe", said);
}

enum { POD = 23, CACHE = 16, STATE = 9, COUNT = 10 };

static void put_count(struct columns *line, const struct row *row, uint64_t count)
{
	char text[24] = "-";

	if (row->counted)
		(void)snprintf(text, sizeof(text), "%" PRIu64, count);
	columns_put(line, OUT_PLAIN, COUNT, text);
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

static void show_head(struct out *out)
{
	struct columns line = { .out = out };

	columns_put(&line, OUT_DIM, POD, "POD");
	columns_put(&line, OUT_DIM, CACHE, "CACHE");
	columns_put(&line, OUT_DIM, STATE, "STATE");
	columns_put(&line, OUT_DIM, COUNT, "TO CACHE");
	columns_put(&line, OUT_DIM, 0, "CLUSTER");
	columns_end(&line);
}

static void row_show(const struct row *row, const struct probe *probe, struct out *out)
{
	static const enum out_style styles[] = { [STEERED_CACHE] = OUT_GREEN,
						 [STEERED_FALLBACK] = OUT_RED,
						 [STEERED_UNUSED] = OUT_YELLOW,
						 [STEERED_DORMANT] = OUT_YELLOW,
						 [STEERED_MISSING] = OUT_RED };
	const struct steered_pair *p = &row->pair;
	struct columns line = { .out = out, .indent = 2 };
	char cache[ADDR_TEXT];

	addr_print(cache, &p->pair.cache);
	columns_put(&line, OUT_BOLD, POD, row->pod ? row->pod : "(the node's table)");
	columns_put(&line, OUT_PLAIN, CACHE, cache);
	columns_put(&line, styles[p->state], STATE, steered_names[p->state]);
	put_count(&line, row, p->counts.to_cache);
	put_count(&line, row, p->counts.to_cluster);
	if (row->counted && p->counts.to_cache && !p->counts.answers)
		columns_put(&line, OUT_RED, 0, "no answer");
	put_probe(&line, probe);
	columns_end(&line);
}

/*** all of them ***/

struct status {
	struct ctl *ctl;
	bool probe;
	struct row *rows;     /* owned */
	struct probe *probes; /* owned: of each row */
	size_t n;
};

/* `netns`: where a probe is sent from; NULL: the namespace is gone. */
static void append_row(struct status *s, const struct row *row, const int *netns)
{
	struct probe *probe = &s->probes[s->n];

	s->rows[s->n++] = *row;
	*probe = PROBE_UNSENT;
	if (s->probe && netns)
		probe_send(probe, *netns, &row->pair.pair.cache);
	else if (s->probe)
		probe->result = PROBE_UNREACHABLE;
}

static void add_pod(struct status *s, const struct view *v, const struct steered *steered)
{
	auto_fd netns = s->probe ? view_open_netns(v) : -1;
	struct row row = { .pod = arena_print(s->ctl->arena, "%s", v->pod),
			   .counted = steered->steering.mode != STEER_NODE };

	for (size_t i = 0; i < steered->n; i++) {
		row.pair = steered->at[i];
		append_row(s, &row, netns < 0 ? NULL : &netns);
	}
}

static bool read_one(struct status *s, const struct view *v, struct steered_node *node,
		     struct steered_total *total)
{
	struct steered steered;
	struct err e = { 0 };

	if (!steered_read(&steered, v, node, &e)) {
		ctl_note(s->ctl, "%s: %s", v->pod, e.text);
		return false;
	}
	add_pod(s, v, &steered);
	steered_add(total, &steered);
	return true;
}

/* Adds rows for the node's table, which counts for all its pods together. */
static void add_node(struct status *s, const struct steered_node *node,
		     const struct steered_total *total)
{
	static const int own = -1;

	for (size_t i = 0; i < total->n; i++) {
		struct row row = { .counted = true };

		if (!total->at[i].node)
			continue;
		row.pair = steered_of_node(&total->at[i], node);
		append_row(s, &row, &own);
	}
}

/* Waits for the probes from index `from` on, before descriptors run out. */
static bool await_probes(struct status *s, size_t from)
{
	bool good = true;

	if (!s->probe)
		return true;
	probe_wait(s->probes + from, s->n - from);
	for (size_t i = from; i < s->n; i++)
		good &= s->probes[i].result == PROBE_ANSWERS;
	return good;
}

static void show_rows(const struct status *s)
{
	json_auto_t *all = s->ctl->json ? json_array() : NULL;

	if (!all && s->n)
		show_head(s->ctl->out);
	for (size_t i = 0; i < s->n; i++)
		if (all)
			(void)json_array_append_new(all, row_json(&s->rows[i], &s->probes[i]));
		else
			row_show(&s->rows[i], &s->probes[i], s->ctl->out);
	if (all)
		out_json(s->ctl->out, all);
}

static bool gather(struct status *s, const struct rundir *r)
{
	enum { AT_ONCE = 256 };
	auto_steered_node node = STEERED_NODE;
	auto_views all = { .run = NULL };
	struct steered_total total = { 0 };
	const struct view *v;
	size_t room, waited = 0;
	bool good = true;

	views_begin(&all, r);
	room = all.paths.n * STEERING_PAIRS + STEERED_SUMS;
	s->rows = calloc(room, sizeof(*s->rows));
	s->probes = calloc(room, sizeof(*s->probes));
	if (!s->rows || !s->probes) {
		ctl_note(s->ctl, "out of memory");
		return false;
	}
	while ((v = views_next(&all))) {
		if (!v->fault)
			good &= read_one(s, v, &node, &total);
		if (s->n - waited > AT_ONCE) {
			good &= await_probes(s, waited);
			waited = s->n;
		}
	}
	add_node(s, &node, &total);
	good &= await_probes(s, waited);
	return good && all.whole;
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
	show_rows(&s);
	free(s.rows);
	free(s.probes);
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
	.root = true,
	.run = status,
};
