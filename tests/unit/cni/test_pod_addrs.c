/* SPDX-License-Identifier: Apache-2.0 */
/* A pod's own addresses, out of prevResults of all versions. */
#include "cni/pod_addrs.h"
#include "addr.h"

#include "rows.h"

#include <string.h>

static const struct row {
	const char *name, *prev, *addresses;
} rows[] = {
	{ "none", "{}", "" },
	{ "of an interface in the sandbox",
	  "{'interfaces':[{'name':'br0'},{'name':'eth0','sandbox':'/run/netns/a'}],"
	  "'ips':[{'address':'10.1.0.1/16','interface':0},{'address':'10.1.0.5/"
	  "16','interface':1}]}",
	  "10.1.0.5" },
	{ "of no interface", "{'ips':[{'address':'10.1.0.5/16'},{'address':'fd00::5/64'}]}",
	  "10.1.0.5 fd00::5" },
	{ "of an interface that is not there", "{'ips':[{'address':'10.1.0.5/16','interface':3}]}",
	  "" },
	{ "of interface -1", "{'ips':[{'address':'10.1.0.5/16','interface':-1}]}", "" },
	{ "an empty sandbox is none",
	  "{'interfaces':[{'sandbox':''}],'ips':[{'address':'10.1.0.5/16','interface':0}]}", "" },
	{ "twice", "{'ips':[{'address':'10.1.0.5/16'},{'address':'10.1.0.5/24'}]}", "10.1.0.5" },
	{ "mapped is IPv4", "{'ips':[{'address':'::ffff:10.1.0.5/112'},{'address':'10.1.0.5/16'}]}",
	  "10.1.0.5" },
	{ "no address", "{'ips':[{'address':'x/16'},{'address':7},{}]}", "" },
	{ "0.2.0's", "{'ip4':{'ip':'10.1.0.5/16'},'ip6':{'ip':'fd00::5/64'}}", "10.1.0.5 fd00::5" },
};

static void reads(void **state)
{
	const struct row *row = *state;
	json_auto_t *prev = json_loads(rows_json(row->prev), 0, NULL);
	struct pod_addrs list;
	char all[256] = "";

	assert_non_null(prev);
	pod_addrs_of_result(&list, prev);
	for (size_t i = 0; i < list.n; i++) {
		char text[ADDR_TEXT];

		addr_print(text, &list.at[i]);
		(void)snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? " " : "",
			       text);
		assert_true(pod_addrs_have(&list, &list.at[i]));
	}
	assert_string_equal(all, row->addresses);
}

static const struct only {
	const char *name, *prev;
	bool ipv4;
} only[] = {
	{ "IPv4", "{'ips':[{'address':'10.1.0.5/16'}]}", true },
	{ "both", "{'ips':[{'address':'10.1.0.5/16'},{'address':'fd00::5/64'}]}", false },
	{ "IPv6", "{'ips':[{'address':'fd00::5/64'}]}", false },
	{ "no result", "null", false },
	{ "no address", "{'ips':[]}", false },
};

static void knows_only_ipv4(void **state)
{
	const struct only *row = *state;
	json_auto_t *prev = json_loads(rows_json(row->prev), JSON_DECODE_ANY, NULL);

	assert_int_equal(pod_addrs_only_ipv4(prev), row->ipv4);
}

/* The list ends before the address that matters. */
static void too_many_are_not_known(void **state UNUSED)
{
	json_auto_t *prev = json_pack("{s:[]}", "ips");
	char text[32];

	for (int i = 0; i < ADDRESSES_MAX; i++) {
		(void)snprintf(text, sizeof(text), "10.1.0.%d/16", i + 1);
		(void)json_array_append_new(json_object_get(prev, "ips"),
					    json_pack("{s:s}", "address", text));
	}
	(void)json_array_append_new(json_object_get(prev, "ips"),
				    json_pack("{s:s}", "address", "fd00::5/64"));
	assert_false(pod_addrs_only_ipv4(prev));
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(too_many_are_not_known) };

	return RUN_ROWS("IPv4 only", only, knows_only_ipv4) + RUN_TESTS("many", others) +
	       RUN_ROWS("addresses", rows, reads);
}
