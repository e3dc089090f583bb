/* SPDX-License-Identifier: Apache-2.0 */
/* health.c: `pod-dnsctl health`: what the DNS of pods is like, as the pods see it. */
#include "pod-dnsctl/cli/columns.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/inventory/pod_health.h"
#include "pod-dnsctl/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INTERVAL = 1 }; /* seconds between two readings: the rate */

struct health_rows {
	struct ctl *ctl;
	const char *which; /* NULL: every pod that is measured */
	struct pod_health *at;
	size_t n, silent;
};

/*** reading ***/

/* Attachments of one pod share the tables. */
static bool is_listed(const struct health_rows *rows, const char *pod)
{
	for (size_t i = 0; i < rows->n; i++)
		if (strcmp(rows->at[i].pod, pod) == 0)
			return true;
	return false;
}

static void read_health_of(struct health_rows *rows, const struct view *v, bool again)
{
	struct health now;
	struct err e = { 0 };
	bool there;

	if (!health_read(&now, &v->record.netns, &there, &e)) {
		if (!again)
			ctl_note(rows->ctl, "%s: %s", v->pod, e.text);
		rows->silent += !again;
		return;
	}
	if (!there || (!again && is_listed(rows, v->pod)))
		return;
	if (!again) {
		rows->at[rows->n++] =
			(struct pod_health){ .pod = arena_print(rows->ctl->arena, "%s", v->pod),
					     .before = now,
					     .now = now };
		return;
	}
	for (size_t i = 0; i < rows->n; i++)
		if (strcmp(rows->at[i].pod, v->pod) == 0) {
			rows->at[i].now = now;
			rows->at[i].seconds = INTERVAL;
		}
}

static bool read_all_health(struct health_rows *rows, const struct rundir *r, bool again,
			    struct err *e)
{
	auto_views all = { .run = NULL };
	struct view_choice choice;
	const struct view *v;

	if (!view_choose(&choice, rows->which, r, e))
		return false;
	views_begin(&all, r);
	if (!again)
		rows->at = arena_alloc(rows->ctl->arena, (all.paths.n + 1) * sizeof(*rows->at));
	while (rows->at && (v = views_next(&all)))
		if (view_is_chosen(v, &choice) && v->record.measured &&
		    ctl_shows(rows->ctl, v->pod))
			read_health_of(rows, v, again);
	return rows->at || err_set(e, ERR_IO, "out of memory");
}

/*** a row ***/

enum { POD = 27, QUERIES = 9, RATE = 7, FAILED = 8, TIME = 7 };

static void put_lookups_of(struct columns *line, uint64_t n, size_t width, enum out_style style)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRIu64, n);
	columns_put(line, n ? style : OUT_PLAIN, width, text);
}

static void put_time(struct columns *line, const struct health *h, double share)
{
	int ms = health_quantile(h, share);
	char text[24] = "-";

	if (ms > 0)
		(void)snprintf(text, sizeof(text), "<%dms", ms);
	else if (ms == 0)
		(void)snprintf(text, sizeof(text), ">2s");
	columns_put(line, ms == 0 ? OUT_RED : OUT_PLAIN, TIME, text);
}

/* The times as bars, from 8 ms to later. */
static void put_bars(struct columns *line, const struct health *h)
{
	static const char *const bars[] = { "_",      "\u2581", "\u2582", "\u2583", "\u2584",
					    "\u2585", "\u2586", "\u2587", "\u2588" };
	char text[8 * (HEALTH_TIMES + 1)] = "", *end = text;
	uint64_t most = 1;

	for (size_t i = 0; i <= HEALTH_TIMES; i++)
		if (h->count[HEALTH_WITHIN + i] > most)
			most = h->count[HEALTH_WITHIN + i];
	for (size_t i = 0; i <= HEALTH_TIMES; i++) {
		uint64_t n = h->count[HEALTH_WITHIN + i];

		end = stpcpy(end, bars[n ? 1 + n * 7 / most : 0]);
	}
	columns_put(line, OUT_PLAIN, 0, text);
}

