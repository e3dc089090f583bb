/* SPDX-License-Identifier: Apache-2.0 */
/* policy.c: decides which DNS policy a pod has, and makes its resolver configuration. */
#include "policy/policy.h"
#include "arena.h"
#include "config/conf.h"
#include "config/dnsconfig.h"
#include "config/rule.h"
#include "enum_names.h"
#include "policy/kubelet.h"
#include "policy/merge.h"
#include "text.h"

#include <string.h>

/*** the decision ***/

static bool is_cluster_first_policy(int policy)
{
	return policy == CLUSTER_FIRST || policy == CLUSTER_FIRST_WITH_HOST_NET ||
	       policy == CLUSTER_FIRST_WITH_AUTOPATH;
}

/* The pod's channel, else the rule, else the network. */
static void choose_policy(struct decision *d, const struct inputs *in)
{
	const struct rule *rule = d->rule;

	if (in->request->policy != POLICY_UNSET) {
		d->policy = in->request->policy;
		d->policy_from = FROM_POD;
	} else if (rule && rule->policy != POLICY_UNSET) {
		d->policy = rule->policy;
		d->policy_from = FROM_RULE + (int)(rule - in->conf->rules.at);
	} else {
		d->policy = in->conf->policy;
		d->policy_from = FROM_NETWORK;
	}
}

/* The runtime's configuration stays as it is, unless kubelet made it for a cluster-first pod. */
static void decide_by_runtime_dns(struct decision *d, const struct inputs *in, struct warnings *w)
{
	switch (kubelet_recognise(in->runtime_dns, in->conf, in->pod, in->arena)) {
	case KUBELET_CLUSTER_FIRST:
		d->state = COMPUTED;
		d->from_kubelet = true;
		return;
	case KUBELET_UNRECOGNISED:
		d->unrecognised = true;
		kubelet_warn_unrecognised(in->runtime_dns, in->conf, w);
		break;
	case KUBELET_OTHER_DOMAIN:
		kubelet_warn_other_domain(in->runtime_dns, in->conf, w);
		break;
	case KUBELET_OTHER:
		break;
	}
	d->state = KEPT;
}

/*
 * Nothing is known yet of what the pod wants: decide later if something will look at the file, else
 * pass the result through.
 */
static enum state without_runtime_dns(const struct inputs *in, enum state otherwise)
{
	if (!in->unknown_yet)
		return otherwise;
	return in->may_wait ? DEFERRED : PASSED;
}

/*
 * Keep leaves the runtime's configuration. If it is unknown, the result is passed through. The
 * pod's own dnsConfig can only be merged into the former.
 */
static void decide_keep(struct decision *d, const struct inputs *in, struct warnings *w)
{
	if (in->runtime_dns)
		d->state = KEPT;
	else
		d->state = in->request->dns.present ? without_runtime_dns(in, PASSED) : PASSED;
	if (d->state == PASSED && in->request->dns.present)
		warn(w, "pod-config-unused", "%s: nothing to merge it with under dnsPolicy Keep",
		     in->request->dns_channel);
}

/* The runtime's text is the base of a rule's pod. The others keep it. */
static void decide_on_host_network(struct decision *d, const struct inputs *in)
{
	d->policy = KEEP;
	d->policy_from = FROM_NETWORK;
	d->state = KEPT;
	if (!d->rule)
		return;
	d->policy_from = FROM_RULE + (int)(d->rule - in->conf->rules.at);
	d->state = COMPUTED;
}

static bool needs_node(const struct decision *d, const struct inputs *in)
{
	if (d->state != COMPUTED)
		return false;
	if (d->from_kubelet && in->runtime_dns && in->runtime_dns->searches.n > KUBELET_SEARCHES)
		return true;
	return d->from_kubelet ? d->policy == DEFAULT : d->policy != NONE;
}

