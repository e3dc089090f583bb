/* SPDX-License-Identifier: Apache-2.0 */
/* render.c: `pod-dnsctl render`: the resolv.conf that a pod would get. */
#include "diff.h"
#include "enum_names.h"
#include "pod-dnsctl/inventory/compute_for_pod.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/inventory/pods.h"
#include "pod-dnsctl/verbs.h"
#include "pod-dnsctl/inventory/view.h"
#include "targets/inplace.h"

static const struct ctl_option options[] = {
	{ .name = "pod",
	  .value = "POD.json",
	  .repeats = true,
	  .help = "as `kubectl get pod -o json` prints it, one or a\n"
		  "List; \"-\" is stdin (default: an ordinary pod)" },
	{ .name = "diff", .help = "show the differences from plain kubelet" },
	{ 0 },
};

/* The state of a run over all pods. */
struct render {
	struct ctl *ctl;
	struct pod_network network;
	bool diff, list;
	size_t n;	/* pods so far */
	size_t refused; /* those among them with an error */
};

/*** JSON ***/

static json_t *warnings_json(const struct warnings *w)
{
	json_t *array = json_array();

	for (size_t i = 0; i < w->n; i++)
		(void)json_array_append_new(array, json_pack("{s:s, s:s}", "kind", w->at[i].kind,
							     "text", w->at[i].text));
	return array;
}

/* The difference from kubelet's text to the pod's; empty: they are equal. */
static struct text diff_of(const struct pod_dns *p)
{
	const char *kubelets = p->kubelet.text ? p->kubelet.text : "";
	const char *own = p->outcome->text ? p->outcome->text : "";
	struct text diff = TEXT_UP_TO((size_t)4 * INPLACE_MAX);

	diff_unified(&diff, "kubelet", kubelets, "pod-dns", own);
	return diff;
}

static json_t *pod_json(const struct render *r, const struct pod_dns *p, const struct warnings *w)
{
	json_t *object =
		json_pack("{s:s?, s:o, s:s, s:s, s:o}", "resolvConf", p->outcome->text, "dns",
			  view_dns(&p->outcome->resolv), "policy", policy_names[p->policy], "state",
			  state_names[p->computed.decision.state], "warnings", warnings_json(w));

	if (r->list)
		(void)json_object_set_new(object, "pod", out_string(p->who));
	if (r->diff) {
		auto_text diff = diff_of(p);

		(void)json_object_set_new(object, "diff",
					  json_string(text_ok(&diff) ? diff.at : ""));
	}
	return object;
}

static json_t *refused_json(const struct pod_dns *p, const struct err *e)
{
	return json_pack("{s:o, s:o, s:n}", "pod", out_string(p->who), "error", out_string(e->text),
			 "resolvConf");
}

/*** one pod ***/

/* Prints an item of the list at once: 10,000 pods take no more memory than one. */
static void print_item(struct render *r, json_t *object)
{
	struct out *out = r->ctl->out;

	if (r->list)
		out_line(out, r->n ? "," : "[");
	out_json(out, object);
	json_decref(object);
}

static void print_text(struct render *r, const struct pod_dns *p, const struct warnings *w)
{
	struct out *out = r->ctl->out;

	if (r->list) {
		if (r->n)
			out_line(out, "%s", "");
		out_put(out, OUT_BOLD, "# %s", p->who);
		out_end(out);
	}
	if (r->diff) {
		auto_text diff = diff_of(p);

		out_text(out, text_ok(&diff) ? diff.at : "");
	} else if (p->outcome->text) {
		out_text(out, p->outcome->text);
	} else {
		ctl_note(r->ctl, "%s: nothing is written", p->who);
	}
	for (size_t i = r->n ? r->network.warnings.n : 0; i < w->n; i++)
		ctl_note(r->ctl, "%s: %s", p->who, w->at[i].text);
}

static void print_refused(struct render *r, const struct pod_dns *p, const struct err *e)
{
	r->refused++;
	if (r->list && r->ctl->json)
		print_item(r, refused_json(p, e));
	else
		ctl_note(r->ctl, "%s: %s", p->who, e->text);
}

static void render_pod(struct render *r, const json_t *pod)
{
	struct arena arena = { 0 };
	struct warnings warnings = { .arena = &arena };
	struct pod_dns dns;
	struct err e = { 0 };

	if (!compute_for_pod(&dns, &r->network, pod, &warnings, &e))
		print_refused(r, &dns, &e);
	else if (r->ctl->json)
		print_item(r, pod_json(r, &dns, &warnings));
	else
		print_text(r, &dns, &warnings);
	r->n++;
	pod_dns_done(&dns);
	arena_done(&arena);
}

/*** all pods ***/

static bool render_file(struct render *r, const char *path, struct err *e)
{
	struct pods pods;
	bool opened = pods_open(&pods, path, e);
	json_t *pod;

	r->list = r->list || pods.list;
	while (opened && out_ok(r->ctl->out) && (pod = pods_next(&pods, e))) {
		render_pod(r, pod);
	}
	pods_close(&pods);
	return !e->code;
}

static bool render_all(struct render *r, struct err *e)
{
	struct ctl *ctl = r->ctl;
	const char *path;
	bool done = true;

	if (!ctl_value(ctl, "pod"))
		render_pod(r, NULL);
	r->list = ctl_value_at(ctl, "pod", 1) != NULL;
	for (size_t i = 0; done && (path = ctl_value_at(ctl, "pod", i)); i++)
		done = render_file(r, path, e);
	if (ctl->json && r->list) {
		if (!r->n)
			out_line(ctl->out, "[");
		out_line(ctl->out, "]");
	}
	return done;
}

static int render(struct ctl *ctl)
{
	struct render r = { .ctl = ctl, .diff = ctl_flag(ctl, "diff") };
	struct err e = { 0 };
	const char *path = ctl->n_args ? ctl->args[0] : own_conflist(ctl->arena, &e);
	bool done =
		path && pod_network_read(&r.network, path, ctl->arena, &e) && render_all(&r, &e);

	pod_network_done(&r.network);
	if (!done)
		return ctl_fail(ctl, &e);
	return r.refused ? CTL_BAD : CTL_GOOD;
}

const struct ctl_verb ctl_verb_render = {
	.name = "render",
	.synopsis = "render [--diff] [--pod POD.json]... [CONFLIST]",
	.summary = "the resolv.conf that a pod would get",
	.help = "Prints the file that a pod would get on a node with CONFLIST (without one: the\n"
		"node's own network), by kubelet's rules and then by pod-dns's. dnsPolicy,\n"
		"dnsConfig, hostNetwork, namespace and annotations count as the API server,\n"
		"kubelet and the plugin take them.\n"
		"What the API server refuses is refused. Nothing is changed.\n",
	.examples = "  pod-dnsctl render --diff\n"
		    "  kubectl get pod -n shop web-0 -o json | pod-dnsctl render --pod -\n",
	.options = options,
	.max_args = 1,
	.json = true,
	.run = render,
};
