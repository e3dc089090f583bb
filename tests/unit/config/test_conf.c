/* SPDX-License-Identifier: Apache-2.0 */
/* The network's configuration: what is refused, with the path of the key. */
#include "rows.h"
#include "unit/config/conf_rows.h"
#include "arena.h"
#include "config/conf.h"
#include "config/rule.h"
#include "text.h"
#include "warn.h"

#include <stdio.h>
#include <string.h>

static void decodes(void **state)
{
	const struct conf_row *row = *state;
	static struct conf conf;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct err e = { 0 };
	json_t *network = json_loads(rows_json(row->in), 0, NULL);
	bool ok;

	assert_non_null(network);
	conf_init(&conf);
	ok = conf_decode(&conf, network, &e) && conf_check(&conf, &w, &e);
	if (ok == (row->error != NULL) || e.code != row->code ||
	    (row->error && strncmp(e.text, row->error, strlen(row->error)) != 0))
		fail_msg("%u \"%s\", wanted %u \"%s\"", e.code, e.text, row->code,
			 row->error ? row->error : "");
	conf_done(&conf);
	json_decref(network);
}

/*** how much ***/

/* A list of `max` good entries is taken; one more is an error that names its key. */
static const struct list {
	const char *name, *before, *entry, *after;
	size_t max;
} lists[] = {
	{ "clusterDNS", "{'clusterDNS':[", "'10.96.0.10'", "]}", STRINGS_MAX },
	{ "dnsConfig.nameservers", "{'dnsConfig':{'nameservers':[", "'fd00::1'", "]}}",
	  STRINGS_MAX },
	{ "dnsConfig.search", "{'dnsConfig':{'search':[", "'a.example'", "]}}", STRINGS_MAX },
	{ "dnsConfig.options", "{'dnsConfig':{'options':[", "{'name':'a'}", "]}}", STRINGS_MAX },
	{ "rules[1].namespaces", "{'rules':[{},{'namespaces':[", "'a-*'", "]}]}", STRINGS_MAX },
	{ "rules[0].pods", "{'rules':[{'pods':[", "'a-*'", "]}]}", STRINGS_MAX },
	{ "servers", "{'servers':[", "{'name':'a'}", "]}", SERVERS_MAX },
	{ "rules", "{'rules':[", "{}", "]}", RULES_MAX },
};

static bool decodes_entries(const struct list *list, size_t n, struct err *e)
{
	static struct conf conf;
	auto_text text = TEXT_UP_TO(1 << 20);
	json_t *network;
	bool ok;

	text_print(&text, "%s", list->before);
	for (size_t i = 0; i < n; i++)
		text_print(&text, "%s%s", i ? "," : "", list->entry);
	text_print(&text, "%s", list->after);
	network = json_loads(rows_json(text.at), 0, NULL);
	assert_non_null(network);
	conf_init(&conf);
	ok = conf_decode(&conf, network, e);
	conf_done(&conf);
	json_decref(network);
	return ok;
}

static void is_bounded(void **state)
{
	const struct list *list = *state;
	struct err e = { 0 };
	char error[64];

	(void)snprintf(error, sizeof error, "%s: %zu %s, %zu at most", list->name, list->max + 1,
		       list->max == RULES_MAX ? "rules" : "entries", list->max);
	assert_true(decodes_entries(list, list->max, &e));
	assert_false(decodes_entries(list, list->max + 1, &e));
	assert_int_equal(e.code, ERR_CONFIG);
	assert_string_equal(e.text, error);
}

/* RULES_MAX of them, beside their JSON, are to leave the process below 4 MiB: a rule that held its
 * lists, with room for STRINGS_MAX entries, took 12 KiB. */
static void a_rule_is_small(void **state UNUSED)
{
	assert_in_range(sizeof(struct rule), 1, 256);
}

/* Records hold it: it is that of the compact text, its keys sorted. */
static void hash_is_of_the_text(void **state UNUSED)
{
	const char *text = rows_json("{'clusterDNS':['10.96.0.10'],'mode':'off'}");
	json_t *own = json_loads(rows_json("{'mode':'off','clusterDNS':['10.96.0.10']}"), 0, NULL);

	assert_int_equal(conf_hash(own), text_hash(text, strlen(text)));
	json_decref(own);
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(a_rule_is_small),
					     cmocka_unit_test(hash_is_of_the_text) };

	return RUN_ROWS("conf", conf_cases, decodes) + RUN_ROWS("bounds", lists, is_bounded) +
	       RUN_TESTS("sizes and hashes", others);
}
