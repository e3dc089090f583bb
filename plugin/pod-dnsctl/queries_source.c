/* SPDX-License-Identifier: Apache-2.0 */
/* queries_source.c: finds the resolv.conf for a prediction. */
#include "pod-dnsctl/queries_source.h"
#include "pod-dnsctl/compute_for_pod.h"
#include "pod-dnsctl/pods.h"
#include "pod-dnsctl/view.h"
#include "file.h"

#include <fcntl.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

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

/* The text of the pod's record; of a LEFT pod the runtime's. */
static bool take_view(struct queries *q, const struct view *v, const char *which, struct err *e)
{
	const struct record *said = &v->said;
	const char *text = said->text ? said->text : said->inputs.runtime_text;

	if (!text)
		return err_set(e, ERR_IO, "%s: its record has no resolv.conf", which);
	q->text = arena_print(q->arena, "%s", text);
	q->source = arena_print(q->arena,
				said->mode == MODE_OBSERVE
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
	return views_none(which, e);
}

/*** a conflist ***/

/* The first pod of a file; NULL: no file was given, or (*e) it has none. */
static json_t *load_pod(const char *path, struct err *e)
{
	struct pods pods;
	json_t *pod = NULL;

	if (!path)
		return NULL;
	if (pods_open(&pods, path, e))
		pod = pods_next(&pods, e);
	pods_close(&pods);
	if (!pod && !e->code)
		(void)err_set(e, ERR_CONFIG, "%s: no pod in it", path);
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

bool queries_read_source(struct queries *q, struct ctl *ctl, struct err *e)
{
	const char *file = ctl_value(ctl, "file"), *conf = ctl_value(ctl, "conf");

	if (ctl->n_args > 1)
		return take_record(q, ctl->args[1], e);
	if (conf)
		return read_conf(q, ctl, conf, e);
	return take_resolv_conf(q, file ? file : "/etc/resolv.conf", e);
}
