/* SPDX-License-Identifier: Apache-2.0 */
/* compute_for_pod.c: computes a Kubernetes pod's DNS: kubelet's part, then the plugin's. */
#include "pod-dnsctl/inventory/compute_for_pod.h"
#include "cni/args.h"
#include "config/conf.h"
#include "config/dnsconfig.h"
#include "config/rule.h"
#include "enum_names.h"

#include <stdio.h>
#include <string.h>

/*** the network ***/

/* The configuration of that node's kubelet, with kubelet's limits. */
static struct network_conf kubelet_conf(const struct conf *c)
{
	struct network_conf k = { .unusable = false };

	conf_init(&k.conf);
	k.conf.cluster_dns = c->cluster_dns; /* which stays the owner's */
	k.conf.cluster_domain = c->cluster_domain;
	k.conf.resolv_conf = c->resolv_conf;
	k.conf.guards = GUARDS_OFF;
	return k;
}

bool pod_network_read(struct pod_network *n, const char *path, struct arena *a, struct err *e)
{
	const json_t *capabilities;

	*n = (struct pod_network){ .warnings.arena = a };
	if (!conflist_read(&n->list, path, e))
		return false;
	if (!conf_file_read(&n->network, n->list.network, &n->warnings, e))
		return err_in(e, "%s: ", n->list.path);
	n->kubelet = kubelet_conf(&n->network.conf);
	capabilities = json_object_get(n->list.network, "capabilities");
	n->annotations = json_is_true(json_object_get(capabilities, REQUEST_ANNOTATIONS));
	return true;
}

void pod_network_done(struct pod_network *n)
{
	node_resolv_done(&n->node_resolv);
	conf_file_done(&n->network);
	conflist_done(&n->list);
}

/*** the pod object, as the API server takes it ***/

static const char *string_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* Does what SetDefaults_PodSpec and validateDNSPolicy do, but an empty policy is an error. */
static bool read_policy(int *policy, const json_t *spec, struct err *e)
{
	const json_t *value = json_object_get(spec, "dnsPolicy");

	*policy = CLUSTER_FIRST;
	if (!value || json_is_null(value))
		return true;
	*policy = json_is_string(value) ? policy_named(json_string_value(value)) : POLICY_UNSET;
	if ((*policy == NONE && strcmp(json_string_value(value), "None") == 0) ||
	    *policy == CLUSTER_FIRST || *policy == CLUSTER_FIRST_WITH_HOST_NET ||
	    *policy == DEFAULT)
		return true;
	return json_fault(value, e,
			  "one of ClusterFirst, ClusterFirstWithHostNet, Default, None") ||
	       err_in(e, "spec.dnsPolicy");
}

/* In a pod object, option values must be strings; the plugin's channels take integers too. */
static bool check_options(const json_t *options, struct err *e)
{
	const json_t *option;
	size_t i;

	json_array_foreach (options, i, option) {
		const json_t *value = json_object_get(option, "value");

		if (json_is_integer(value))
			return json_fault(value, e, "a string or null") ||
			       err_in(e, ".options[%zu].value", i);
	}
	return true;
}

/* Does what validatePodDNSConfig does. */
static bool read_config(struct dns_config *config, const json_t *spec, int policy, struct err *e)
{
	const json_t *value = json_object_get(spec, "dnsConfig");

	if (value && !json_is_null(value) &&
	    (!dnsconfig_read(value, NULL, config, e) || !dnsconfig_fits_pod(config, false, e) ||
	     !check_options(config->options, e)))
		return err_in(e, "spec.dnsConfig");
	if (policy == NONE && !json_array_size(config->nameservers))
		return err_set(e, ERR_CONFIG,
			       "spec.dnsConfig.nameservers: dnsPolicy None needs at least one");
	return true;
}

static bool check_kind(const json_t *pod, struct err *e)
{
	const char *kind = string_at(pod, "kind");

	if (!json_is_object(pod))
		return err_set(e, ERR_CONFIG, "not an object");
	return !*kind || strcmp(kind, "Pod") == 0 ||
	       err_set(e, ERR_CONFIG, "kind: \"%s\" is no Pod", kind);
}

static bool check_word(const char *text, const char *key, struct err *e)
{
	return !*text || text_is_word(text) ||
	       err_set(e, ERR_CONFIG, "metadata.%s: holds white space or a control character", key);
}

/* Reads the pod, and its spec as the request to kubelet. */
static bool read_pod_object(struct compute_input *in, const json_t *pod, struct err *e)
{
	const json_t *metadata = json_object_get(pod, "metadata");
	const json_t *spec = json_object_get(pod, "spec");

	in->pod = (struct pod){
		.name = string_at(metadata, "name"),
		.namespace = string_at(metadata, "namespace"),
		.uid = string_at(metadata, "uid"),
		.host_network = json_is_true(json_object_get(spec, "hostNetwork")),
	};
	if (!*in->pod.namespace)
		in->pod.namespace = "default";
	in->request = (struct request){ .policy_channel = "spec.dnsPolicy",
					.dns_channel = "spec.dnsConfig" };
	if (!pod)
		return true;
	return check_kind(pod, e) && check_word(in->pod.name, "name", e) &&
	       check_word(in->pod.namespace, "namespace", e) && check_word(in->pod.uid, "uid", e) &&
	       read_policy(&in->request.policy, spec, e) &&
	       read_config(&in->request.dns, spec, in->request.policy, e);
}

/*** kubelet's part ***/

