/* compute.c: all that ADD finds out and decides before it acts. */
#include "attachment/compute.h"
#include "config/conf.h"
#include "config/dnsconfig.h"
#include "policy/guard.h"
#include "targets/inplace.h"
#include "config/nodefile.h"
#include "cni/result.h"
#include "config/rule.h"
#include "steer/steering.h"
#include "policy/limits.h"
#include "names.h"

#include <string.h>

/*** the decision ***/

static bool read_node(struct computed *v, struct inputs *in, struct warnings *w, struct err *e)
{
	if (!v->decision.needs_node)
		return true;
	text_done(&v->node_text);
	v->node_text = TEXT_UP_TO(NODEFILE_MAX);
	if (nodefile_read(&v->node, &v->node_text, in->conf, e)) {
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

static bool decide(struct computed *v, struct warnings *w, struct err *e)
{
	const struct conf *c = &v->network.conf;
	bool result_only = c->targets_written && !c->targets.n;
	struct inputs in = {
		.conf = c,
		.pod = &v->pod,
		.ask = &v->ask,
		.finished = v->finished.from ? &v->finished.lists : NULL,
		.unsaid = v->pod.cri && !v->finished.from,
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
static const char *policy_key(const struct computed *v)
{
	int from = v->decision.policy_from;

	if (from == FROM_POD)
		return v->ask.policy_channel;
	if (from == FROM_NETWORK)
		return "dnsPolicy";
	return arena_print(v->arena, "%s.dnsPolicy", from_name(v->arena, from));
}

/* What a pod's channel says may be ignored, what a configFile says must not stop a node. */
static bool bears_fault(struct computed *v, struct warnings *w, struct err *e)
{
	const struct conf *c = &v->network.conf;
	bool pods = v->decision.policy_from == FROM_POD;

	if (pods && (e->code != ERR_CONFIG || c->on_pod_error == POD_ERROR_FAIL))
		return false;
	if (!pods && !c->config_file)
		return false;
	if (pods)
		warn(w, "pod-error", "%s: ignored", e->text);
	else
		warn(w, "config-file", "configFile %s: %s: the pod is left as it is",
		     c->config_file, e->text);
	err_clear(e);
	return true;
}

/* None without a server, a resolvConf that is not there: whoever said so hears of it. */
static bool decide_or_bear(struct computed *v, struct warnings *w, struct err *e)
{
	bool pods;

	if (decide(v, w, e))
		return true;
	pods = v->decision.policy_from == FROM_POD;
	if (e->code == ERR_CONFIG)
		(void)err_in(e, "%s", policy_key(v));
	if (!bears_fault(v, w, e))
		return false;
	if (pods) {
		v->ask.policy = POLICY_UNSET;
		return decide_or_bear(v, w, e);
	}
	v->network.unusable = true;
	v->decision.state = PASSED;
	return true;
}

/* Limits and repairs are not for a pod that chose for itself. */
static void finish(struct computed *v, struct warnings *w)
{
	const struct conf *c = &v->network.conf;
	enum guards guards = (enum guards)c->guards;
	auto_text text = TEXT_UP_TO(INPLACE_MAX);

	if (v->decision.state == COMPUTED) {
		steering_add_servers(&v->resolv, c, v->decision.rule, v->arena, w);
		limits_apply(&v->resolv, &c->limits, w);
	} else if (guards == GUARDS_FIX) {
		guards = GUARDS_WARN;
	}
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

static bool conclude(struct computed *v, struct warnings *w, struct err *e)
{
	if (!decide_or_bear(v, w, e))
		return false;
	if (v->decision.state == COMPUTED || v->decision.state == LEFT)
		finish(v, w);
	return true;
}

static bool judge(struct computed *v, const struct call *call, struct sandbox *sandbox,
		  struct warnings *w, struct err *e)
{
	sandbox_locate(sandbox, &v->network.conf, call->container_id, v->pod.cri, getppid(),
		       v->arena);
	if (!request_read(&v->ask, &v->sources, call->network, &v->args, &v->network.conf, &v->pod,
			  w, e) ||
	    !runtime_dns_read(&v->finished, call->network, sandbox, w, e))
		return false;
	result_dns(&v->prev, call->prev_result);
	return conclude(v, w, e);
}

bool compute_for_call(struct computed *v, const struct call *call, struct sandbox *sandbox,
		      struct warnings *w, struct err *e)
{
	*v = (struct computed){ .arena = w->arena, .decision.state = PASSED };
	result_clean(call->prev_result, w);
	if (!conf_file_read(&v->network, call->network, w, e) ||
	    !args_parse(&v->args, call->args, v->arena, e) || !request_pod(&v->pod, &v->args, e))
		return false;
	v->mode = conf_mode(&v->network.conf, rule_of(&v->network.conf.rules, &v->pod));
	if (v->network.unusable || v->mode == MODE_OFF || judge(v, call, sandbox, w, e))
		return true;
	if (v->mode != MODE_OBSERVE)
		return false;
	warn(w, "observed", "ADD would fail: %s", e->text);
	err_clear(e);
	v->decision.state = PASSED;
	return true;
}

/*** from a record ***/

static bool read_kept(struct computed *v, struct warnings *w, struct err *e)
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
	v->ask = (struct request){
		.policy = json_is_true(json_object_get(kept, "keep")) ? KEEP : POLICY_UNSET,
		.policy_channel = "the pod's dnsPolicy",
		.dns_channel = "the pod's dnsConfig",
	};
	if (!v->pod.name || !v->pod.namespace || !v->pod.uid)
		return err_set(e, ERR_DECODE, "the record names no pod");
	if (!conf_decode(c, json_object_get(kept, "conf"), e) || !conf_check(c, w, e))
		return false;
	c->config_file = json_string_value(json_object_get(kept, "configFile"));
	return (!dns || dnsconfig_read(dns, NULL, &v->ask.dns, e));
}

bool compute_for_record(struct computed *v, json_t *record, const char *runtime_text,
			struct warnings *w, struct err *e)
{
	*v = (struct computed){ .arena = w->arena, .kept = json_incref(record) };
	if (!read_kept(v, w, e) || !runtime_dns_parse(&v->finished, runtime_text, w, e))
		return false;
	return conclude(v, w, e);
}

/*** without CNI ***/

bool compute_for_container(struct computed *v, const char *path, const json_t *annotations,
			   struct warnings *w, struct err *e)
{
	const struct conf *c = &v->network.conf;

	*v = (struct computed){ .arena = w->arena, .decision.state = PASSED };
	v->pod = (struct pod){ .name = "", .namespace = "default", .uid = "" };
	/* As if CNI had brought both: a network that is a configFile, and the pod's annotations. */
	v->kept = json_pack("{s:s, s:{s:O*}}", "configFile", path, "runtimeConfig",
			    REQUEST_ANNOTATIONS, (json_t *)annotations);
	if (!v->kept)
		return err_set(e, ERR_IO, "out of memory");
	if (!conf_file_read(&v->network, v->kept, w, e))
		return false;
	v->mode = conf_mode(c, rule_of(&c->rules, &v->pod));
	if (v->network.unusable || v->mode == MODE_OFF)
		return true;
	return request_read(&v->ask, &v->sources, v->kept, &v->args, c, &v->pod, w, e) &&
	       conclude(v, w, e);
}

void computed_done(struct computed *v)
{
	json_decref(v->kept);
	request_sources_done(&v->sources);
	conf_file_done(&v->network);
	runtime_dns_done(&v->finished);
	text_done(&v->node_text);
}
