/* verdict.c: all that ADD finds out and decides before it acts. */
#include "verdict.h"
#include "claim.h"
#include "conf.h"
#include "dnsconfig.h"
#include "guard.h"
#include "inplace.h"
#include "node.h"
#include "result.h"
#include "rule.h"
#include "sandbox.h"
#include "words.h"

#include <fcntl.h>
#include <string.h>

/*** what the runtime decided ***/

/* The runtime's file: one that the sandbox is known by, or that a template of `targets` names. */
static void find_sandbox(struct verdict *v, struct place *place)
{
	const struct conf *c = &v->network.conf;
	char path[PATH_MAX];

	place->cri = v->pod.cri;
	place->node_file = c->resolv_conf;
	if (sandbox_find(path, place->container_id, place->cri, getppid()))
		place->sandbox = arena_print(v->arena, "%s", path);
	else if (place->cri && sandbox_expect(path, place->container_id, getppid()))
		place->expected = arena_print(v->arena, "%s", path);
	v->sandbox = place->sandbox;
	for (size_t i = 0; i < c->targets.n; i++)
		if (c->targets.at[i][0] == '/' &&
		    sandbox_fill(path, c->targets.at[i], place->container_id) &&
		    sandbox_is_file(path)) {
			v->sandbox = arena_print(v->arena, "%s", path);
			break;
		}
}

/* While the file still holds what an ADD of ours wrote, the runtime's text is in its record. */
static const char *runtime_text(struct verdict *v, const struct place *place, const char *now)
{
	char folder[CLAIM_FOLDER], path[RECORD_PATH];
	auto_rundir run = RUNDIR_NONE;
	json_auto_t *record = NULL;
	struct err ignored = { 0 };
	const char *ours, *theirs;

	claim_sandbox(folder, place->container_id);
	if (!rundir_open(&run, false, &ignored) || run.fd < 0 || !claim_owner(path, &run, folder) ||
	    record_read(&record, &run, path) != RECORD_KNOWN)
		return now;
	ours = record_string(record, "text");
	theirs = record_string(json_object_get(record, "inputs"), "runtimeText");
	if (!ours || !theirs || !inplace_same(now, ours))
		return now;
	return arena_print(v->arena, "%s", theirs);
}

static bool parse_finished(struct verdict *v, const char *text, struct err *e)
{
	v->runtime_text = arena_print(v->arena, "%s", text);
	v->finished_text = TEXT_UP_TO(INPLACE_MAX);
	text_print(&v->finished_text, "%s", text);
	if (!text_ok(&v->finished_text))
		return err_set(e, ERR_IO, "the runtime's text: out of memory");
	(void)resolv_parse(&v->finished, v->finished_text.at, v->finished_text.len, RESOLV_VERBATIM,
			   FROM_RUNTIME);
	v->finished_from = "file";
	return true;
}

static bool read_finished_file(struct verdict *v, const struct place *place, struct err *e)
{
	auto_text now = TEXT_UP_TO(INPLACE_MAX);

	if (!file_read(&now, AT_FDCWD, v->sandbox, false, e))
		return false;
	text_unfit_nuls(&now);
	return parse_finished(v, runtime_text(v, place, now.at), e);
}

/* What containerd will write, or has written, for these lists: so it is known again later. */
static void expect_text(struct verdict *v)
{
	auto_text text = TEXT_UP_TO(INPLACE_MAX);

	text_put(&text, "", 0);
	resolv_render(&text, &v->finished);
	if (text_ok(&text))
		v->runtime_text = arena_print(v->arena, "%s", text.at);
	v->finished_from = "capability";
}

static bool read_finished(struct verdict *v, const struct call *call, struct place *place,
			  struct warnings *w, struct err *e)
{
	find_sandbox(v, place);
	if (ask_finished(&v->finished, call->network, e))
		expect_text(v);
	if (e->code)
		return false;
	if (!v->finished_from && place->cri && v->sandbox && !read_finished_file(v, place, e))
		return false;
	policy_clean(&v->finished, "the runtime's configuration", w);
	return true;
}

/*** the decision ***/

