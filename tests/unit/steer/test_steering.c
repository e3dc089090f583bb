/* SPDX-License-Identifier: Apache-2.0 */
/* What a pod's rules are made of. */
#include "steer/rules/steering.h"
#include "arena.h"
#include "cni/pod_addrs.h"
#include "config/conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

static struct conf conf;
static json_t *network; /* decoded strings are its own */

static struct conf *read_conf(const char *text)
{
	static struct warnings ignored;
	struct err e = { 0 };

	conf_done(&conf);
	json_decref(network);
	network = json_loads(rows_json(text), 0, NULL);
	conf_init(&conf);
	if (!conf_decode(&conf, network, &e) || !conf_check(&conf, &ignored, &e))
		fail_msg("%s", e.text);
	return &conf;
}

/*** pairs ***/

static const struct pairs {
	const char *name, *conf;
	size_t n;	    /* pairs */
	const char *warned; /* part of the one warning, or NULL */
} pairs[] = {
	{ "each family by itself",
	  "{'clusterDNS':['10.0.0.1','fd00::1','10.0.0.2'],"
	  "'nodeCache':{'addresses':['fd00::9','192.0.2.1','192.0.2.2'],'steer':'pod'}}",
	  3, NULL },
	{ "a repeated cluster address is not counted",
	  "{'clusterDNS':['10.0.0.1','10.0.0.1','10.0.0.2'],"
	  "'nodeCache':{'addresses':['192.0.2.1','192.0.2.2'],'steer':'pod'}}",
	  2, NULL },
	{ "one without a partner",
	  "{'clusterDNS':['10.0.0.1','10.0.0.2'],"
	  "'nodeCache':{'addresses':['192.0.2.1'],'steer':'pod'}}",
	  1, "10.0.0.2" },
};

static void plans(void **state)
{
	const struct pairs *row = *state;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct steering s;

	assert_true(steering_plan(&s, read_conf(row->conf), NULL, NULL, &w));
	assert_int_equal(s.n, row->n);
	assert_int_equal(w.n, row->warned != NULL);
	if (row->warned)
		assert_non_null(strstr(w.at[0].text, row->warned));
}

/* Mode `nameserver` makes no rules, and yet says which address has no partner. */
static void warns_without_rules(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct resolv r = { .nameservers.n = 0 };

	resolv_add(&r.nameservers, resolv_word("10.0.0.1", FROM_POLICY), &arena);
	steering_add_servers(&r,
			     read_conf("{'clusterDNS':['10.0.0.1','10.0.0.2'],'nodeCache':"
				       "{'addresses':['192.0.2.1'],'steer':'nameserver'}}"),
			     NULL, &arena, &w);
	assert_int_equal(r.nameservers.n, 2);
	assert_string_equal(r.nameservers.at[0].text, "192.0.2.1");
	assert_int_equal(w.n, 1);
	assert_string_equal(w.at[0].kind, "unpaired");
}

/*** a pod's addresses ***/

static const struct mine {
	const char *name, *result;
	const char *addresses; /* with a blank behind each */
} mine[] = {
	{ "of the sandbox alone",
	  "{'interfaces':[{'name':'veth'},{'name':'eth0','sandbox':'/n'}],'ips':["
	  "{'address':'10.1.0.1/16','interface':0},{'address':'10.1.0.5/16','interface':1}]}",
	  "10.1.0.5 " },
	{ "of no interface", "{'ips':[{'address':'10.1.0.5/16'},{'address':'fd00::5/64'}]}",
	  "10.1.0.5 fd00::5 " },
	{ "an interface that is not there",
	  "{'interfaces':[],'ips':[{'address':'10.1.0.5/16','interface':7}]}", "" },
	{ "a negative index", "{'interfaces':[],'ips':[{'address':'10.1.0.5/16','interface':-1}]}",
	  "" },
	{ "each once", "{'ips':[{'address':'10.1.0.5/16'},{'address':'10.1.0.5/24'}]}",
	  "10.1.0.5 " },
	{ "what is no address", "{'ips':[{'address':'x'},{'address':5},{}]}", "" },
	{ "0.2.0", "{'ip4':{'ip':'10.1.0.5/16'},'ip6':{'ip':'fd00::5/64'}}", "10.1.0.5 fd00::5 " },
};

static void finds_addresses(void **state)
{
	const struct mine *row = *state;
	json_auto_t *result = json_loads(rows_json(row->result), 0, NULL);
	char all[256] = "", text[ADDR_TEXT];
	struct pod_addrs list;

	pod_addrs_of_result(&list, result);
	for (size_t i = 0; i < list.n; i++) {
		addr_print(text, &list.at[i]);
		(void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s ", text);
	}
	assert_string_equal(all, row->addresses);
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(warns_without_rules) };
	int failed = RUN_ROWS("pairs", pairs, plans) +
		     RUN_ROWS("addresses", mine, finds_addresses) + RUN_TESTS("steering", others);

	json_decref(network);
	return failed;
}
