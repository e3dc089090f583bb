/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.c: `pod-dnsctl metrics`: the node in Prometheus' text format. */
#include "pod-dnsctl/inventory/missing.h"
#include "pod-dnsctl/inventory/networks.h"
#include "pod-dnsctl/inventory/nri_metrics.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/inventory/health_sums.h"
#include "steer/steer_status.h"
#include "pod-dnsctl/inventory/summary.h"
#include "pod-dnsctl/inventory/view.h"
#include "pod-dnsctl/verbs.h"
#include "file.h"
#include "text.h"
#include "version.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum { METRICS_MAX = 16 << 20 };

struct metrics {
	const struct networks *networks;
	struct arena *arena;
	/* Counts by printed labels; owned. */
	json_t *attachments, *late, *warnings;
	size_t stale, unrecognised;
	struct steer_status_total steered;
	struct summary summary;
	struct health_sums health;
};

static void metrics_begin(struct metrics *m, const struct networks *networks, struct arena *a)
{
	*m = (struct metrics){ .networks = networks,
			       .arena = a,
			       .attachments = json_object(),
			       .late = json_object(),
			       .warnings = json_object() };
}

static void metrics_done(struct metrics *m)
{
	json_decref(m->attachments);
	json_decref(m->late);
	json_decref(m->warnings);
	health_sums_done(&m->health);
}

/*** counting ***/

/* A label's value, escaped. Characters that cannot be printed are made visible first: users choose
 * names. */
static const char *label(const char *value, struct arena *a)
{
	char shown[1024], quoted[2 * sizeof(shown)];
	size_t n = 0;

	text_escape(shown, sizeof(shown), value);
	for (const char *s = shown; *s; s++) {
		if (*s == '\\' || *s == '"')
			quoted[n++] = '\\';
		quoted[n++] = *s;
	}
	quoted[n] = '\0';
	return arena_print(a, "%s", quoted);
}

static void count_labels(json_t *counts, const char *labels)
{
	json_int_t n = json_integer_value(json_object_get(counts, labels));

	(void)json_object_set_new_nocheck(counts, labels, json_integer(n + 1));
}

static void count_warnings(struct metrics *m, const struct view *v)
{
	for (size_t i = 0; i < v->record.warnings.n; i++)
		count_labels(m->warnings,
			     arena_print(m->arena, "kind=\"%s\"",
					 label(v->record.warnings.at[i].kind, m->arena)));
}

/* Counts an attachment. False: the kernel does not tell about its steering; the rest counts. */
static bool metrics_add(struct metrics *m, const struct view *v, struct steer_node_status *node,
			struct err *e)
{
	struct steer_status steered;

	count_labels(m->attachments,
		     arena_print(m->arena, "network=\"%s\",policy=\"%s\",steer=\"%s\"",
				 label(v->record.at.network, m->arena),
				 label(v->policy ? v->policy : v->state, m->arena),
				 label(v->steer, m->arena)));
	if (v->late)
		count_labels(m->late,
			     arena_print(m->arena, "outcome=\"%s\"", label(v->late, m->arena)));
	count_warnings(m, v);
	m->stale += live_network_outdates(m->networks, &v->record);
	m->unrecognised += v->record.decision.unrecognised;
	if (!health_sums_add(&m->health, v, m->arena, e) ||
	    !steer_status_read(&steered, &v->record, node, e))
		return false;
	steer_status_add(&m->steered, &steered);
	return true;
}

/* Adds the counters of the node's table; once, after all attachments. */
static void metrics_add_node(struct metrics *m, const struct steer_node_status *node)
{
	for (size_t i = 0; i < m->steered.n; i++) {
		struct steer_status_sum *sum = &m->steered.at[i];
		struct steer_status_pair pair;

		if (!sum->node)
			continue;
		pair = steer_status_of_node(sum, node);
		sum->counts.to_cache += pair.counts.to_cache;
		sum->counts.to_fallback += pair.counts.to_fallback;
	}
}

/*** the text ***/