static void show_health_head(struct ctl *ctl)
{
	struct columns line = { .out = ctl->out, .whole = true };

	columns_put(&line, OUT_DIM, POD, "POD");
	columns_put(&line, OUT_DIM, QUERIES, "QUERIES");
	columns_put(&line, OUT_DIM, RATE, "Q/S");
	columns_put(&line, OUT_DIM, FAILED, "NOANSW");
	columns_put(&line, OUT_DIM, FAILED, "SERVF");
	columns_put(&line, OUT_DIM, FAILED, "NXDOM");
	columns_put(&line, OUT_DIM, TIME, "P50");
	columns_put(&line, OUT_DIM, TIME, "P99");
	columns_end(&line);
}

static void show_health(struct ctl *ctl, const struct pod_health *p)
{
	struct columns line = { .out = ctl->out,
				.whole = true,
				.cut = ctl->out->tty && !ctl->wide };
	const struct health *h = &p->now;
	char rate[24];

	(void)snprintf(rate, sizeof(rate), "%.0f", health_per_second(p));
	columns_name(&line, OUT_BOLD, POD, p->pod);
	put_lookups_of(&line, h->count[HEALTH_QUERIES], QUERIES, OUT_PLAIN);
	columns_put(&line, OUT_PLAIN, RATE, rate);
	put_lookups_of(&line, health_unanswered(h), FAILED, OUT_RED);
	put_lookups_of(&line, h->count[HEALTH_SERVFAIL] + h->count[HEALTH_REFUSED], FAILED,
		       OUT_RED);
	put_lookups_of(&line, h->count[HEALTH_NXDOMAIN], FAILED, OUT_PLAIN);
	put_time(&line, h, 0.5);
	put_time(&line, h, 0.99);
	if (ctl->out->tty)
		put_bars(&line, h);
	columns_end(&line);
}

/*** the verb ***/

static void show_all_health(const struct health_rows *rows)
{
	struct ctl *ctl = rows->ctl;
	json_auto_t *all = ctl->json ? json_array() : NULL;

	if (!all && rows->n && !ctl->no_headers)
		show_health_head(ctl);
	else if (!all && !rows->n)
		ctl_note(ctl, "no pod is measured: set the key measure");
	for (size_t i = 0; i < rows->n; i++)
		if (all)
			(void)json_array_append_new(all, health_json(&rows->at[i]));
		else
			show_health(ctl, &rows->at[i]);
	if (all)
		out_json(ctl->out, all);
}

static bool show_once(struct ctl *ctl, bool *silent, struct err *e)
{
	struct health_rows rows = { .ctl = ctl, .which = ctl->n_args ? ctl->args[0] : NULL };
	auto_rundir r = RUNDIR_NONE;

	if (!rundir_open(&r, false, e) || !read_all_health(&rows, &r, false, e))
		return false;
	if (rows.n)
		(void)nanosleep(&(struct timespec){ .tv_sec = INTERVAL }, NULL);
	if (rows.n && !read_all_health(&rows, &r, true, e))
		return false;
	qsort(rows.at, rows.n, sizeof(*rows.at), health_by_trouble);
	show_all_health(&rows);
	*silent = rows.silent > 0;
	return true;
}

static int health(struct ctl *ctl)
{
	struct err e = { 0 };
	bool silent, done;

	do {
		auto_arena arena = { 0 }; /* of one look */
		struct ctl look = *ctl;

		look.arena = &arena;
		done = show_once(&look, &silent, &e);
		if (ctl_flag(ctl, "watch"))
			out_end(ctl->out);
	} while (done && ctl_flag(ctl, "watch") && out_ok(ctl->out));
	if (!done)
		return ctl_fail(ctl, &e);
	return silent ? CTL_BAD : CTL_GOOD;
}

static const struct ctl_option options[] = {
	{ .name = "watch", .help = "print again every second" },
	{ 0 },
};

const struct ctl_verb ctl_verb_health = {
	.name = "health",
	.synopsis = "health [OPTION...] [ID|NAMESPACE/POD]",
	.summary = "queries, failures and times, as the pods see them",
	.help = "Prints a row for each pod that the key measure is set for, the worst first:\n"
		"its queries, how many a second, how many were not answered, failed (SERVFAIL\n"
		"and REFUSED) or found no name (NXDOMAIN), and the time within which half of\n"
		"the answers and 99 % of them came.\n",
	.examples = "  pod-dnsctl health\n"
		    "  pod-dnsctl health --watch shop/web-0\n",
	.options = options,
	.max_args = 1,
	.json = true,
	.table = true,
	.root = true,
	.run = health,
};
