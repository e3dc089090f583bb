/* SPDX-License-Identifier: Apache-2.0 */
/* queries.c: `pod-dnsctl queries`: predicts the queries for a name. */
#include "pod-dnsctl/lookup/queries.h"
#include "pod-dnsctl/inventory/compute_for_pod.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/inventory/pods.h"
#include "pod-dnsctl/verbs.h"
#include "pod-dnsctl/inventory/view.h"
#include "file.h"

#include <fcntl.h>
#include <string.h>

enum { KNOWN = 256, FILE_MAX = 1 << 20 };

static const struct ctl_option options[] = {
	{ .name = "file", .value = "RESOLV.CONF", .help = "of this file; \"-\" is stdin" },
	{ .name = "conf",
	  .value = "CONFLIST",
	  .help = "of the file that a pod would get on a\nnode with this conflist" },
	{ .name = "pod",
	  .value = "POD.json",
	  .help = "the pod, as kubectl prints it (an ordinary\none of namespace default)" },
	{ .name = "libc", .value = "glibc|musl", .help = "of this libc alone (JSON: glibc)" },
	{ .name = "nowhere", .help = "NAME itself does not exist" },
	{ .name = "exists", .value = "NAME", .repeats = true, .help = "this name exists" },
	{ .name = "nodata",
	  .value = "NAME",
	  .repeats = true,
	  .help = "this name exists, and has no addresses" },
	{ .name = "servfail",
	  .value = "NAME",
	  .repeats = true,
	  .help = "the server fails at this name" },
	{ 0 },
};

/*** a file ***/

static bool take_resolv_conf(struct queries *q, const char *path, struct err *e)
{
	auto_text text = TEXT_UP_TO(FILE_MAX);
	bool in = strcmp(path, "-") == 0;

	if (in ? !file_read_fd(&text, STDIN_FILENO, "stdin", e)
	       : !file_read(&text, AT_FDCWD, path, true, e))
		return false;
	q->text = arena_print(q->arena, "%s", text.at ? text.at : "");
	q->source = in ? "stdin" : path;
	return true;
}

/*** a pod of this node ***/

/* The text of the pod's record; of a KEPT pod the runtime's. */
static bool take_view(struct queries *q, const struct view *v, const char *which, struct err *e)
{
	const struct record *record = &v->record;
	const char *text = record->text ? record->text : record->inputs.runtime_text;

	if (!text)
		return err_set(e, ERR_IO, "%s: its record does not hold a resolv.conf", which);
	q->text = arena_print(q->arena, "%s", text);
	q->source = arena_print(q->arena,
				record->mode == MODE_OBSERVE
					? "the file that %s would have (mode observe)"
					: "the file of %s",
				v->pod);
	return true;
}

static bool take_record(struct queries *q, const char *which, struct err *e)
{
	auto_rundir r = RUNDIR_NONE;
	auto_views all = { .run = NULL };
	const struct view *v;

	if (!rundir_open(&r, false, e))
		return false;
	views_begin(&all, &r);
	while ((v = views_next(&all)))
		if (view_is(v, which))
			return take_view(q, v, which, e);
	return err_no_record(which, &r, e);
}

/*** a conflist ***/

/* The first pod of a file; NULL: a file was not given, or (*e) it does not hold a pod. */
static json_t *load_pod(const char *path, struct err *e)
{
	struct pods pods;
	json_t *pod = NULL;

	if (!path)
		return NULL;
	if (pods_open(&pods, path, e))
		pod = json_incref(pods_next(&pods, e));
	pods_close(&pods);
	if (!pod && !e->code)
		(void)err_set(e, ERR_CONFIG, "%s: the list is empty", path);
	return pod;
}

static bool make_file(struct queries *q, struct ctl *ctl, struct pod_network *network,
		      const json_t *pod, struct err *e)
{
	static struct pod_dns dns;
	struct warnings warnings = { .arena = q->arena };
	bool done = compute_for_pod(&dns, network, pod, &warnings, e);

	if (done) {
		ctl_tell(ctl, &warnings);
		q->autopath_zone = arena_print(q->arena, "%s", network->network.conf.autopath_zone);
		q->text = dns.outcome->text ? arena_print(q->arena, "%s", dns.outcome->text) : "";
		q->source = arena_print(q->arena, "the file that %s would get",
					pod ? dns.who : "a pod of namespace default");
	} else {
		(void)err_in(e, "%s: ", dns.who);
	}
	pod_dns_done(&dns);
	return done;
}

static bool read_conf(struct queries *q, struct ctl *ctl, const char *path, struct err *e)
{
	static struct pod_network network;
	json_auto_t *pod = load_pod(ctl_value(ctl, "pod"), e);
	bool done = !e->code && pod_network_read(&network, path, q->arena, e) &&
		    make_file(q, ctl, &network, pod, e);

	pod_network_done(&network);
	return done;
}