static bool read_node(struct verdict *v, struct inputs *in, struct warnings *w, struct err *e)
{
	if (!v->decision.needs_node)
		return true;
	text_done(&v->node_text);
	v->node_text = TEXT_UP_TO(NODE_FILE_MAX);
	if (node_read(&v->node, &v->node_text, in->conf, e)) {
		policy_clean(&v->node, "the node's resolv.conf", w);
		in->node = &v->node;
		return true;
	}
	if (!policy_bears_no_node(&v->decision))
		return false;
	warn(w, "node-file", "%s: no search is taken for the node's", e->text);
	err_clear(e);
	return true;
}

static bool decide(struct verdict *v, struct warnings *w, struct err *e)
{
	const struct conf *c = &v->network.conf;
	bool result_only = c->targets_written && !c->targets.n;
	struct inputs in = {
		.conf = c,
		.pod = &v->pod,
		.ask = &v->ask,
		.finished = v->finished_from ? &v->finished : NULL,
		.unsaid = v->pod.cri && !v->finished_from,
		.may_wait = v->mode == MODE_ENFORCE && !result_only,
		.prev = &v->prev,
		.arena = v->arena,
	};

	policy_decide(&v->decision, &in, w);
	if (v->decision.state != COMPUTED && v->decision.state != LEFT)
		return true;
	return read_node(v, &in, w, e) && policy_compute(&v->resolv, &v->decision, &in, w, e);
}

/* Where the policy was written. */
static const char *policy_key(const struct verdict *v)
{
	int from = v->decision.policy_from;

	if (from == FROM_POD)
		return v->ask.policy_channel;
	if (from == FROM_NETWORK)
		return "dnsPolicy";
	return arena_print(v->arena, "%s.dnsPolicy", from_word(v->arena, from));
}

/* None without a server: whoever said None hears of it, and a pod may be ignored in that. */
static bool decide_or_ignore(struct verdict *v, struct warnings *w, struct err *e)
{
	const struct conf *c = &v->network.conf;
	const struct decision *d = &v->decision;

	if (decide(v, w, e))
		return true;
	if (e->code != ERR_CONFIG)
		return false;
	(void)err_in(e, "%s", policy_key(v));
	if (d->policy_from != FROM_POD || c->on_pod_error == POD_ERROR_FAIL)
		return false;
	warn(w, "pod-error", "%s: ignored", e->text);
	err_clear(e);
	v->ask.policy = POLICY_UNSET;
	return decide(v, w, e);
}

/* Limits and repairs are not for a pod that chose for itself. */
void verdict_finish(struct verdict *v, struct warnings *w)
{
	const struct conf *c = &v->network.conf;
	enum guards guards = (enum guards)c->guards;
	auto_text text = TEXT_UP_TO(INPLACE_MAX);

	if (v->decision.state == COMPUTED)
		policy_limit(&v->resolv, &c->limits, w);
	else if (guards == GUARDS_FIX)
		guards = GUARDS_WARN;
	guard(&v->resolv, guards, w);
	if (resolv_is_empty(&v->resolv)) {
		warn(w, "empty-result", "the configuration is empty: it is not written");
		return;
	}
	if (!v->resolv.nameservers.n)
		warn(w, "no-nameserver", "the configuration names no nameserver");
	resolv_render(&text, &v->resolv);
	if (text_ok(&text))
		v->text = arena_print(v->arena, "%s", text.at);
	else
		warn(w, "too-long", "the configuration is longer than %d bytes: it is not written",
		     INPLACE_MAX);
}

static bool judge(struct verdict *v, const struct call *call, struct place *place,
		  struct warnings *w, struct err *e)
{
	if (!ask_read(&v->ask, &v->sources, call->network, &v->args, &v->network.conf, &v->pod, w,
		      e) ||
	    !read_finished(v, call, place, w, e))
		return false;
	result_dns(&v->prev, call->prev_result);
	policy_clean(&v->prev, "dns of prevResult", w);
	if (!decide_or_ignore(v, w, e))
		return false;
	if (v->decision.state == COMPUTED || v->decision.state == LEFT)
		verdict_finish(v, w);
	return true;
}

