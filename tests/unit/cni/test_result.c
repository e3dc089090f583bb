/* SPDX-License-Identifier: Apache-2.0 */
/* prevResult as callers bring it, and the result that ADD prints. */
#include "cni/result.h"
#include "arena.h"
#include "json.h"

#include "rows.h"

#include <stdio.h>
#include <string.h>

static json_t *parsed(const char *text)
{
	const char *json = rows_json(text);
	struct err e = { 0 };
	json_t *value = json_read(json, strlen(json), false, &e);

	assert_non_null(value);
	return value;
}

/*** what is a result ***/

static const struct check {
	const char *name, *version, *prev;
	unsigned code;
	const char *error; /* part of it; NULL: none */
} checks[] = {
	{ "empty", "1.1.0", "{}", 0, NULL },
	{ "whole", "1.1.0",
	  "{'cniVersion':'1.0.0','ips':[{'address':'10.1.0.5/16','gateway':'10.1.0.1'}],"
	  "'routes':[{'dst':'0.0.0.0/0','gw':'10.1.0.1'}],'interfaces':[{}],"
	  "'dns':{'nameservers':['10.1.0.1'],'search':[],'options':null}}",
	  0, NULL },
	{ "null is absent", "1.1.0", "{'ips':null,'routes':null,'dns':null,'cniVersion':null}", 0,
	  NULL },
	{ "a family reads alike", "0.4.0", "{'cniVersion':'0.3.1'}", 0, NULL },
	{ "another family", "1.0.0", "{'cniVersion':'0.4.0'}", ERR_VERSION, "0.4.0" },
	{ "a version that is none", "1.0.0", "{'cniVersion':'2.0.0'}", ERR_VERSION, "2.0.0" },
	{ "a version that is a number", "1.0.0", "{'cniVersion':1}", ERR_DECODE, "cniVersion" },
	{ "no object", "1.0.0", "[]", ERR_DECODE, "prevResult" },
	{ "an address without its prefix", "1.0.0", "{'ips':[{'address':'10.1.0.5'}]}", ERR_DECODE,
	  "prevResult.ips[0].address" },
	{ "a gateway that is none", "1.0.0", "{'ips':[{'address':'10.1.0.5/16','gateway':'x'}]}",
	  ERR_DECODE, "ips[0].gateway" },
	{ "an empty gateway is absent", "1.0.0", "{'ips':[{'address':'10.1.0.5/16','gateway':''}]}",
	  0, NULL },
	{ "a route's dst", "1.0.0", "{'routes':[{'dst':'0.0.0.0/0'},{'dst':'0/0'}]}", ERR_DECODE,
	  "routes[1].dst" },
	{ "an interface that is none", "1.0.0", "{'interfaces':[1]}", ERR_DECODE, "interfaces[0]" },
	{ "a list that is none", "1.0.0", "{'ips':{}}", ERR_DECODE, "ips" },
	{ "dns that is none", "1.0.0", "{'dns':[]}", ERR_DECODE, "dns" },
	{ "a server that is a number", "1.0.0", "{'dns':{'nameservers':[8]}}", ERR_DECODE,
	  "dns.nameservers[0]" },
	{ "0.2.0's address", "0.2.0", "{'ip4':{'ip':'10.1.0.5/16'},'ip6':null}", 0, NULL },
	{ "0.2.0's address without its prefix", "0.2.0", "{'ip6':{'ip':'fd00::5'}}", ERR_DECODE,
	  "ip6.ip" },
	{ "0.2.0 has no ips", "0.2.0", "{'ips':7}", 0, NULL },
};

static void checks_result(void **state)
{
	const struct check *row = *state;
	json_auto_t *prev = parsed(row->prev);
	struct err e = { 0 };

	assert_int_equal(result_check(prev, row->version, &e), !row->error);
	assert_int_equal(e.code, row->code);
	if (row->error)
		assert_non_null(strstr(e.text, row->error));
}

static void wants_a_result(void **state UNUSED)
{
	struct err e = { 0 };

	assert_false(result_check(NULL, "1.0.0", &e));
	assert_int_equal(e.code, ERR_CONFIG);
}

/*** the result ***/

