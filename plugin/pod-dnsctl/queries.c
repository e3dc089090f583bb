/* queries.c: `pod-dnsctl queries`: what looking up a name costs. */
#include "pod-dnsctl/queries.h"
#include "pod-dnsctl/out.h"
#include "pod-dnsctl/verbs.h"
#include "pod-dnsctl/view.h"
#include "file.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { KNOWN = 256, FILE_MAX = 1 << 20 };

static const struct ctl_option options[] = {
	{ .name = "file", .value = "RESOLV.CONF", .help = "of this file; \"-\" is stdin" },
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

/* What the options say of names; of the name itself last. */
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

static bool read_file(struct queries *q, const char *path, struct text *text, struct err *e)
{
	bool in = strcmp(path, "-") == 0;

	*text = TEXT_UP_TO(FILE_MAX);
	q->source = in ? "stdin" : path;
	if (in ? !file_read_fd(text, STDIN_FILENO, "stdin", e)
	       : !file_read(text, AT_FDCWD, path, true, e))
		return false;
	q->text = text->at ? text->at : "";
	return true;
}

/* What was to be written for the pod; of one that was left, what the runtime wrote. */
static bool read_pod(struct queries *q, const char *which, struct err *e)
{
	auto_view v = { .record = NULL };
	auto_rundir r = RUNDIR_NONE;
	const char *text;

	if (!rundir_open(&r, false, e) || !view_find(&v, &r, which, q->arena, e))
		return false;
	text = v.text ? v.text : v.runtime_text;
	if (!text)
		return err_set(e, ERR_IO,
			       "%s: its record has no resolv.conf: it was passed through", which);
	q->text = arena_print(q->arena, "%s", text);
	q->source = arena_print(q->arena, "the file of %s", v.pod);
	return true;
}

static bool read_source(struct queries *q, const struct ctl *ctl, struct text *text, struct err *e)
{
	const char *path = ctl_value(ctl, "file");

	if (ctl->n_args > 1)
		return read_pod(q, ctl->args[1], e);
	return read_file(q, path ? path : "/etc/resolv.conf", text, e);
}

static json_t *query_json(const struct libc_query *query)
{
	char server[ADDR_TEXT];

	addr_print(server, query->server);
	return json_pack("{s:s, s:s, s:s}", "name", query->name, "type", query->aaaa ? "AAAA" : "A",
			 "server", server);
}

static void print_json(const struct queries *q, enum libc libc, struct out *out)
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
	auto_text text = TEXT_UP_TO(0);

	if (!*q.name)
		return ctl_usage(ctl, "an empty name is looked up by nobody");
	if (only && !find_libc(only, &libc))
		return ctl_usage(ctl, "--libc %s: only glibc and musl are known", only);
	if (ctl->n_args > 1 && ctl_flag(ctl, "file"))
		return ctl_usage(ctl, "a pod and --file: one of them");
	if (!read_source(&q, ctl, &text, &e))
		return ctl_fail(ctl, &e);
	if (ctl->json)
		print_json(&q, libc, ctl->out);
	else
		queries_show(&q, libc, only ? 1 : 2, ctl->out);
	return CTL_GOOD;
}

const struct ctl_verb ctl_verb_queries = {
	.name = "queries",
	.synopsis = "queries [OPTION...] NAME [ID | NAMESPACE/POD]",
	.summary = "what looking up a name costs: each query that a libc sends",
	.help = "Prints the queries that glibc and musl send for NAME, in order, until it is\n"
		"found: with /etc/resolv.conf, the file that is given, or the file of a pod of\n"
		"this node. NAME itself exists; of the other names that the search list makes of\n"
		"it, those that are said to.\n"
		"Beneath: what the same costs with ndots:2, and with autopath.\n",
	.options = options,
	.min_args = 1,
	.max_args = 2,
	.json = true,
	.run = queries,
};