void policy_decide(struct decision *d, const struct inputs *in, struct warnings *w)
{
	*d = (struct decision){ .rule = rule_of(&in->conf->rules, in->pod) };
	if (in->pod->host_network && in->runtime_dns) {
		decide_on_host_network(d, in);
		return;
	}
	choose_policy(d, in);
	if (d->policy == KEEP)
		decide_keep(d, in, w);
	else if (d->policy_from == FROM_POD)
		d->state = COMPUTED;
	else if (in->runtime_dns)
		decide_by_runtime_dns(d, in, w);
	else
		d->state = without_runtime_dns(in, COMPUTED);
	d->needs_node = needs_node(d, in);
}

bool policy_tolerates_no_node(const struct decision *d)
{
	return d->from_kubelet && d->policy != DEFAULT;
}

/*** the base ***/

static void node_base(struct resolv *r, const struct inputs *in, struct warnings *w)
{
	const char *path = in->conf->resolv_conf;

	if (!path || *path) {
		*r = *in->node;
	} else if (in->pod->host_network) {
		/* what kubelet writes for an empty resolvConf; right on the host's network only */
		resolv_add(&r->nameservers, resolv_word("127.0.0.1", FROM_POLICY), in->arena);
		resolv_add(&r->searches, resolv_word(".", FROM_POLICY), in->arena);
	} else {
		warn(w, "no-node-file", "resolvConf is \"\": dnsPolicy Default inherits nothing");
	}
}

/* KEP-2009: one search, for which the server tries the pod's searches in its place. */
static void put_autopath(struct resolv_list *searches, const struct inputs *in)
{
	const struct conf *c = in->conf;
	struct resolv_list classic = *searches;

	*searches = (struct resolv_list){ 0 };
	resolv_add(searches,
		   resolv_word(arena_print(in->arena, "search.%s.%s.%s", in->pod->namespace,
					   c->cluster_domain, c->autopath_zone),
			       FROM_POLICY),
		   in->arena);
	if (!in->autopath_alone)
		merge_append(searches, &classic, in->arena);
}

static void cluster_base(struct resolv *r, int policy, const struct inputs *in)
{
	const struct conf *c = in->conf;
	struct arena *a = in->arena;

	for (size_t i = 0; i < c->cluster_dns.n; i++) {
		char text[ADDR_TEXT];

		addr_print(text, &c->cluster_dns.at[i]);
		resolv_add(&r->nameservers, resolv_word(arena_print(a, "%s", text), FROM_POLICY),
			   a);
	}
	if (*c->cluster_domain) {
		const char *cluster[KUBELET_SEARCHES];

		kubelet_searches(cluster, c->cluster_domain, in->pod, a);
		for (size_t i = 0; i < KUBELET_SEARCHES; i++)
			resolv_add(&r->searches, resolv_word(cluster[i], FROM_POLICY), a);
	}
	if (in->node)
		merge_append(&r->searches, &in->node->searches, a);
	if (*c->cluster_domain)
		merge_unique(&r->searches, a);
	if (policy == CLUSTER_FIRST_WITH_AUTOPATH)
		put_autopath(&r->searches, in);
	resolv_add(&r->options, resolv_option("ndots:5", FROM_POLICY), a);
}

/* Returns whether the base is a cluster-first one. */
static bool base_of_policy(struct resolv *r, int policy, const struct inputs *in,
			   struct warnings *w)
{
	if (policy == NONE)
		return false;
	/* Does what getPodDNSType does: ClusterFirst on the host's network is Default, without a
	 * warning. */
	if (policy == CLUSTER_FIRST && in->pod->host_network)
		policy = DEFAULT;
	if (is_cluster_first_policy(policy) && !in->conf->cluster_dns.n) {
		warn(w, "missing-cluster-dns",
		     "clusterDNS names no address: dnsPolicy %s falls back to Default",
		     policy_names[policy]);
		policy = DEFAULT;
	}
	if (policy == DEFAULT) {
		node_base(r, in, w);
		return false;
	}
	cluster_base(r, policy, in);
	return true;
}

/*** the merge ***/