/* Keeps the warnings that kubelet gives too. The others come with the plugin's part. */
static void take_warnings(struct warnings *w, const struct warnings *kubelets)
{
	static const char *const kinds[] = { "nameserver-limit", "search-limit",
					     "missing-cluster-dns", "entry-dropped",
					     "no-node-file" };

	for (size_t i = 0; i < kubelets->n; i++)
		for (size_t k = 0; k < LEN(kinds); k++)
			if (strcmp(kubelets->at[i].kind, kinds[k]) == 0)
				warn(w, kubelets->at[i].kind, "%s", kubelets->at[i].text);
}

static bool compute_kubelets(struct pod_dns *p, struct pod_network *n, const json_t *pod,
			     struct warnings *w, struct err *e)
{
	struct warnings own = { .arena = w->arena };
	struct computed computed;

	p->input = (struct compute_input){ .network = &n->kubelet, .node_resolv = &n->node_resolv };
	if (!read_pod_object(&p->input, pod, e) || !compute(&computed, &p->input, &own, e))
		return false;
	p->kubelet = computed.outcome;
	p->policy = computed.decision.policy;
	if (p->policy == CLUSTER_FIRST && p->input.pod.host_network)
		p->policy = DEFAULT;
	take_warnings(w, &own);
	return true;
}

/*** the plugin's part ***/

static void mark(struct resolv_list *list, int from, struct arena *a)
{
	for (size_t i = 0; i < list->n; i++) {
		struct resolv_entry entry = list->at[i];

		entry.from = from;
		resolv_replace(list, i, entry, a);
	}
}

/* kubelet's result becomes the runtime's configuration. */
static void hand_down(struct compute_input *in, const struct outcome *kubelets, struct arena *a)
{
	in->runtime_dns = (struct runtime_dns){ .from = "capability", .lists = kubelets->resolv };
	mark(&in->runtime_dns.lists.nameservers, FROM_RUNTIME, a);
	mark(&in->runtime_dns.lists.searches, FROM_RUNTIME, a);
	mark(&in->runtime_dns.lists.options, FROM_RUNTIME, a);
}

/* The plugin's object as CNI hands it over, with the pod's annotations if it has the capability. */
static json_t *make_pod_network(const struct pod_network *n, const json_t *pod)
{
	json_t *network = json_copy(n->list.network);
	json_t *annotations = json_object_get(json_object_get(pod, "metadata"), "annotations");

	if (n->annotations && annotations)
		(void)json_object_set_new(network, "runtimeConfig",
					  json_pack("{s:O}", REQUEST_ANNOTATIONS, annotations));
	return network;
}

static bool read_annotations(struct pod_dns *p, struct pod_network *n, const json_t *pod,
			     struct warnings *w, struct err *e)
{
	struct args none = { .n = 0 };

	p->made = make_pod_network(n, pod);
	return request_read(&p->input.request, &p->sources, p->made, &none, &n->network.conf,
			    &p->input.pod, w, e);
}

/* A pod that has no address yet is taken for one that gets IPv4 addresses only. */
static bool has_only_ipv4(const json_t *pod)
{
	const json_t *addresses = json_object_get(json_object_get(pod, "status"), "podIPs");
	const json_t *entry;
	size_t i;

	json_array_foreach (addresses, i, entry) {
		struct addr a;

		if (addr_parse(&a, string_at(entry, "ip")) && !addr_is_v4(&a))
			return false;
	}
	return true;
}

static bool compute_ours(struct pod_dns *p, struct pod_network *n, const json_t *pod,
			 struct warnings *w, struct err *e)
{
	struct compute_input *in = &p->input;

	in->network = &n->network;
	in->mode = compute_mode(&n->network, &in->pod);
	in->request = (struct request){ .policy = POLICY_UNSET };
	in->pod.cri = true;
	in->ipv4_only = has_only_ipv4(pod);
	hand_down(in, &p->kubelet, w->arena);
	compute_pass(&p->computed, in, w->arena);
	if (in->pod.host_network && !rule_of(&n->network.conf.rules, &in->pod))
		return true;
	if ((in->pod.host_network || !compute_is_needed(in) || read_annotations(p, n, pod, w, e)) &&
	    compute(&p->computed, in, w, e))
		return true;
	if (in->mode != MODE_OBSERVE)
		return err_in(e, "ADD would fail: ");
	warn(w, "observed", "ADD would fail: %s", e->text);
	err_clear(e);
	compute_pass(&p->computed, in, w->arena);
	return true;
}

bool compute_for_pod(struct pod_dns *p, struct pod_network *n, const json_t *pod,
		     struct warnings *w, struct err *e)
{
	const json_t *metadata = json_object_get(pod, "metadata");
	const char *namespace = string_at(metadata, "namespace"),
		   *name = string_at(metadata, "name");

	*p = (struct pod_dns){ .made = NULL };
	(void)snprintf(p->who, sizeof(p->who), "%s/%s", *namespace ? namespace : "default",
		       *name ? name : "(no name)");
	for (size_t i = 0; i < n->warnings.n; i++)
		warn(w, n->warnings.at[i].kind, "%s", n->warnings.at[i].text);
	if (!compute_kubelets(p, n, pod, w, e) || !compute_ours(p, n, pod, w, e))
		return false;
	p->outcome = &p->kubelet;
	if (!p->computed.serves)
		return true;
	p->outcome = computed_pick(&p->computed, true, w);
	if (p->computed.decision.state == COMPUTED)
		p->policy = p->outcome->policy;
	return true;
}

void pod_dns_done(struct pod_dns *p)
{
	request_sources_done(&p->sources);
	json_decref(p->made);
	p->made = NULL;
}
