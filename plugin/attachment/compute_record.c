/* SPDX-License-Identifier: Apache-2.0 */
/* compute_record.c: what was computed for a pod, put into its record. */
#include "attachment/compute_record.h"
#include "config/conf.h"

static struct record_decision decision_of(const struct decision *d, const struct outcome *o)
{
	bool computed = d->state == COMPUTED;

	return (struct record_decision){
		.state = (int)d->state,
		.unrecognised = d->unrecognised,
		.policy = computed ? o->policy : POLICY_UNSET,
		.from = computed ? d->policy_from : -1,
	};
}

static struct record_inputs inputs_of(const struct computed *c)
{
	const struct request *request = &c->request;

	return (struct record_inputs){
		.runtime_dns = c->input->runtime_dns.from,
		.runtime_text = c->input->runtime_dns.runtime_text,
		.of_node = c->of_node,
		.ipv4_only = c->input->ipv4_only,
		.dns_policy = request->policy != POLICY_UNSET ? request->policy_channel : NULL,
		.dns_config = request->dns.present ? request->dns_channel : NULL,
	};
}

void compute_record_decision(struct record *record, const struct computed *c,
			     const struct outcome *o)
{
	record->decision = decision_of(&c->decision, o);
	record->inputs = inputs_of(c);
	record->dns = o->resolv;
	record->text = o->text;
	record->deferred = (struct record_deferred){ 0 };
}

void compute_record(struct record *record, const struct computed *c, const struct outcome *o)
{
	const struct network_conf *network = c->input->network;

	compute_record_decision(record, c, o);
	record->config = conf_hash(network->own);
	record->pod = c->input->pod;
	record->mode = (int)c->input->mode;
	record->steer = (int)steering_mode(&network->conf, c->decision.rule);
	if (c->decision.state == DEFERRED)
		record->deferred = (struct record_deferred){
			.conf = network->own,
			.config_file = network->conf.config_file,
			.keep = c->decision.policy == KEEP,
			.dns = c->request.dns,
		};
}
