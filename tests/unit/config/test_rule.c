/* SPDX-License-Identifier: Apache-2.0 */
/* An operator's rules: what they say, and which one is a pod's. */
#include "rows.h"
#include "config/conf.h"
#include "config/rule.h"

#include <string.h>

static const struct row {
	const char *name, *in;
	int policy, mode, steer;
	bool steer_default;
	const char *error; /* how it begins; NULL: none */
} rows[] = {
	{ "an empty one", "{}", POLICY_UNSET, MODE_UNSET, STEER_UNSET, false, NULL },
	{ "all of it",
	  "{'namespaces':['a'],'pods':['b'],'dnsPolicy':'None','mode':'observe','steer':'node'}",
	  NONE, MODE_OBSERVE, STEER_NODE, false, NULL },
	{ "Custom is None", "{'dnsPolicy':'Custom'}", NONE, MODE_UNSET, STEER_UNSET, false, NULL },
	{ "steer true is the network's mode", "{'steer':true}", POLICY_UNSET, MODE_UNSET, STEER_POD,
	  true, NULL },
	{ "steer false is off", "{'steer':false}", POLICY_UNSET, MODE_UNSET, STEER_OFF, false,
	  NULL },
	{ "steer off is a word", "{'steer':'off'}", POLICY_UNSET, MODE_UNSET, STEER_OFF, false,
	  NULL },
	{ "steer null is absent", "{'steer':null}", POLICY_UNSET, MODE_UNSET, STEER_UNSET, false,
	  NULL },
	{ "steer is a number", "{'steer':1}", 0, 0, 0, false,
	  ".steer: expected one of true, false, off, pod, node, dnat, nameserver, got 1" },
	{ "an empty list", "{'namespaces':[]}", 0, 0, 0, false,
	  ".namespaces: 0 entries, 1 at least" },
	{ "a glob that is a number", "{'pods':['a',5]}", 0, 0, 0, false,
	  ".pods[1]: expected a string, got 5" },
	{ "an empty glob", "{'pods':['']}", 0, 0, 0, false, ".pods[0]: must not be empty" },
	{ "a key of the network's", "{'targets':[]}", 0, 0, 0, false, ".targets: unknown key" },
	{ "within dnsConfig", "{'dnsConfig':{'options':[{}]}}", 0, 0, 0, false,
	  ".dnsConfig.options[0].name: missing" },
	{ "no object", "5", 0, 0, 0, false, ": expected an object, got 5" },
};

static void is_read(void **state)
{
	const struct row *row = *state;
	struct rule rule = { 0 };
	struct err e = { 0 };
	json_t *json = json_loads(rows_json(row->in), JSON_DECODE_ANY, NULL);

	assert_non_null(json);
	assert_int_equal(rule_read(json, NULL, &rule, &e), !row->error);
	if (row->error) {
		e.text[strlen(row->error)] = '\0';
		assert_string_equal(e.text, row->error);
	} else {
		assert_int_equal(rule.policy, row->policy);
		assert_int_equal(rule.mode, row->mode);
		assert_int_equal(rule.steer, row->steer);
		assert_int_equal(rule.steer_default, row->steer_default);
	}
	json_decref(json);
}

/*** which ***/

static const char rules[] = "{'rules':[{'namespaces':['kube-*']},{'namespaces':['dev','prod-*'],"
			    "'pods':['web-?','[ab]x']},{'pods':['*']},{'namespaces':['default']},"
			    "{'namespaces':['kube-*'],'hostNetwork':true}]}";

static const struct match {
	const char *name, *namespace, *pod;
	int rule; /* -1: none */
	bool host_network;
} matches[] = {
	{ "a star", "kube-system", "", 0, false },
	{ "both lists", "prod-1", "web-1", 1, false },
	{ "a class", "dev", "bx", 1, false },
	{ "a question mark is one letter", "dev", "web-10", 2, false },
	{ "the first that matches", "kube-", "web-1", 0, false },
	{ "only one of the lists", "shop", "web-1", 2, false },
	{ "a dot and a slash are plain", "prod-a/b", "web-.", 1, false },
	{ "letters count", "Kube-system", "X", 2, false },
	{ "no name is the empty string, which a star matches", "shop", "", 2, false },
	{ "on the host's network", "kube-system", "web-1", 4, true },
	{ "on the host's network, no rule for it", "shop", "web-1", -1, true },
};

static void finds_the_rule(void **state)
{
	const struct match *row = *state;
	static struct conf conf;
	const struct pod pod = { .name = row->pod,
				 .namespace = row->namespace,
				 .uid = "",
				 .host_network = row->host_network };
	const struct rule *rule;
	struct err e = { 0 };
	json_t *network = json_loads(rows_json(rules), 0, NULL);

	conf_init(&conf);
	assert_true(conf_decode(&conf, network, &e));
	rule = rule_of(&conf.rules, &pod);
	assert_int_equal(rule ? (int)(rule - conf.rules.at) : -1, row->rule);
	conf_done(&conf);
	json_decref(network);
}

int main(void)
{
	return RUN_ROWS("rules", rows, is_read) + RUN_ROWS("which", matches, finds_the_rule);
}