static const struct make {
	const char *name, *prev, *dns; /* NULL: without */
	const char *text;	       /* of the lists */
} makes[] = {
	{ "all three", "{}", "{'nameservers':['192.0.2.1'],'search':['a'],'options':['o:1']}",
	  "nameserver 192.0.2.1\nsearch a\noptions o:1\n" },
	{ "nothing", "{'dns':{'nameservers':['192.0.2.9'],'search':['b'],'options':['p']}}", NULL,
	  "" },
	{ "a domain stays", "{'dns':{'domain':'d','search':['b']}}", "{'domain':'d'}", "" },
	{ "other keys stay", "{'dns':{'x':1,'search':['b']}}", "{'x':1,'search':['a']}",
	  "search a\n" },
	{ "a zone", "{}", "{'nameservers':['fe80::1','::ffff:192.0.2.1']}",
	  "nameserver fe80::1%eth0\nnameserver fe80::1\nnameserver ::ffff:192.0.2.1\n" },
	{ "nothing but zones", "{}", "{'search':['a']}",
	  "nameserver fe80::1%eth0\nnameserver fe80::2%2\nsearch a\n" },
	{ "what Go calls no address", "{}", "{'nameservers':['10.0.0.1']}",
	  "nameserver 010.0.0.1\nnameserver 10.0.0.1\nnameserver 10.0.1\nnameserver [::1]\n" },
};

static void makes_result(void **state)
{
	const struct make *row = *state;
	json_auto_t *prev = parsed(row->prev);
	json_auto_t *want = row->dns ? parsed(row->dns) : NULL;
	json_auto_t *result = NULL;
	auto_arena arena = { 0 };
	char text[256];
	struct resolv r;

	(void)snprintf(text, sizeof(text), "%s", row->text);
	(void)resolv_parse(&r, text, strlen(text), RESOLV_VERBATIM, 0, &arena);
	result = result_make(prev, "1.1.0", &r);
	assert_non_null(result);
	assert_string_equal(json_string_value(json_object_get(result, "cniVersion")), "1.1.0");
	if (want)
		assert_true(json_equal(json_object_get(result, "dns"), want));
	else
		assert_null(json_object_get(result, "dns"));
}

static void cleans(void **state UNUSED)
{
	json_auto_t *prev = parsed("{'dns':{'nameservers':['192.0.2.1','a b','',7],"
				   "'domain':'a\\u001b','search':['x'],'options':['\\u2028']}}");
	json_auto_t *want =
		parsed("{'dns':{'nameservers':['192.0.2.1'],'search':['x'],'options':[]}}");
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	json_auto_t *clean = result_clean(prev, &w);

	assert_true(json_equal(clean, want));
	assert_int_equal(w.n, 5);
}

static const struct lack {
	const char *name, *prev, *printed;
	const char *says; /* NULL: nothing is lacking */
} lacks[] = {
	{ "the same", "{'dns':{'search':['a']}}", "{'search':['a']}", NULL },
	{ "more", "{'dns':{'search':['b','a']}}", "{'search':['a']}", NULL },
	{ "nothing printed", "{}", "null", NULL },
	{ "an entry", "{'dns':{'search':['b']}}", "{'search':['b','a']}",
	  "dns.search lacks \"a\"" },
	{ "a list", "{'dns':{}}", "{'options':['o']}", "dns.options lacks \"o\"" },
	{ "dns", "{}", "{'nameservers':['192.0.2.1']}", "dns.nameservers lacks \"192.0.2.1\"" },
};

static void finds_lacking(void **state)
{
	const struct lack *row = *state;
	json_auto_t *prev = parsed(row->prev);
	json_t *printed = json_loads(rows_json(row->printed), JSON_DECODE_ANY, NULL);
	char says[128] = "";

	assert_int_equal(result_lacks(says, sizeof(says), prev, printed), row->says != NULL);
	if (row->says)
		assert_string_equal(says, row->says);
	json_decref(printed);
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(wants_a_result),
		cmocka_unit_test(cleans),
	};

	return RUN_ROWS("checked", checks, checks_result) + RUN_ROWS("made", makes, makes_result) +
	       RUN_ROWS("lacking", lacks, finds_lacking) + RUN_TESTS("others", others);
}
