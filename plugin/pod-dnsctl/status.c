/* status.c: `pod-dnsctl status`: where steered queries go. */
#include "pod-dnsctl/out.h"
#include "pod-dnsctl/steered.h"
#include "pod-dnsctl/verbs.h"

#include <inttypes.h>
#include <string.h>

/* A row: a pod and a cache, or the node's table and a cache. */
struct row {
	const char *pod; /* NULL: all pods that the node's table steers */
	const struct steered_pair *pair;
	bool counted;
};

static json_t *count_json(const struct row *row, uint64_t count)
{
	return row->counted ? json_integer((json_int_t)count) : json_null();
}

static json_t *row_json(const struct row *row)
{
	const struct steered_pair *p = row->pair;
	char cluster[ADDR_TEXT], cache[ADDR_TEXT];

	addr_print(cluster, &p->pair.cluster);
	addr_print(cache, &p->pair.cache);
	return json_pack("{s:s?, s:s, s:s, s:s, s:o, s:o}", "pod", row->pod, "cluster", cluster,
			 "cache", cache, "state", steered_names[p->state], "toCache",
			 count_json(row, p->counts.to_cache), "toCluster",
			 count_json(row, p->counts.to_cluster));
}

static void put_count(struct out *out, const struct row *row, uint64_t count)
{
	if (row->counted)
		out_put(out, OUT_PLAIN, " %9" PRIu64, count);
	else
		out_put(out, OUT_PLAIN, " %9s", "-");
}

static void row_show(const struct row *row, struct out *out)
{
	enum { POD = 26 };
	static const enum out_style styles[] = { [STEERED_CACHE] = OUT_GREEN,
						 [STEERED_FALLBACK] = OUT_RED,
						 [STEERED_UNUSED] = OUT_YELLOW,
						 [STEERED_DORMANT] = OUT_YELLOW,
						 [STEERED_MISSING] = OUT_RED };
	const struct steered_pair *p = row->pair;
	const char *pod = row->pod ? row->pod : "(the node's table)";
	char cache[ADDR_TEXT];

	addr_print(cache, &p->pair.cache);
	out_put(out, OUT_BOLD, "%-*s", POD, pod);
	if (strlen(pod) > POD) {
		out_end(out);
		out_put(out, OUT_PLAIN, "%*s", POD, "");
	}
	out_put(out, OUT_PLAIN, " %-15s ", cache);
	out_put(out, styles[p->state], "%-8s", steered_names[p->state]);
	put_count(out, row, p->counts.to_cache);
	put_count(out, row, p->counts.to_cluster);
	if (row->counted && p->counts.to_cache && !p->counts.answers)
		out_put(out, OUT_RED, "  no answer");
	out_end(out);
}

/*** all of them ***/

struct status {
	struct ctl *ctl;
	json_t *all; /* NULL: for a person */
	bool head;   /* is printed */
};

static void tell(struct status *s, const struct row *row)
{
	if (s->all) {
		(void)json_array_append_new(s->all, row_json(row));
		return;
	}
	if (!s->head) {
		out_put(s->ctl->out, OUT_DIM, "%-26s %-15s %-8s %9s %9s", "POD", "CACHE", "STATE",
			"TO CACHE", "CLUSTER");
		out_end(s->ctl->out);
		s->head = true;
	}
	row_show(row, s->ctl->out);
}

static void tell_pod(struct status *s, const struct view *v, const struct steered *steered)
{
	for (size_t i = 0; i < steered->n; i++)
		tell(s, &(struct row){ v->pod, &steered->at[i],
				       steered->steering.mode != STEER_NODE });
}

static bool read_one(struct status *s, const struct rundir *r, const char *path,
		     struct steered_node *node, struct steered_total *total)
{
	struct arena a = { 0 };
	auto_view v = { .record = NULL };
	struct steered steered;
	struct err e = { 0 };
	const char *why;
	bool done = true;

	if (view_read(&v, r, path, &why, &a)) {
		done = steered_read(&steered, &v, node, &e);
		if (done) {
			tell_pod(s, &v, &steered);
			steered_add(total, &steered);
		} else {
			ctl_note(s->ctl, "%s: %s", v.pod, e.text);
		}
	}
	arena_done(&a);
	return done;
}

/* The node's table counts for all its pods together. */
static void tell_node(struct status *s, const struct steered_node *node,
		      const struct steered_total *total)
{
	for (size_t i = 0; i < total->n; i++) {
		struct steered_pair pair;

		if (!total->at[i].node)
			continue;
		pair = steered_of_node(&total->at[i], node);
		tell(s, &(struct row){ NULL, &pair, true });
	}
}

static int status(struct ctl *ctl)
{
	struct status s = { .ctl = ctl, .all = ctl->json ? json_array() : NULL };
	auto_steered_node node = STEERED_NODE;
	static struct steered_total total;
	auto_view_paths paths = { .n = 0 };
	auto_rundir r = RUNDIR_NONE;
	struct err e = { 0 };
	bool good = true;

	if (!rundir_open(&r, false, &e))
		return ctl_fail(ctl, &e);
	view_list(&paths, &r);
	for (size_t i = 0; i < paths.n; i++)
		good &= read_one(&s, &r, paths.at[i], &node, &total);
	tell_node(&s, &node, &total);
	if (s.all)
		out_json(ctl->out, s.all);
	json_decref(s.all);
	return good && !paths.failed ? CTL_GOOD : CTL_BAD;
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
	.json = true,
	.root = true,
	.run = status,
};
