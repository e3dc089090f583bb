/* SPDX-License-Identifier: Apache-2.0 */
/* Chaining pod-dns into a conflist, and out of it again. */
#include "pod-dnsctl/install/chain.h"
#include "rows.h"

#include <stdio.h>
#include <string.h>

#define OBJECT "{'type':'pod-dns','clusterDNS':['10.96.0.10']}"

static json_t *object(void)
{
	json_t *o = json_loads(rows_json(OBJECT), 0, NULL);

	assert_non_null(o);
	return o;
}

/*** what is written, and what is refused ***/

static const struct row {
	const char *name, *in;
	const char *out;   /* NULL: refused */
	const char *error; /* what the refusal says */
} rows[] = {
	{ "on one line", "{'name':'n','plugins':[{'type':'a'}]}",
	  "{'name': 'n', 'plugins': [{'type': 'a'}, {'type': 'pod-dns', 'clusterDNS': "
	  "['10.96.0.10']}]}",
	  NULL },
	{ "a step of two", "{\n  'plugins': [\n    {\n      'type': 'a'\n    }\n  ]\n}\n",
	  "{\n  'plugins': [\n    {\n      'type': 'a'\n    },\n    {\n      'type': 'pod-dns',\n"
	  "      'clusterDNS': [\n        '10.96.0.10'\n      ]\n    }\n  ]\n}\n",
	  NULL },
	{ "a step of four, and what was on one line", "{\n    'plugins': [ { 'type': 'a' } ]\n}\n",
	  "{\n    'plugins': [\n        {\n            'type': 'a'\n        },\n        {\n"
	  "            'type': 'pod-dns',\n            'clusterDNS': [\n"
	  "                '10.96.0.10'\n            ]\n        }\n    ]\n}\n",
	  NULL },
	{ "a step of one tab, and no newline at the end", "{\n\t'plugins': [ {'type': 'a'} ]\n}",
	  "{\n\t'plugins': [\n\t\t{\n\t\t\t'type': 'a'\n\t\t},\n\t\t{\n"
	  "\t\t\t'type': 'pod-dns',\n\t\t\t'clusterDNS': [\n\t\t\t\t'10.96.0.10'\n\t\t\t]\n"
	  "\t\t}\n\t]\n}",
	  NULL },
	{ "lines without indentation", "{\n'plugins': [{'type':'a'}]\n}",
	  "{\n'plugins': [\n{\n'type': 'a'\n},\n{\n'type': 'pod-dns',\n'clusterDNS': [\n"
	  "'10.96.0.10'\n]\n}\n]\n}",
	  NULL },
	{ "the order of keys, and strings that hold what JSON is made of",
	  "{'z':'}]\\\\\\n  ','plugins':[{'y':[],'type':'a]},\\\\','b':{}}],'a':null}",
	  "{'z': '}]\\\\\\n  ', 'plugins': [{'y': [], 'type': 'a]},\\\\', 'b': {}}, {'type': "
	  "'pod-dns', 'clusterDNS': ['10.96.0.10']}], 'a': null}",
	  NULL },
	{ "numbers keep their value",
	  "{'x':[1.0,0.1,9007199254740993,0.30000000000000004,1e3],'plugins':[{'type':'a'}]}",
	  "{'x': [1.0, 0.10000000000000001, 9007199254740993, 0.30000000000000004, 1000.0], "
	  "'plugins': [{'type': 'a'}, {'type': 'pod-dns', 'clusterDNS': ['10.96.0.10']}]}",
	  NULL },
	{ "fractions stay short", "{'x':[1.0,0.1,1.10],'plugins':[{'type':'a'}]}",
	  "{'x': [1.0, 0.1, 1.1], 'plugins': [{'type': 'a'}, {'type': 'pod-dns', 'clusterDNS': "
	  "['10.96.0.10']}]}",
	  NULL },
	{ "is there already",
	  "{'plugins':[{'type':'a'},{'clusterDNS':['10.96.0.10'],'type':'pod-dns'}]}",
	  "{'plugins':[{'type':'a'},{'clusterDNS':['10.96.0.10'],'type':'pod-dns'}]}", NULL },
	{ "is there with other keys, before others",
	  "{'plugins':[{'type':'a'},{'type':'pod-dns','x':1},{'type':'b'}]}",
	  "{'plugins': [{'type': 'a'}, {'type': 'pod-dns', 'clusterDNS': ['10.96.0.10']}, "
	  "{'type': 'b'}]}",
	  NULL },
	{ "a key with escapes", "{'\\u0070lugins':[{'type':'a'}]}",
	  "{'plugins': [{'type': 'a'}, {'type': 'pod-dns', 'clusterDNS': ['10.96.0.10']}]}", NULL },
	{ "a key twice", "{'plugins':[{'type':'a','mtu':1,'mtu':2}]}", NULL, "duplicate" },
	{ "an integer of more than 64 bits", "{'x':12345678901234567890,'plugins':[{'type':'a'}]}",
	  NULL, "too big integer" },
	{ "is there before all others", "{'plugins':[{'type':'pod-dns'},{'type':'a'}]}", NULL,
	  "plugins[0]: pod-dns needs the result" },
	{ "no JSON", "{'plugins':[", NULL, "line 1" },
	{ "no object", "[]", NULL, "not a JSON object" },
	{ "no plugins", "{'name':'n','type':'bridge'}", NULL, "plugins: expected" },
	{ "an empty list", "{'plugins':[]}", NULL, "plugins: expected" },
	{ "an item that is none", "{'plugins':[{'type':'a'},7]}", NULL, "plugins[1]: expected" },
	{ "a version of the future", "{'cniVersion':'9.0.0','plugins':[{'type':'a'}]}", NULL,
	  "cniVersion" },
	{ "multus on top",
	  "{'plugins':[{'type':'multus-shim','clusterNetwork':'/etc/cni/net.d/"
	  "10-calico.conflist'}]}",
	  NULL, "/etc/cni/net.d/10-calico.conflist" },
};