static void put_head(struct text *out, const char *name, const char *type, const char *help)
{
	text_print(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void put_counts(struct text *out, const char *name, const char *help, json_t *counts)
{
	const char *labels;
	json_t *n;

	put_head(out, name, "gauge", help);
	json_object_foreach (counts, labels, n)
		text_print(out, "%s{%s} %" JSON_INTEGER_FORMAT "\n", name, labels,
			   json_integer_value(n));
}

static void put_number(struct text *out, const char *name, const char *help, size_t n)
{
	put_head(out, name, "gauge", help);
	text_print(out, "%s %zu\n", name, n);
}

static void put_pair(struct text *out, const struct steer_status_sum *sum)
{
	char cluster[ADDR_TEXT], cache[ADDR_TEXT];

	addr_print(cluster, &sum->pair.cluster);
	addr_print(cache, &sum->pair.cache);
	text_print(out, "cache=\"%s\",cluster=\"%s\"", cache, cluster);
}

static void put_states(struct text *out, const struct steer_status_total *total)
{
	put_head(out, "pod_dns_cache_state", "gauge",
		 "Steered pods by where their queries for a cluster DNS address go now.");
	for (size_t i = 0; i < total->n; i++)
		for (size_t s = 0; s < STEER_STATES; s++) {
			text_print(out, "pod_dns_cache_state{");
			put_pair(out, &total->at[i]);
			text_print(out, ",state=\"%s\"} %zu\n", steer_state_names[s],
				   total->at[i].pods[s]);
		}
}

static void put_queries(struct text *out, const struct steer_status_total *total)
{
	static const char *const to[] = { "cache", "cluster" };

	put_head(out, "pod_dns_queries_total", "counter",
		 "UDP queries of the pods that run now, by where they were sent.");
	for (size_t i = 0; i < total->n; i++)
		for (size_t t = 0; t < LEN(to); t++) {
			const struct steer_counts *c = &total->at[i].counts;

			text_print(out, "pod_dns_queries_total{");
			put_pair(out, &total->at[i]);
			text_print(out, ",to=\"%s\"} %" PRIu64 "\n", to[t],
				   t ? c->to_fallback : c->to_cache);
		}
}

static void put_networks(struct text *out, const struct metrics *m)
{
	const struct known_networks *all = &m->summary.networks;

	put_head(out, "pod_dns_chained", "gauge",
		 "1: pod-dns is in the network's chain. 0: it was, and new pods are not served.");
	for (size_t i = 0; i < all->n; i++)
		text_print(out, "pod_dns_chained{network=\"%s\"} %d\n",
			   label(all->at[i].name, m->arena), all->at[i].chained);
	put_head(out, "pod_dns_missing", "gauge", "Running pods of the network without a record.");
	for (size_t i = 0; i < all->n; i++)
		text_print(out, "pod_dns_missing{network=\"%s\"} %zu\n",
			   label(all->at[i].name, m->arena), all->at[i].missing);
}

static void put_lookups(struct text *out, const struct metrics *m)
{
	static const char *const rcodes[] = { "NOERROR", "NXDOMAIN", "SERVFAIL", "REFUSED",
					      "other" };

	put_head(out, "pod_dns_lookups_total", "counter",
		 "UDP queries of measured pods, by the answer's rcode; none: not answered.");
	for (size_t i = 0; i < m->health.n; i++) {
		const struct health_sum *h = &m->health.at[i];
		const char *namespace = label(h->namespace, m->arena);

		for (size_t k = 0; k < LEN(rcodes); k++)
			text_print(out,
				   "pod_dns_lookups_total{namespace=\"%s\",rcode=\"%s\"} %" PRIu64
				   "\n",
				   namespace, rcodes[k], h->sum.count[HEALTH_NOERROR + k]);
		text_print(out,
			   "pod_dns_lookups_total{namespace=\"%s\",rcode=\"none\"} %" PRIu64 "\n",
			   namespace, health_unanswered(&h->sum));
	}
}

/* A histogram's sum cannot be known from its buckets: it is left out, as Prometheus allows. */
static void put_times(struct text *out, const struct metrics *m)
{
	static const char name[] = "pod_dns_lookup_seconds";

	put_head(out, name, "histogram", "Time to the answer, of queries that were answered.");
	for (size_t i = 0; i < m->health.n; i++) {
		const char *namespace = label(m->health.at[i].namespace, m->arena);
		const uint64_t *within = &m->health.at[i].sum.count[HEALTH_WITHIN];
		uint64_t n = 0;

		for (size_t k = 0; k < HEALTH_TIMES; k++)
			text_print(out, "%s_bucket{namespace=\"%s\",le=\"%g\"} %" PRIu64 "\n", name,
				   namespace, health_times[k] / 1e3, n += within[k]);
		n += within[HEALTH_TIMES];
		text_print(out, "%s_bucket{namespace=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name,
			   namespace, n);
		text_print(out, "%s_count{namespace=\"%s\"} %" PRIu64 "\n", name, namespace, n);
	}
}

static void metrics_render(struct text *out, const struct metrics *m)
{
	put_head(out, "pod_dns_build_info", "gauge", "The version of pod-dnsctl.");
	text_print(out, "pod_dns_build_info{version=\"" POD_DNS_VERSION "\"} 1\n");
	put_counts(out, "pod_dns_attachments", "Attachments with a record on this node.",
		   m->attachments);
	put_counts(out, "pod_dns_late", "Files that were written after ADD, by what became of it.",
		   m->late);
	put_counts(out, "pod_dns_warnings", "Warnings in the records, by kind.", m->warnings);
	put_number(out, "pod_dns_stale",
		   "Attachments made with another configuration than the network's of now.",
		   m->stale);
	put_number(out, "pod_dns_unrecognised",
		   "Pods whose configuration by kubelet does not fit the network's clusterDNS.",
		   m->unrecognised);
	put_networks(out, m);
	put_number(out, "pod_dns_steer_off", "1: steering is switched off on this node.",
		   m->summary.disabled);
	put_states(out, &m->steered);
	put_queries(out, &m->steered);
	put_lookups(out, m);
	put_times(out, m);
}

/*** the verb ***/

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
	auto_steer_node_status node = STEER_NODE_STATUS;
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

static const struct ctl_option options[] = {
	{ .name = "output",
	  .value = "FILE",
	  .help = "write them to FILE, atomically, for\nnode_exporter's textfile collector" },
	NETWORKS_OPTION,
	LIBCNI_CACHE_OPTION,
	{ 0 },
};

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
	summary_read(&m.summary, &r, &networks, ctl_value(ctl, "cache-dir"), ctl->arena);
	metrics_render(&text, &m);
	nri_metrics(&text, &r);
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
		"format. If the kernel gives no answer about a pod, there is a note on stderr\n"
		"and the exit status is 1. The other pods are printed.\n",
	.options = options,
	.root = true,
	.examples =
		"  pod-dnsctl metrics\n"
		"  pod-dnsctl metrics --output /var/lib/prometheus/node-exporter/pod-dns.prom\n",
	.run = metrics,
};