bool verdict_reach(struct verdict *v, const struct call *call, struct place *place,
		   struct warnings *w, struct err *e)
{
	*v = (struct verdict){ .arena = w->arena, .decision.state = PASSED };
	if (!conf_file_read(&v->network, call->network, w, e) ||
	    !args_parse(&v->args, call->args, v->arena, e) || !ask_pod(&v->pod, &v->args, e))
		return false;
	v->mode = conf_mode(&v->network.conf, rule_of(&v->network.conf.rules, &v->pod));
	if (v->network.unusable || v->mode == MODE_OFF || judge(v, call, place, w, e))
		return true;
	if (v->mode != MODE_OBSERVE)
		return false;
	warn(w, "observed", "ADD would fail: %s", e->text);
	err_clear(e);
	v->decision.state = PASSED;
	return true;
}

/*** from a record ***/

static bool read_kept(struct verdict *v, struct warnings *w, struct err *e)
{
	const json_t *kept = json_object_get(v->kept, "deferred");
	const json_t *pod = json_object_get(v->kept, "pod");
	const json_t *dns = json_object_get(kept, "dnsConfig");
	struct conf *c = &v->network.conf;

	conf_init(c);
	v->mode = MODE_ENFORCE;
	v->pod = (struct pod){
		.name = json_string_value(json_object_get(pod, "name")),
		.namespace = json_string_value(json_object_get(pod, "namespace")),
		.uid = json_string_value(json_object_get(pod, "uid")),
		.cri = true,
	};
	v->ask = (struct ask){
		.policy = json_is_true(json_object_get(kept, "keep")) ? KEEP : POLICY_UNSET,
		.policy_channel = "the pod's dnsPolicy",
		.dns_channel = "the pod's dnsConfig",
	};
	if (!v->pod.name || !v->pod.namespace || !v->pod.uid)
		return err_set(e, ERR_DECODE, "the record names no pod");
	return conf_decode(c, json_object_get(kept, "conf"), e) && conf_check(c, w, e) &&
	       (!dns || dnsconfig_read(dns, NULL, &v->ask.dns, e));
}

bool verdict_resume(struct verdict *v, json_t *record, const char *runtime_text, struct warnings *w,
		    struct err *e)
{
	*v = (struct verdict){ .arena = w->arena, .kept = json_incref(record) };
	if (!read_kept(v, w, e) || !parse_finished(v, runtime_text, e))
		return false;
	policy_clean(&v->finished, "the runtime's configuration", w);
	if (!decide_or_ignore(v, w, e))
		return false;
	if (v->decision.state == COMPUTED || v->decision.state == LEFT)
		verdict_finish(v, w);
	return true;
}

/*** without CNI ***/

bool verdict_without_cni(struct verdict *v, const char *path, const json_t *annotations,
			 struct warnings *w, struct err *e)
{
	json_auto_t *network = json_pack("{s:s}", "configFile", path);
	const struct conf *c = &v->network.conf;

	*v = (struct verdict){ .arena = w->arena, .decision.state = PASSED };
	v->pod = (struct pod){ .name = "", .namespace = "default", .uid = "" };
	v->kept = json_pack("{s:{s:O*}}", "runtimeConfig", ASK_ANNOTATIONS, (json_t *)annotations);
	if (!network || !v->kept)
		return err_set(e, ERR_IO, "out of memory");
	if (!conf_file_read(&v->network, network, w, e))
		return false;
	v->mode = conf_mode(c, rule_of(&c->rules, &v->pod));
	if (v->network.unusable || v->mode == MODE_OFF)
		return true;
	if (!ask_read(&v->ask, &v->sources, v->kept, &v->args, c, &v->pod, w, e) ||
	    !decide_or_ignore(v, w, e))
		return false;
	if (v->decision.state == COMPUTED)
		verdict_finish(v, w);
	return true;
}

void verdict_done(struct verdict *v)
{
	json_decref(v->kept);
	ask_sources_done(&v->sources);
	conf_file_done(&v->network);
	text_done(&v->finished_text);
	text_done(&v->node_text);
}
