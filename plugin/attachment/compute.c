/* SPDX-License-Identifier: Apache-2.0 */
/* compute.c: decides a pod's DNS: its configuration, the targets to try, the queries to steer. */
#include "attachment/compute.h"
#include "config/conf.h"
#include "config/rule.h"
#include "enum_names.h"
#include "policy/guard.h"
#include "policy/limits.h"
#include "targets/inplace.h"

enum mode compute_mode(const struct network_conf *network, const struct pod *pod)
{
	return conf_mode(&network->conf, rule_of(&network->conf.rules, pod));
}

bool compute_is_needed(const struct compute_input *in)
{
	return in->mode != MODE_OFF && !in->network->unusable;
}

void compute_pass(struct computed *c, const struct compute_input *in, struct arena *a)
{
	*c = (struct computed){
		.input = in,
		.decision.state = PASSED,
		.request = in->request,
		.config_file_fault = in->network->unusable,
		.outcome.warnings.arena = a,
		.unsteered.warnings.arena = a,
		.arena = a,
	};
}

/*** the lists ***/

static struct inputs policy_inputs(const struct computed *c)
{
	const struct compute_input *in = c->input;
	const struct conf *conf = &in->network->conf;
	bool result_only = conf->targets && !json_array_size(conf->targets);

	return (struct inputs){
		.conf = conf,
		.pod = &in->pod,
		.request = &c->request,
		.runtime_dns = in->runtime_dns.from ? &in->runtime_dns.lists : NULL,
		.unknown_yet = in->pod.cri && !in->runtime_dns.from,
		.may_wait = in->mode == MODE_ENFORCE && !result_only,
		.prev = &in->prev,
		.ipv4_only = in->ipv4_only,
		.arena = c->arena,
	};
}

/* Reads the node's file where the decision needs it. *room gets its entries, cleaned. */
static bool read_node(struct inputs *in, struct resolv *room, const struct computed *c,
		      struct warnings *w, struct err *e)
{
	const struct resolv *lists;

	if (!c->decision.needs_node)
		return true;
	lists = node_resolv_lists(c->input->node_resolv, in->conf, e);
	if (lists) {
		*room = *lists;
		policy_clean(room, "the node's resolv.conf", w);
		in->node = room;
		return true;
	}
	if (!policy_tolerates_no_node(&c->decision))
		return false;
	warn(w, "node-file", "%s: no search is taken for the node's", e->text);
	err_clear(e);
	return true;
}

static bool has_lists(const struct computed *c)
{
	return c->decision.state == COMPUTED || c->decision.state == KEPT;
}

/* Autopath's search is made of clusterDomain: without one the policy is ClusterFirst. */
static void check_autopath(struct computed *c, struct warnings *w)
{
	struct decision *d = &c->decision;

	if (d->policy != CLUSTER_FIRST_WITH_AUTOPATH || d->state != COMPUTED ||
	    *c->input->network->conf.cluster_domain)
		return;
	warn(w, "autopath", "clusterDomain is \"\": dnsPolicy %s is ClusterFirst",
	     policy_names[d->policy]);
	d->policy = CLUSTER_FIRST;
}

static bool needs_rules(const struct computed *c)
{
	return c->decision.state == COMPUTED && c->decision.policy == CLUSTER_FIRST_WITH_AUTOPATH &&
	       c->input->network->conf.autopath == AUTOPATH_CACHE;
}

/* The pod's outcome without its rules: that of ClusterFirst. */
static bool compute_unsteered(struct computed *c, const struct inputs *in, struct err *e)
{
	struct decision d = c->decision;
	struct warnings *w = &c->unsteered.warnings;

	d.policy = c->unsteered.policy = CLUSTER_FIRST;
	warn(w, "autopath", "the pod is not steered: dnsPolicy %s is ClusterFirst",
	     policy_names[CLUSTER_FIRST_WITH_AUTOPATH]);
	return policy_compute(&c->unsteered.resolv, &d, in, w, e);
}

static bool compute_lists(struct computed *c, struct warnings *w, struct err *e)
{
	const struct conf *conf = &c->input->network->conf;
	struct inputs in = policy_inputs(c);
	struct resolv node;

	policy_decide(&c->decision, &in, w);
	check_autopath(c, w);
	c->outcome.policy = c->decision.policy;
	c->needs_rules = needs_rules(c);
	in.autopath_alone =
		conf->autopath == AUTOPATH_CLUSTER || !steering_fails_open(conf, c->decision.rule);
	if (!has_lists(c))
		return true;
	if (!read_node(&in, &node, c, w, e))
		return false;
	return (!c->needs_rules || compute_unsteered(c, &in, e)) &&
	       policy_compute(&c->outcome.resolv, &c->decision, &in,
			      c->needs_rules ? &c->outcome.warnings : w, e);
}

/*** faults ***/

/* The path of the key that the policy was read from. */
static const char *policy_key(const struct computed *c)
{
	int from = c->decision.policy_from;

	if (from == FROM_POD)
		return c->request.policy_channel;
	if (from == FROM_NETWORK)
		return "dnsPolicy";
	return arena_print(c->arena, "%s.dnsPolicy", from_name(c->arena, from));
}

/* If onPodError is `ignore`, drops the pod's requested policy and the fault. Returns whether. */
static bool ignore_request(struct computed *c, struct warnings *w, struct err *e)
{
	if (e->code != ERR_CONFIG || c->input->network->conf.on_pod_error == POD_ERROR_FAIL)
		return false;
	warn(w, "pod-error", "%s: ignored", e->text);
	err_clear(e);
	c->request.policy = POLICY_UNSET;
	return true;
}

