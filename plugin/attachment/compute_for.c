/* SPDX-License-Identifier: Apache-2.0 */
/* compute_for.c: compute() for a CNI call, for a record and for a container without CNI. */
#include "attachment/compute_for.h"
#include "cni/pod_addrs.h"
#include "cni/result.h"
#include "config/conf.h"
#include "config/dnsconfig.h"

static void begin_sources(struct compute_sources *s)
{
	*s = (struct compute_sources){ 0 };
	s->input.network = &s->network;
	s->input.node_resolv = &s->node_resolv;
	s->input.request.policy = POLICY_UNSET;
}

void compute_sources_done(struct compute_sources *s)
{
	json_decref(s->document);
	request_sources_done(&s->request);
	conf_file_done(&s->network);
	runtime_dns_done(&s->input.runtime_dns);
	node_resolv_done(&s->node_resolv);
}

static bool read_request(struct compute_sources *s, const json_t *network, struct warnings *w,
			 struct err *e)
{
	struct compute_input *in = &s->input;

	return request_read(&in->request, &s->request, network, &s->args, &s->network.conf,
			    &in->pod, w, e);
}

/*** for a CNI call ***/

static bool read_pod(struct compute_sources *s, const struct call *call, struct warnings *w,
		     struct err *e)
{
	struct compute_input *in = &s->input;

	if (!conf_file_read(&s->network, call->network, w, e) ||
	    !args_parse(&s->args, call->args, w->arena, e) || !request_pod(&in->pod, &s->args, e))
		return false;
	in->mode = compute_mode(&s->network, &in->pod);
	return true;
}

/* Fills in the pod's request and what the runtime and the plugins before decided. */
static bool read_decided(struct compute_sources *s, const struct call *call,
			 struct sandbox *sandbox, struct warnings *w, struct err *e)
{
	struct compute_input *in = &s->input;

	if (!compute_is_needed(in))
		return true;
	result_dns(&in->prev, call->prev_result, w->arena);
	in->ipv4_only = pod_addrs_only_ipv4(call->prev_result);
	sandbox_locate(sandbox, &s->network.conf, call->container_id, in->pod.cri, call->runtime,
		       w->arena);
	in->sandbox = sandbox;
	return read_request(s, call->network, w, e) &&
	       runtime_dns_read(&in->runtime_dns, call->network, sandbox, w, e);
}

bool compute_for_call(struct computed *c, struct compute_sources *s, const struct call *call,
		      const struct pod_netns *netns, struct sandbox *sandbox, struct warnings *w,
		      struct err *e)
{
	begin_sources(s);
	s->input.netns = netns;
	if (!read_pod(s, call, w, e))
		return false;
	if (read_decided(s, call, sandbox, w, e) && compute(c, &s->input, w, e))
		return true;
	if (s->input.mode != MODE_OBSERVE)
		return false;
	warn(w, "observed", "ADD would fail: %s", e->text);
	err_clear(e);
	compute_pass(c, &s->input, w->arena);
	return true;
}

/*** for a record ***/

static bool read_record(struct compute_sources *s, const struct record *record, struct warnings *w,
			struct err *e)
{
	const struct record_deferred *kept = &record->deferred;
	json_auto_t *dns = kept->dns.present ? dnsconfig_json(&kept->dns) : NULL;
	struct compute_input *in = &s->input;
	struct conf *conf = &s->network.conf;

	conf_init(conf);
	in->mode = MODE_ENFORCE;
	in->pod = record->pod;
	in->ipv4_only = record->inputs.ipv4_only;
	in->request.policy = kept->keep ? KEEP : POLICY_UNSET;
	in->request.policy_channel = "the pod's dnsPolicy";
	in->request.dns_channel = "the pod's dnsConfig";
	if (!*in->pod.namespace)
		return err_set(e, ERR_DECODE, "the record names no pod");
	if (!conf_decode(conf, kept->conf, e) || !conf_check(conf, w, e))
		return false;
	conf->config_file = kept->config_file;
	return !dns || dnsconfig_read(dns, NULL, &in->request.dns, e);
}

bool compute_for_record(struct computed *c, struct compute_sources *s, const struct record *record,
			const char *runtime_text, struct warnings *w, struct err *e)
{
	begin_sources(s);
	return read_record(s, record, w, e) &&
	       runtime_dns_parse(&s->input.runtime_dns, runtime_text, w, e) &&
	       compute(c, &s->input, w, e);
}

/*** for a container without CNI ***/

bool compute_for_container(struct computed *c, struct compute_sources *s, const char *path,
			   const json_t *annotations, struct warnings *w, struct err *e)
{
	struct compute_input *in = &s->input;

	begin_sources(s);
	in->pod = (struct pod){ .name = "", .namespace = "default", .uid = "" };
	/* The network that CNI would bring: it names the file and carries the annotations. */
	s->document = json_pack("{s:s, s:{s:O*}}", "configFile", path, "runtimeConfig",
				REQUEST_ANNOTATIONS, (json_t *)annotations);
	if (!s->document)
		return err_set(e, ERR_IO, "out of memory");
	if (!conf_file_read(&s->network, s->document, w, e))
		return false;
	in->mode = compute_mode(&s->network, &in->pod);
	return (!compute_is_needed(in) || read_request(s, s->document, w, e)) &&
	       compute(c, in, w, e);
}
