/* SPDX-License-Identifier: Apache-2.0 */
/* dnsConfig as an operator or a pod writes it: what is taken, and as which lists. */
#include "rows.h"
#include "arena.h"
#include "config/dnsconfig.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

#define A63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct row {
	const char *name, *in;
	const char *text;  /* the lists as a file; NULL: refused */
	const char *error; /* how it begins */
} rows[] = {
	{ "nothing", "{}", "", NULL },
	{ "three lists",
	  "{'nameservers':['192.0.2.1'],'searches':['a.example'],"
	  "'options':[{'name':'ndots','value':'2'}]}",
	  "search a.example\nnameserver 192.0.2.1\noptions ndots:2\n", NULL },
	{ "search for searches", "{'search':['a.example']}", "search a.example\n", NULL },
	{ "both", "{'search':[],'searches':[]}", NULL, ".searches: the same key as search" },
	{ "null lists", "{'nameservers':null,'searches':null,'options':null}", "", NULL },
	{ "an unknown key", "{'nameserver':[]}", NULL,
	  ".nameserver: unknown key (did you mean \"nameservers\"?)" },
	{ "no object", "[]", NULL, ": expected an object, got []" },
	{ "servers are written as given", "{'nameservers':['FD00::0A','010.0.0.1']}",
	  "nameserver FD00::0A\nnameserver 010.0.0.1\n", NULL },
	{ "a zone", "{'nameservers':['fe80::1%eth0']}", NULL, ".nameservers[0]:" },
	{ "a port", "{'nameservers':['192.0.2.1:53']}", NULL, ".nameservers[0]:" },
	{ "an empty server", "{'nameservers':['']}", NULL, ".nameservers[0]: must not be empty" },
	{ "a NUL", "{'nameservers':['192.0.2.1\\u0000']}", NULL, ".nameservers[0]:" },
	{ "a search with a final dot", "{'searches':['a.example.']}", "search a.example.\n", NULL },
	{ "the root", "{'searches':['.']}", "search .\n", NULL },
	{ "underscores", "{'searches':['_tcp.a_b.example']}", "search _tcp.a_b.example\n", NULL },
	{ "two leading underscores", "{'searches':['__a']}", NULL, ".searches[0]:" },
	{ "upper case", "{'searches':['A.example']}", NULL, ".searches[0]:" },
	{ "two dots", "{'searches':['a..b']}", NULL, ".searches[0]:" },
	{ "a label of more than 63", "{'searches':['" A63 "a.example']}",
	  "search " A63 "a.example\n", NULL },
	{ "an integer as value", "{'options':[{'name':'ndots','value':2}]}", "options ndots:2\n",
	  NULL },
	{ "no value, null, empty",
	  "{'options':[{'name':'a'},{'name':'b','value':null},{'name':'c','value':''}]}",
	  "options a b c\n", NULL },
	{ "a fraction", "{'options':[{'name':'a','value':1.5}]}", NULL, ".options[0].value:" },
	{ "a list as value", "{'options':[{'name':'a','value':[1]}]}", NULL, ".options[0].value:" },
	{ "no name", "{'options':[{'value':'1'}]}", NULL, ".options[0].name: missing" },
	{ "a blank in a name", "{'options':[{'name':'a b'}]}", NULL, ".options[0].name:" },
	{ "a line break in a value", "{'options':[{'name':'a','value':'1\\nsearch x'}]}", NULL,
	  ".options[0].value:" },
	{ "a no-break space in a value", "{'options':[{'name':'a','value':'\\u00a0'}]}", NULL,
	  ".options[0].value:" },
	{ "a name may hold a colon", "{'options':[{'name':'a:b','value':'c'}]}", "options a:b:c\n",
	  NULL },
	{ "an option that is a string", "{'options':['ndots:2']}", NULL,
	  ".options[0]: expected an object" },
};

static void is_read(void **state)
{
	const struct row *row = *state;
	static struct resolv lists;
	struct dns_config d = { 0 };
	auto_arena arena = { 0 };
	auto_text text = TEXT_UP_TO(4096);
	struct err e = { 0 };
	json_t *json = json_loads(rows_json(row->in), JSON_ALLOW_NUL, NULL);
	bool good;

	assert_non_null(json);
	good = dnsconfig_read(json, NULL, &d, &e);
	assert_int_equal(good, row->text != NULL);
	if (good) {
		assert_true(d.present);
		dnsconfig_lists(&lists, &d, FROM_POD, &arena);
		resolv_render(&text, &lists);
		assert_string_equal(text.at ? text.at : "", row->text);
	} else {
		assert_int_equal(e.code, ERR_CONFIG);
		e.text[strlen(row->error)] = '\0';
		assert_string_equal(e.text, row->error);
	}
	json_decref(json);
}

/* A colon of the name belongs to it: kubelet keys by the whole name. */
static void names_are_whole(void **state UNUSED)
{
	static struct resolv lists;
	struct dns_config d = { 0 };
	auto_arena arena = { 0 };
	struct err e = { 0 };
	json_t *json = json_loads(
		rows_json("{'options':[{'name':'ndots:2','value':'x'},{'name':'a'}]}"), 0, NULL);

	assert_true(dnsconfig_read(json, NULL, &d, &e));
	dnsconfig_lists(&lists, &d, FROM_RULE + 3, &arena);
	assert_int_equal(lists.options.at[0].key, strlen("ndots:2"));
	assert_int_equal(lists.options.at[1].key, 1);
	assert_int_equal(lists.options.at[0].from, FROM_RULE + 3);
	json_decref(json);
}

/*** Kubernetes' counts ***/

static const struct fit {
	const char *name, *list, *entry;
	size_t n;
	bool fits;
} fits[] = {
	{ "three servers", "nameservers", "192.0.2.1", 3, true },
	{ "four", "nameservers", "192.0.2.1", 4, false },
	{ "32 searches", "searches", "a", 32, true },
	{ "33", "searches", "a", 33, false },
	{ "2047 characters", "searches", A63, 32, true },
	{ "2079 characters", "searches", A63 "a", 32, false },
	{ "any number of options", "options", "", 200, true },
};

static void fits_a_pod(void **state)
{
	const struct fit *row = *state;
	struct dns_config d = { 0 };
	struct err e = { 0 };
	json_t *list = json_array(), *json = json_object();

	for (size_t i = 0; i < row->n; i++)
		(void)json_array_append_new(list, *row->entry ? json_string(row->entry)
							      : json_pack("{s:s}", "name", "a"));
	(void)json_object_set_new(json, row->list, list);
	assert_true(dnsconfig_read(json, NULL, &d, &e));
	assert_int_equal(dnsconfig_fits_pod(&d, false, &e), row->fits);
	assert_int_equal(e.code, row->fits ? 0 : ERR_CONFIG);
	json_decref(json);
}

/* What a record keeps is read again as the same. */
static void comes_back_from_json(void **state UNUSED)
{
	const char *text = rows_json("{'nameservers':['192.0.2.1'],'options':[{'name':'a'}]}");
	struct dns_config d = { 0 };
	struct err e = { 0 };
	json_t *json = json_loads(text, 0, NULL), *again;

	assert_true(dnsconfig_read(json, NULL, &d, &e));
	again = dnsconfig_json(&d);
	assert_true(json_equal(json, again));
	json_decref(json);
	json_decref(again);
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(names_are_whole),
		cmocka_unit_test(comes_back_from_json),
	};

	return RUN_ROWS("dnsConfig", rows, is_read) + RUN_ROWS("counts", fits, fits_a_pod) +
	       RUN_TESTS("others", others);
}
