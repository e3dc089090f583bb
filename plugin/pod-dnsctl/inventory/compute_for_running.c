/* SPDX-License-Identifier: Apache-2.0 */
/* compute_for_running.c: gathers what an ADD of a running pod would read today. */
#include "pod-dnsctl/inventory/compute_for_running.h"
#include "addr.h"
#include "file.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { ENTRY_MAX = 4 << 20, ARGS_TEXT_MAX = 1 << 20 };

/*** the pod's own words ***/

/* Reads the entry NAME-CONTAINER-INTERFACE; our names hold no slash. */
static json_t *read_cached(const struct attachment *at, const char *folder, struct arena *a)
{
	const char *path =
		arena_print(a, "%s/%s-%s-%s", folder, at->network, at->container_id, at->ifname);
	auto_text text = TEXT_UP_TO(ENTRY_MAX);

	if (!file_read(&text, AT_FDCWD, path, false, NULL) || !text.at)
		return NULL;
	return json_loadb(text.at, text.len, 0, NULL);
}

/* Makes CNI_ARGS, "K=V;K=V", of the list of pairs in cniArgs. */
static bool read_args(struct compute_for_running *in, struct arena *a, struct err *e)
{
	auto_text text = TEXT_UP_TO(ARGS_TEXT_MAX);
	const json_t *pair;
	size_t i;

	text_put(&text, "", 0);
	json_array_foreach (json_object_get(in->cached, "cniArgs"), i, pair) {
		const char *key = json_string_value(json_array_get(pair, 0));
		const char *value = json_string_value(json_array_get(pair, 1));

		if (key && value)
			text_print(&text, "%s%s=%s", text.len ? ";" : "", key, value);
	}
	if (!text_ok(&text))
		return err_set(e, ERR_IO, "the arguments in libcni's cache are too long");
	return args_parse(&in->args, text.at, a, e);
}

/* Does what libcni's injectRuntimeConfig does: the plugin gets what its capabilities name. */
static bool make_cached_network(struct compute_for_running *in, const json_t *object, struct err *e)
{
	const json_t *given = json_object_get(in->cached, "capabilityArgs");
	json_auto_t *config = json_object();
	const json_t *wanted;
	const char *name;

	in->network = json_copy((json_t *)object);
	json_object_foreach ((json_t *)json_object_get(object, "capabilities"), name, wanted) {
		json_t *value = json_object_get(given, name);

		if (json_is_true(wanted) && value)
			(void)json_object_set(config, name, value);
	}
	if (json_object_size(config))
		(void)json_object_set(in->network, "runtimeConfig", config);
	return in->network || err_set(e, ERR_IO, "out of memory");
}

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

	in->cached = read_cached(&record->at, cache, w->arena);
	if (!read_args(in, w->arena, e) || !make_cached_network(in, n->list.network, e))
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
