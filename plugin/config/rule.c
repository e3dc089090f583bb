/* SPDX-License-Identifier: Apache-2.0 */
/* rule.c: reads the operator's rules, and finds a pod's. */
#include "config/rule.h"
#include "config/dnsconfig.h"
#include "enum_names.h"

#include <fnmatch.h>

static bool read_rule_measure(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	bool measure;

	if (!json_read_bool(v, row, &measure, e))
		return false;
	*(int *)out = measure;
	return true;
}

/* false, true (the network's mode) or a mode. */
static bool read_rule_steer(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	struct rule *rule = (struct rule *)((char *)out - row->at);

	if (!json_is_boolean(v))
		return json_read_word(v, row, out, NULL) ||
		       json_fault(v, e, "one of true, false, off, pod, node, dnat, nameserver");
	rule->steer = json_is_true(v) ? STEER_POD : STEER_OFF;
	rule->steer_default = json_is_true(v);
	return true;
}

/* An empty list would match no pod. */
#define GLOBS .item = json_read_string, .min = 1, .max = STRINGS_MAX

static const struct json_row rule_rows[] = {
	JSON_ROW("namespaces", json_read_items, struct rule, namespaces, GLOBS,
		 .about = "Shell patterns of namespaces. Absent: every namespace."),
	JSON_ROW("pods", json_read_items, struct rule, pods, GLOBS,
		 .about = "Shell patterns of the names of pods. Absent: every pod."),
	JSON_ROW("hostNetwork", json_read_bool, struct rule, host_network,
		 .about = "true: the rule is for pods on the host's network, and for no other."),
	JSON_ROW("dnsPolicy", enum_names_read_policy, struct rule, policy, .words = policy_names,
		 .like = json_read_word, .about = "The policy of the rule's pods."),
	JSON_ROW("dnsConfig", dnsconfig_read, struct rule, dns, .alias = "dnsParams",
		 .like = json_read_object, .table = &dnsconfig_table,
		 .about = "Additions for the rule's pods, over those of the network."),
	JSON_ROW("mode", json_read_word, struct rule, mode, .words = mode_names,
		 .about = "The mode for the rule's pods."),
	JSON_ROW("families", json_read_word, struct rule, families, .words = families_names,
		 .about = "The network's families, for the rule's pods."),
	JSON_ROW("measure", read_rule_measure, struct rule, measure, .like = json_read_bool,
		 .about = "The network's measure, for the rule's pods."),
	JSON_ROW("steer", read_rule_steer, struct rule, steer, .words = steer_names,
		 .like = json_read_word, .also = "boolean",
		 .about = "Whether and how queries of the rule's pods get to the cache."),
};
const struct json_table rule_table = JSON_TABLE(rule_rows, 0);

bool rule_read(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	struct rule *rule = out;

	rule->policy = POLICY_UNSET;
	rule->mode = MODE_UNSET;
	rule->families = FAMILIES_UNSET;
	rule->measure = -1;
	rule->steer = STEER_UNSET;
	return json_decode_in(v, &rule_table, rule, e);
}

/* A pod on the host's network has the runtime's base, is not steered and not measured. */
bool rule_check(const struct rule *rule, struct err *e)
{
	const struct {
		const char *key;
		bool given;
	} keys[] = {
		{ "dnsPolicy", rule->policy != POLICY_UNSET },
		{ "families", rule->families != FAMILIES_UNSET },
		{ "measure", rule->measure != -1 },
		{ "steer", rule->steer != STEER_UNSET },
	};

	for (size_t i = 0; rule->host_network && i < LEN(keys); i++)
		if (keys[i].given)
			return err_set(e, ERR_CONFIG, ".%s: not possible with hostNetwork",
				       keys[i].key);
	return true;
}

bool rule_read_all(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	struct rules *rules = out;
	size_t n = json_array_size(v);

	if (n > RULES_MAX)
		return err_set(e, ERR_CONFIG, ": %zu rules, %d at most", n, RULES_MAX);
	rules->at = calloc(n + 1, sizeof(*rules->at));
	if (!rules->at)
		return err_set(e, ERR_IO, ": out of memory");
	if (!json_read_each(v, row, rules->at, e))
		return false;
	rules->n = n;
	return true;
}

static bool matches(const json_t *globs, const char *name)
{
	json_t *glob;
	size_t i;

	json_array_foreach (globs, i, glob)
		if (fnmatch(json_string_value(glob), name, 0) == 0)
			return true;
	return !globs;
}

const struct rule *rule_of(const struct rules *rules, const struct pod *pod)
{
	for (size_t i = 0; i < rules->n; i++) {
		const struct rule *rule = &rules->at[i];

		if (rule->host_network == pod->host_network &&
		    matches(rule->namespaces, pod->namespace) && matches(rule->pods, pod->name))
			return rule;
	}
	return NULL;
}

void rule_done_all(struct rules *rules)
{
	free(rules->at);
	*rules = (struct rules){ 0 };
}
