/* SPDX-License-Identifier: Apache-2.0 */
/* compute_for_running.c: gathers what an ADD of a running pod would read today. */
#include "pod-dnsctl/inventory/compute_for_running.h"
#include "addr.h"
#include "cni/pod_addrs.h"
#include "pod-dnsctl/inventory/libcni_cache.h"

#include <string.h>

/*** the pod's own request ***/

/* Whether the channel's content can be read again; what a runtime puts into args.cni cannot. */
static bool is_kept(const struct compute_for_running *in, const char *channel)
{
	static const char args[] = "args.cni";

	if (!channel)
		return true;
	if (strncmp(channel, args, strlen(args)) != 0)
		return in->cached != NULL;
	return json_object_get(json_object_get(in->network, "args"), "cni") != NULL;
}

static bool read_kept_request(struct compute_for_running *in, const struct live_network *n,
			      const struct record *record, const char *cache, struct warnings *w,
			      struct err *e)
{
	struct compute_input *input = &in->input;
	const char *args;

	in->cached = libcni_cache_read(cache, &record->at, w->arena);
	input->ipv4_only = record->inputs.ipv4_only ||
			   pod_addrs_only_ipv4(json_object_get(in->cached, "result"));
	args = libcni_cache_args(in->cached, w->arena);
	in->network = libcni_cache_network(in->cached, n->list.network);
	if (!args || !in->network)
		return err_set(e, ERR_IO, "libcni's cache: out of memory");
	if (!args_parse(&in->args, args, w->arena, e))
		return false;
	if (!is_kept(in, record->inputs.dns_policy) || !is_kept(in, record->inputs.dns_config))
		return err_set(e, ERR_IO,
			       "its own dnsPolicy or dnsConfig is not in libcni's cache any more");
	return request_read(&input->request, &in->request, in->network, &in->args,
			    &input->network->conf, &input->pod, w, e);
}

/*** what others decided ***/

static void add_prev(struct resolv_list *to, const struct resolv_list *from, struct arena *a)
{
	for (size_t i = 0; i < from->n; i++)
		if (from->at[i].from == FROM_PREV)
			resolv_add(to, from->at[i], a);
}

static bool has_loopback(const struct resolv_list *servers)
{
	for (size_t i = 0; i < servers->n; i++)
		if (addr_is_loopback(servers->at[i].text))
			return true;
	return false;
}

/*
 * A pod of kubelet's `Default` would get the node's lists of today. If those name a server that
 * only the node itself reaches, the pod keeps what it has.
 */
static bool read_runtimes(struct compute_input *in, const struct record_inputs *inputs,
			  struct warnings *w, struct err *e)
{
	const char *text = inputs->runtime_text;

	if (!inputs->runtime_dns)
		return true;
	if (!text)
		return err_set(e, ERR_IO, "its record does not hold the runtime's text");
	if (inputs->of_node)
		text = node_resolv_text(in->node_resolv, &in->network->conf, w->arena, e);
	if (!text || !runtime_dns_parse(&in->runtime_dns, text, w, e))
		return false;
	if (inputs->of_node && has_loopback(&in->runtime_dns.lists.nameservers))
		return err_set(e, ERR_TARGET, "the node's resolv.conf names a loopback server");
	in->runtime_dns.from = inputs->runtime_dns;
	return true;
}

bool compute_for_running_read(struct compute_for_running *in, struct live_network *n,
			      const struct record *record, const char *cache, struct warnings *w,
			      struct err *e)
{
	struct compute_input *input = &in->input;

	*in = (struct compute_for_running){ .input = { .network = &n->conf,
						       .node_resolv = &n->node_resolv,
						       .pod = record->pod,
						       .request.policy = POLICY_UNSET } };
	input->mode = compute_mode(&n->conf, &input->pod);
	add_prev(&input->prev.nameservers, &record->dns.nameservers, w->arena);
	add_prev(&input->prev.searches, &record->dns.searches, w->arena);
	add_prev(&input->prev.options, &record->dns.options, w->arena);
	return !compute_is_needed(input) || (read_kept_request(in, n, record, cache, w, e) &&
					     read_runtimes(input, &record->inputs, w, e));
}

void compute_for_running_done(struct compute_for_running *in)
{
	runtime_dns_done(&in->input.runtime_dns);
	request_sources_done(&in->request);
	json_decref(in->cached);
	json_decref(in->network);
}