static void merge_config(struct resolv *r, const struct dns_config *d, int from, struct arena *a)
{
	struct resolv layer;

	if (!d->present)
		return;
	dnsconfig_lists(&layer, d, from, a);
	merge_layer(r, &layer, a);
}

/* The lowest of the operator's layers: an option of the same name in any other layer stays. */
static void add_no_aaaa(struct resolv *r, const struct decision *d, const struct inputs *in)
{
	const struct resolv_entry option = resolv_option("no-aaaa", FROM_FAMILIES);

	if (in->ipv4_only && conf_families(in->conf, d->rule) == FAMILIES_AUTO &&
	    !resolv_find_key(&r->options, option.text, option.key))
		resolv_add(&r->options, option, in->arena);
}

/* The operator's dnsConfig is added unless the pod itself chose a policy that is not cluster-first.
 */
static void merge_operator(struct resolv *r, const struct decision *d, const struct inputs *in)
{
	const struct rule *rule = d->rule;

	if (d->policy_from == FROM_POD && !is_cluster_first_policy(d->policy))
		return;
	add_no_aaaa(r, d, in);
	merge_config(r, &in->conf->dns, FROM_NETWORK, in->arena);
	if (rule)
		merge_config(r, &rule->dns, FROM_RULE + (int)(rule - in->conf->rules.at),
			     in->arena);
}

static void compute_from_runtime(struct resolv *r, const struct decision *d,
				 const struct inputs *in)
{
	*r = *in->runtime_dns;
	kubelet_name_options(&r->options, in->arena);
	if (d->state == COMPUTED)
		merge_config(r, &d->rule->dns, d->policy_from, in->arena);
}

static void compute_from_kubelet(struct resolv *r, const struct decision *d,
				 const struct inputs *in, struct warnings *w)
{
	struct resolv base, rest;

	kubelet_split(&base, &rest, in);
	kubelet_warn_node(in, w);
	if (is_cluster_first_policy(d->policy))
		*r = base;
	else
		(void)base_of_policy(r, d->policy, in, w);
	if (d->policy == CLUSTER_FIRST_WITH_AUTOPATH)
		put_autopath(&r->searches, in);
	merge_operator(r, d, in);
	if (!resolv_is_empty(&rest))
		merge_layer(r, &rest, in->arena);
}

static void compute_from_policy(struct resolv *r, const struct decision *d, const struct inputs *in,
				struct warnings *w)
{
	bool clustered = base_of_policy(r, d->policy, in, w);

	/* Not beside the cluster DNS: an IPAM's server does not know the cluster's names. */
	if (!clustered && !resolv_is_empty(in->prev))
		merge_layer(r, in->prev, in->arena);
	merge_operator(r, d, in);
}

bool policy_compute(struct resolv *out, const struct decision *d, const struct inputs *in,
		    struct warnings *w, struct err *e)
{
	*out = (struct resolv){ 0 };
	if (d->state == KEPT || d->policy == KEEP) {
		compute_from_runtime(out, d, in);
	} else if (d->from_kubelet) {
		compute_from_kubelet(out, d, in, w);
	} else {
		compute_from_policy(out, d, in, w);
	}
	merge_config(out, &in->request->dns, FROM_POD, in->arena);
	if (d->state == COMPUTED && d->policy == NONE && !out->nameservers.n)
		return err_set(e, ERR_CONFIG,
			       ": None needs at least one nameserver in a dnsConfig");
	return true;
}

/*** fitness ***/

static void clean_words(struct resolv_list *list, const char *whose, struct warnings *w)
{
	for (size_t i = 0; i < list->n;) {
		if (text_is_word(list->at[i].text)) {
			i++;
			continue;
		}
		warn(w, "entry-dropped",
		     "%s: \"%s\" is empty or holds white space or a control character: dropped",
		     whose, list->at[i].text);
		resolv_remove(list, i, w->arena);
	}
}

void policy_clean(struct resolv *r, const char *whose, struct warnings *w)
{
	clean_words(&r->nameservers, whose, w);
	clean_words(&r->searches, whose, w);
	clean_words(&r->options, whose, w);
}
