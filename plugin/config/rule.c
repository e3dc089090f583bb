/* rule.c: an operator's rules: what they say, and which one is a pod's. */
#include "config/rule.h"
#include "config/dnsconfig.h"
#include "names.h"

#include <fnmatch.h>

/* Globs: a list that could match nothing is a mistake. */
static bool read_globs(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	if (json_is_array(v) && !json_array_size(v))
		return err_set(e, ERR_CONFIG, ": an empty list matches nothing");
	return json_read_items(v, row, out, e);
}

/* false, true (the network's mode) or a mode. */
static bool read_rule_steer(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	struct rule *rule = (struct rule *)((char *)out - row->at);
	struct err unsaid = { 0 }; /* it names the modes alone */

	if (!json_is_boolean(v))
		return json_read_word(v, row, out, &unsaid) ||
		       json_fault(v, e, "one of true, false, off, pod, node, dnat, nameserver");
	rule->steer = json_is_true(v) ? STEER_POD : STEER_OFF;
	rule->steer_default = json_is_true(v);
	return true;
}

#define GLOBS .item = json_read_string, .max = STRINGS_MAX

static const struct json_row rule_rows[] = {
	JSON_ROW("namespaces", read_globs, struct rule, namespaces, GLOBS),
	JSON_ROW("pods", read_globs, struct rule, pods, GLOBS),
	JSON_ROW("dnsPolicy", names_read_policy, struct rule, policy, .words = policy_names),
	JSON_ROW("dnsConfig", dnsconfig_read, struct rule, dns, .alias = "dnsParams"),
	JSON_ROW("mode", json_read_word, struct rule, mode, .words = mode_names),
	JSON_ROW("steer", read_rule_steer, struct rule, steer, .words = steer_names),
};
static const struct json_table rule_table = JSON_TABLE(rule_rows, 0);

static bool read_rule(const json_t *v, const struct json_row *row UNUSED, void *out, struct err *e)
{
	struct rule *rule = out;

	rule->policy = POLICY_UNSET;
	rule->mode = MODE_UNSET;
	rule->steer = STEER_UNSET;
	return json_decode_in(v, &rule_table, rule, e);
}

bool rule_read_all(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	struct rules *rules = out;
	json_t *item;
	size_t i;

	if (!json_is_array(v))
		return json_fault(v, e, "a list");
	if (json_array_size(v) > RULES_MAX)
		return err_set(e, ERR_CONFIG, ": %zu rules, %d at most", json_array_size(v),
			       RULES_MAX);
	rules->at = calloc(json_array_size(v) + 1, sizeof(*rules->at));
	if (!rules->at)
		return err_set(e, ERR_IO, ": out of memory");
	rules->n = json_array_size(v);
	json_array_foreach (v, i, item)
		if (!read_rule(item, row, &rules->at[i], e))
			return err_in(e, "[%zu]", i);
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

		if (matches(rule->namespaces, pod->namespace) && matches(rule->pods, pod->name))
			return rule;
	}
	return NULL;
}

void rule_done_all(struct rules *rules)
{
	free(rules->at);
	*rules = (struct rules){ 0 };
}