/* A bad edit of a configFile must not stop a node: the pod is PASSED. False: there is none. */
static bool pass_for_config_file(struct computed *c, struct warnings *w, struct err *e)
{
	const char *path = c->input->network->conf.config_file;

	if (!path)
		return false;
	warn(w, "config-file", "configFile %s: %s: the pod is left as it is", path, e->text);
	err_clear(e);
	c->config_file_fault = true;
	c->decision.state = PASSED;
	return true;
}

/* A fault is blamed on the key that chose the policy. */
static bool compute_lists_or_pass(struct computed *c, struct warnings *w, struct err *e)
{
	if (compute_lists(c, w, e))
		return true;
	if (e->code == ERR_CONFIG)
		(void)err_in(e, "%s", policy_key(c));
	if (c->decision.policy_from != FROM_POD)
		return pass_for_config_file(c, w, e);
	return ignore_request(c, w, e) && compute_lists_or_pass(c, w, e);
}

/*
 * Kubelet hands down the lists of a pod of `Default` and of `None` alike. Those that are the node's
 * are the former's, or a pod's that wants what the former has.
 */
static bool is_of_node(const struct computed *c)
{
	const struct compute_input *in = c->input;
	const char *node;

	if (c->decision.state != KEPT || c->decision.policy == KEEP ||
	    !in->runtime_dns.runtime_text)
		return false;
	node = node_resolv_text(in->node_resolv, &in->network->conf, c->arena, NULL);
	return node && text_same_lines(node, in->runtime_dns.runtime_text);
}

/*** the outcome ***/

/* Limits and guards apply to COMPUTED pods; a KEPT pod is only warned. */
static void apply_limits_and_guards(const struct computed *c, struct resolv *r, struct warnings *w)
{
	const struct conf *conf = &c->input->network->conf;
	enum guards guards = (enum guards)conf->guards;
	bool host = c->input->pod.host_network;

	if (c->decision.state == COMPUTED) {
		if (!host)
			steering_add_servers(r, conf, c->decision.rule, c->arena, w);
		limits_apply(r, &conf->limits, w);
	} else if (guards == GUARDS_FIX) {
		guards = GUARDS_WARN;
	}
	guard(r, guards, w);
	if (!host) /* the node's loopback is such a pod's own */
		guard_loopback(r, guards, w);
}

static const char *render_text(const struct resolv *r, struct warnings *w)
{
	const char *text;

	if (resolv_is_empty(r)) {
		warn(w, "empty-result", "the configuration is empty: it is not written");
		return NULL;
	}
	if (!r->nameservers.n)
		warn(w, "no-nameserver", "the configuration names no nameserver");
	text = resolv_text(r, INPLACE_MAX, w->arena);
	if (!text)
		warn(w, "too-long", "the configuration is longer than %d bytes: it is not written",
		     INPLACE_MAX);
	return text;
}

static void finish_outcome(const struct computed *c, struct outcome *o, struct warnings *w)
{
	apply_limits_and_guards(c, &o->resolv, w);
	o->text = render_text(&o->resolv, w);
}

static void finish_all(struct computed *c, struct warnings *w)
{
	if (!has_lists(c))
		return;
	finish_outcome(c, &c->outcome, c->needs_rules ? &c->outcome.warnings : w);
	if (c->needs_rules)
		finish_outcome(c, &c->unsteered, &c->unsteered.warnings);
}

/*** steering ***/

static void warn_of_outcome(const struct outcome *o, struct warnings *w)
{
	for (size_t i = 0; i < o->warnings.n; i++)
		warn(w, o->warnings.at[i].kind, "%s", o->warnings.at[i].text);
}

const struct outcome *computed_pick(const struct computed *c, bool steered, struct warnings *w)
{
	const struct outcome *o = c->needs_rules && !steered ? &c->unsteered : &c->outcome;

	if (c->needs_rules)
		warn_of_outcome(o, w);
	return o;
}

/*
 * A DEFERRED pod is steered as if it were cluster-first: rules touch queries to clusterDNS alone.
 * An observed pod's steering is planned too, since its outcome may depend on it.
 */
static void plan_steering(struct computed *c, struct warnings *w)
{
	const struct conf *conf = &c->input->network->conf;
	bool pending = c->input->mode == MODE_ENFORCE && c->decision.state == DEFERRED;
	bool planned = conf->node_cache.present && !c->input->pod.host_network &&
		       (has_lists(c) || pending) &&
		       steering_plan(&c->steering, conf, c->decision.rule,
				     pending ? NULL : &c->outcome.resolv, w);

	if (!planned)
		c->steering.mode = STEER_OFF;
	c->steers = planned && (c->serves || pending);
	if (!c->needs_rules || planned)
		return;
	warn_of_outcome(&c->unsteered, w);
	c->outcome = c->unsteered;
	c->needs_rules = false;
}

/*** the file ***/

static void plan_targets(struct computed *c)
{
	const struct compute_input *in = c->input;

	c->has_file = (c->serves && c->outcome.text) ||
		      (in->mode == MODE_ENFORCE && c->decision.state == DEFERRED);
	if (c->has_file && in->sandbox)
		target_plan(&c->plan, &in->network->conf, in->sandbox, in->netns, c->arena);
}

bool compute(struct computed *c, const struct compute_input *in, struct warnings *w, struct err *e)
{
	compute_pass(c, in, w->arena);
	if (!compute_is_needed(in))
		return true;
	if (!compute_lists_or_pass(c, w, e))
		return false;
	finish_all(c, w);
	c->of_node = is_of_node(c);
	c->serves = in->mode == MODE_ENFORCE && has_lists(c);
	c->measures = !in->pod.host_network && conf_measures(&in->network->conf, c->decision.rule);
	plan_steering(c, w);
	plan_targets(c);
	return arena_ok(c->arena) || err_set(e, ERR_IO, "out of memory");
}
