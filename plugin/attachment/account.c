/* account.c: the record of an ADD, as JSON: its inputs, its decision, what became of it. */
#include "attachment/account.h"
#include "config/conf.h"
#include "config/dnsconfig.h"
#include "names.h"

#include <inttypes.h>
#include <stdio.h>

static json_t *entries(const struct resolv_list *list, struct arena *a)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->n; i++)
		(void)json_array_append_new(array,
					    json_pack("{s:s, s:s}", "text", list->at[i].text,
						      "from", from_name(a, list->at[i].from)));
	return array;
}

static json_t *dns(const struct computed *v)
{
	if (v->decision.state != COMPUTED && v->decision.state != LEFT)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "nameservers",
			 entries(&v->outcome.resolv.nameservers, v->arena), "searches",
			 entries(&v->outcome.resolv.searches, v->arena), "options",
			 entries(&v->outcome.resolv.options, v->arena));
}

static json_t *warnings(const struct warnings *w)
{
	json_t *array = json_array();

	for (size_t i = 0; i < w->n; i++)
		(void)json_array_append_new(array, json_pack("{s:s, s:s}", "kind", w->at[i].kind,
							     "text", w->at[i].text));
	return array;
}

static json_t *targets(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->n; i++)
		(void)json_array_append_new(
			array, json_pack("{s:s, s:s*, s:b, s:s*}", "kind",
					 target_words[plan->at[i].kind], "path", plan->at[i].path,
					 "taken", plan->at[i].taken, "why", plan->at[i].why));
	return array;
}

static json_t *inputs(const struct computed *v)
{
	json_t *object = json_object();

	if (v->input->runtime_dns.from)
		(void)json_object_set_new(object, "finished",
					  json_string(v->input->runtime_dns.from));
	if (v->input->runtime_dns.runtime_text)
		(void)json_object_set_new(object, "runtimeText",
					  json_string(v->input->runtime_dns.runtime_text));
	if (v->request.policy != POLICY_UNSET)
		(void)json_object_set_new(object, "dnsPolicy",
					  json_string(v->request.policy_channel));
	if (v->request.dns.present)
		(void)json_object_set_new(object, "dnsConfig", json_string(v->request.dns_channel));
	return object;
}

static json_t *decision(const struct computed *v)
{
	const struct decision *d = &v->decision;

	return json_pack("{s:s, s:b, s:s*, s:s*}", "state", state_names[d->state], "unrecognised",
			 d->unrecognised, "policy",
			 d->state == COMPUTED ? policy_names[d->policy] : NULL, "from",
			 d->state == COMPUTED ? from_name(v->arena, d->policy_from) : NULL);
}

/* The target that is the runtime's file, if it is ours to write, now or late. */
static const struct target *runtimes_file(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->at[i].waits || (plan->at[i].taken && plan->at[i].kind == TARGET_SANDBOX))
			return &plan->at[i];
	return NULL;
}

/* What the runtime's file may hold by our hand: before the writing is over, either text. */
static json_t *written(const struct computed *v, const struct target *file, bool over)
{
	json_t *texts = json_array();
	bool ours = file && file->taken && v->outcome.text;

	if (v->input->runtime_dns.written && !(over && ours))
		(void)json_array_append_new(texts, json_string(v->input->runtime_dns.written));
	if (v->outcome.text && (ours || !over))
		(void)json_array_append_new(texts, json_string(v->outcome.text));
	return texts;
}

static json_t *netns_json(const struct pod_netns *netns)
{
	return json_pack("{s:s, s:I, s:I}", "path", netns->path, "dev", (json_int_t)netns->id.dev,
			 "ino", (json_int_t)netns->id.ino);
}

static json_t *pod(const struct pod *pod)
{
	return json_pack("{s:s, s:s, s:s, s:b}", "namespace", pod->namespace, "name", pod->name,
			 "uid", pod->uid, "cri", pod->cri);
}

/* What decides a PENDING pod once the runtime's text is there. */
static json_t *deferred(const struct computed *v)
{
	if (v->decision.state != PENDING)
		return json_null();
	return json_pack("{s:O, s:s*, s:b, s:o*}", "conf", v->input->network->own, "configFile",
			 v->input->network->conf.config_file, "keep", v->decision.policy == KEEP,
			 "dnsConfig",
			 v->request.dns.present ? dnsconfig_json(&v->request.dns) : NULL);
}

bool account_settle(json_t *record, const struct computed *v, const struct warnings *w)
{
	json_t *all = json_object_get(record, "warnings");
	/* A pod that chose for itself keeps the runtime's file, unless it asks for more here. */
	bool left = v->decision.state == LEFT && !v->request.dns.present;
	json_t *fresh =
		json_pack("{s:o, s:o, s:s?, s:o, s:n}", "decision", decision(v), "dns", dns(v),
			  "text", left ? NULL : v->outcome.text, "inputs", inputs(v), "deferred");
	json_auto_t *more = warnings(w);
	bool done = fresh && json_array_extend(all, more) == 0 &&
		    json_object_update(record, fresh) == 0;

	json_decref(fresh);
	return done;
}

static json_t *attachment(const struct attachment *at, const struct computed *v)
{
	char hash[17];

	(void)snprintf(hash, sizeof(hash), "%016" PRIx64, conf_hash(v->input->network->own));
	return json_pack("{s:i, s:s, s:s, s:s, s:s}", "version", RECORD_VERSION, "config", hash,
			 "network", at->network, "containerID", at->container_id, "ifname",
			 at->ifname);
}

json_t *account_make(const struct attachment *at, const struct pod_netns *netns,
		     const struct computed *v, const struct plan *plan, bool over,
		     const json_t *printed, const json_t *steering, const struct warnings *w)
{
	const struct target *file = runtimes_file(plan);
	json_t *account = attachment(at, v);
	json_auto_t *rest = json_pack(
		"{s:o, s:o, s:s, s:o, s:o, s:o, s:O?, s:s*, s:o, s:s*, s:s*, s:o, s:o, s:o, s:O?}",
		"netns", netns_json(netns), "pod", pod(&v->input->pod), "mode",
		mode_names[v->input->mode], "decision", decision(v), "inputs", inputs(v), "dns",
		dns(v), "printed", (json_t *)printed, "text", v->outcome.text, "written",
		written(v, file, over), "file", file ? file->path : NULL, "late",
		file && file->waits ? "pending" : NULL, "deferred", deferred(v), "warnings",
		warnings(w), "targets", targets(plan), "steering", (json_t *)steering);

	if (rest && json_object_update(account, rest) == 0)
		return account;
	json_decref(account);
	return NULL;
}