static void adds(void **state)
{
	const struct row *row = *state;
	auto_text out = TEXT_UP_TO(1 << 16);
	json_auto_t *o = object();
	struct err e = { 0 };

	if (!row->out) {
		assert_false(chain_add(&out, rows_json(row->in), o, &e));
		assert_non_null(strstr(e.text, row->error));
		return;
	}
	assert_true(chain_add(&out, rows_json(row->in), o, &e));
	assert_string_equal(out.at, rows_json(row->out));
}

/*** files as networks' installers write them ***/

static const struct file {
	const char *name;
} files[] = {
	{ "10-calico.conflist" },  { "10-flannel.conflist" }, { "05-cilium.conflist" },
	{ "10-kindnet.conflist" }, { "10-weave.conflist" },
};

static void load(struct text *out, const char *name)
{
	char path[256], piece[4096];
	FILE *f;
	size_t got;

	(void)snprintf(path, sizeof path, "tests/data/conflists/%s", name);
	f = fopen(path, "re");
	assert_non_null(f);
	while ((got = fread(piece, 1, sizeof piece, f)) > 0)
		text_put(out, piece, got);
	assert_int_equal(fclose(f), 0);
}

/* The chain is what it was, with ours behind it. */
static void has_ours_last(const char *before, const char *after)
{
	json_auto_t *was = json_loads(before, 0, NULL), *is = json_loads(after, 0, NULL);
	json_t *old = json_object_get(was, "plugins"), *new = json_object_get(is, "plugins");
	json_auto_t *o = object();

	assert_int_equal(json_array_size(new), json_array_size(old) + 1);
	assert_true(json_equal(json_array_get(new, json_array_size(old)), o));
	assert_int_equal(json_array_remove(new, json_array_size(old)), 0);
	assert_true(json_equal(was, is));
}

static void comes_and_goes(void **state)
{
	const struct file *file = *state;
	auto_text in = TEXT_UP_TO(1 << 16), with = TEXT_UP_TO(1 << 16), again = TEXT_UP_TO(1 << 16),
		  without = TEXT_UP_TO(1 << 16);
	json_auto_t *o = object(), *found = NULL;
	struct err e = { 0 };

	load(&in, file->name);
	assert_true(chain_add(&with, in.at, o, &e));
	has_ours_last(in.at, with.at);
	found = chain_object(with.at);
	assert_true(json_equal(found, o));
	assert_true(chain_add(&again, with.at, o, &e));
	assert_string_equal(again.at, with.at);
	assert_true(chain_remove(&without, with.at, &e));
	assert_true(chain_is_same(without.at, in.at));
	assert_false(chain_is_same(with.at, in.at));
}

/*** single plugins, and chains without others ***/

static void makes_a_list_of_a_plugin(void **state UNUSED)
{
	auto_text out = TEXT_UP_TO(4096);
	json_auto_t *o = object();
	struct err e = { 0 };

	assert_true(chain_from_plugin(
		&out,
		rows_json("\n{\n   'cniVersion': '0.4.0',\n   'name': 'n',\n   'type': 'a'\n}\n"),
		o, &e));
	assert_string_equal(out.at,
			    rows_json("{\n   'cniVersion': '0.4.0',\n   'name': 'n',\n"
				      "   'plugins': [\n      {\n         'cniVersion': '0.4.0',\n"
				      "         'name': 'n',\n         'type': 'a'\n      },\n"
				      "      {\n         'type': 'pod-dns',\n"
				      "         'clusterDNS': [\n            '10.96.0.10'\n"
				      "         ]\n      }\n   ]\n}\n"));
	assert_false(chain_from_plugin(&out, rows_json("{'type':'a'}"), o, &e));
	assert_non_null(strstr(e.text, "name"));
}

static void leaves_no_empty_chain(void **state UNUSED)
{
	auto_text out = TEXT_UP_TO(4096);
	struct err e = { 0 };

	assert_false(chain_remove(&out, rows_json("{'plugins':[{'type':'pod-dns'}]}"), &e));
	assert_non_null(strstr(e.text, "only pod-dns"));
}

static void removes_the_first(void **state UNUSED)
{
	auto_text out = TEXT_UP_TO(4096);
	struct err e = { 0 };

	assert_true(chain_remove(
		&out, rows_json("{'plugins':[ {'type':'pod-dns'} , {'type':'a'} ]}"), &e));
	assert_string_equal(out.at, rows_json("{'plugins': [{'type': 'a'}]}"));
}

static void removes_each_of_several(void **state UNUSED)
{
	auto_text out = TEXT_UP_TO(4096);
	struct err e = { 0 };

	assert_true(chain_remove(&out,
				 rows_json("{'plugins':[{'type':'pod-dns'}, {'type':'pod-dns'}, "
					   "{'type':'a'}, {'type':'pod-dns'}, {'type':'pod-dns'}, "
					   "{'type':'b'}, {'type':'pod-dns'}]}"),
				 &e));
	assert_string_equal(out.at, rows_json("{'plugins': [{'type': 'a'}, {'type': 'b'}]}"));
}

int main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(makes_a_list_of_a_plugin),
		cmocka_unit_test(leaves_no_empty_chain),
		cmocka_unit_test(removes_the_first),
		cmocka_unit_test(removes_each_of_several),
	};

	return RUN_ROWS("chain: add", rows, adds) +
	       RUN_ROWS("chain: installers' files", files, comes_and_goes) +
	       RUN_TESTS("chain: others", others);
}