/* Fills text, source and autopath zone, from the second operand, --conf, --file or
 * /etc/resolv.conf. Warnings about the pod become notes. */
static bool read_source(struct queries *q, struct ctl *ctl, struct err *e)
{
	const char *file = ctl_value(ctl, "file"), *conf = ctl_value(ctl, "conf");

	if (ctl->n_args > 1)
		return take_record(q, ctl->args[1], e);
	if (conf)
		return read_conf(q, ctl, conf, e);
	return take_resolv_conf(q, file ? file : "/etc/resolv.conf", e);
}

/*** the verb ***/

/* The options' facts about names; the one about the looked-up name comes last. */
static size_t read_known(const struct ctl *ctl, struct queries_known out[static KNOWN])
{
	static const struct {
		const char *option;
		enum libc_answer answer;
	} kinds[] = { { "servfail", LIBC_SERVFAIL },
		      { "nodata", LIBC_NODATA },
		      { "exists", LIBC_FOUND } };
	const char *name;
	size_t n = 0;

	for (size_t k = 0; k < LEN(kinds); k++)
		for (size_t i = 0; n < KNOWN - 1 && (name = ctl_value_at(ctl, kinds[k].option, i));
		     i++)
			out[n++] = (struct queries_known){ name, kinds[k].answer };
	if (!ctl_flag(ctl, "nowhere"))
		out[n++] = (struct queries_known){ ctl->args[0], LIBC_FOUND };
	return n;
}

static json_t *query_json(const struct libc_query *query)
{
	char server[ADDR_TEXT];

	addr_print(server, query->server);
	return json_pack("{s:s, s:s, s:s}", "name", query->name, "type", query->aaaa ? "AAAA" : "A",
			 "server", server);
}

static void print_queries(const struct queries *q, enum libc libc, struct out *out)
{
	static struct libc_lookup lookup;
	static struct libc_conf conf;
	json_auto_t *all = NULL;
	json_t *list = json_array();

	queries_look_up(&lookup, &conf, q, libc);
	for (size_t i = 0; i < lookup.n; i++)
		(void)json_array_append_new(list, query_json(&lookup.at[i]));
	all = json_pack("{s:s, s:o, s:I}", "libc", libc_names[libc], "queries", list, "total",
			(json_int_t)lookup.n);
	out_json(out, all);
}

static bool find_libc(const char *name, enum libc *libc)
{
	for (int i = 0; libc_names[i]; i++)
		if (strcmp(libc_names[i], name) == 0) {
			*libc = (enum libc)i;
			return true;
		}
	return false;
}

static int queries(struct ctl *ctl)
{
	static struct queries_known known[KNOWN];
	const char *only = ctl_value(ctl, "libc");
	struct queries q = { .name = ctl->args[0],
			     .autopath_zone = "ap.k8s.io",
			     .known = known,
			     .n = read_known(ctl, known),
			     .arena = ctl->arena };
	enum libc libc = LIBC_GLIBC;
	struct err e = { 0 };
	int sources = (ctl->n_args > 1) + ctl_flag(ctl, "file") + ctl_flag(ctl, "conf");

	if (!*q.name)
		return ctl_usage(ctl, "an empty name is looked up by nobody");
	if (only && !find_libc(only, &libc))
		return ctl_usage(ctl, "--libc %s: only glibc and musl are known", only);
	if (sources > 1)
		return ctl_usage(ctl, "a pod, --file and --conf: one of them");
	if (ctl_flag(ctl, "pod") && !ctl_flag(ctl, "conf"))
		return ctl_usage(ctl, "--pod goes with --conf");
	if (!read_source(&q, ctl, &e))
		return ctl_fail(ctl, &e);
	if (ctl->json)
		print_queries(&q, libc, ctl->out);
	else
		queries_show(&q, libc, only ? 1 : 2, ctl->out);
	return CTL_GOOD;
}

const struct ctl_verb ctl_verb_queries = {
	.name = "queries",
	.synopsis = "queries [OPTION...] NAME [ID | NAMESPACE/POD]",
	.summary = "what looking up a name costs: each query that a libc sends",
	.help = "Prints the queries that glibc and musl send for NAME, in order, until it is\n"
		"found: with /etc/resolv.conf, the file that is given, the file of a pod of\n"
		"this node, or the one that a conflist would make. NAME itself exists; of the\n"
		"other names that the search list makes of it, those that are said to.\n"
		"Beneath: what the same costs with ndots:2, and with autopath.\n",
	.options = options,
	.min_args = 1,
	.max_args = 2,
	.json = true,
	.examples = "  pod-dnsctl queries www.example.com shop/web-0\n"
		    "  pod-dnsctl queries --nowhere --exists api.shop.svc.cluster.local api\n",
	.run = queries,
};
