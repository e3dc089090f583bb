/* SPDX-License-Identifier: Apache-2.0 */
/* Zone forwarders: what is read, and every fault of a list at once, each with its path. */
#include "rows.h"
#include "arena.h"
#include "config/conf.h"
#include "config/servers.h"
#include "text.h"
#include "warn.h"

#include <string.h>

#define UPSTREAM "'forwardPlugin':{'upstreams':['192.0.2.1']}"
#define ZONED(z) "{'servers':[{'name':'a','zones':[" z "]," UPSTREAM "}]}"
#define ASKING(u) \
	"{'servers':[{'name':'a','zones':['a.example'],'forwardPlugin':{'upstreams':[" u "]}}]}"
#define NAMED(n) "{'servers':[{'name':" n ",'zones':['a.example']," UPSTREAM "}]}"
#define WITH(more)                                                                                 \
	"{'servers':[{'name':'a','zones':['a.example'],'forwardPlugin':{'upstreams':['192.0.2.1']" \
	"," more "}}]}"
#define KEPT(ttl) "{'servers':[{'name':'a','zones':['a.example']," UPSTREAM ",'cache':{" ttl "}}]}"
#define NAME	  "servers[0].name\n"
#define ZONE	  "servers[0].zones[0]\n"
#define ASKED	  "servers[0].forwardPlugin.upstreams[0]\n"
#define TRANSPORT "servers[0].forwardPlugin.transportConfig"

static const struct row {
	const char *name, *in;
	const char *faults; /* their paths, a line each */
} rows[] = {
	{ "none", "{}", "" },
	{ "an empty list", "{'servers':[]}", "" },
	{ "a name", NAMED("'corp'"), "" },
	{ "a name of 15", NAMED("'A23456789-12345'"), "" },
	{ "a name of 16", NAMED("'a234567890123456'"), NAME },
	{ "a name without a letter", NAMED("'123'"), NAME },
	{ "a name with two hyphens", NAMED("'a--b'"), NAME },
	{ "a name that begins with a hyphen", NAMED("'-a'"), NAME },
	{ "a name that ends with one", NAMED("'a-'"), NAME },
	{ "a name with a dot", NAMED("'a.b'"), NAME },
	{ "a name with a line break", NAMED("'a\\nb'"), NAME },
	{ "an empty name", NAMED("''"), NAME },
	{ "a zone of one label", ZONED("'corp'"), "" },
	{ "a zone in upper case", ZONED("'Corp.example'"), ZONE },
	{ "a zone with a final dot", ZONED("'corp.example.'"), ZONE },
	{ "the root", ZONED("'.'"), ZONE },
	{ "a zone with an underscore", ZONED("'_tcp.example'"), ZONE },
	{ "a zone with a blank", ZONED("'a b'"), ZONE },
	{ "a zone with a brace", ZONED("'a{'"), ZONE },
	{ "a label of 64",
	  ZONED("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example'"),
	  ZONE },
	{ "no zone", ZONED(""), "servers[0].zones\n" },
	{ "the cluster's domain", ZONED("'cluster.local'"), ZONE },
	{ "within the cluster's domain", ZONED("'db.cluster.local'"), "" },
	{ "another cluster's domain",
	  "{'clusterDomain':'K8s.Example.','servers':[{'name':'a','zones':['cluster.local',"
	  "'k8s.example']," UPSTREAM "}]}",
	  "servers[0].zones[1]\n" },
	{ "the autopath zone", ZONED("'ap.k8s.io','x.ap.k8s.io'"), ZONE "servers[0].zones[1]\n" },
	{ "above the autopath zone", ZONED("'k8s.io','xap.k8s.io'"), "" },
	{ "what has no names", ZONED("'a.invalid'"), ZONE },
	{ "a zone twice", ZONED("'a.example','b.example','a.example'"), "servers[0].zones[2]\n" },
	{ "reverse zones", ZONED("'10.in-addr.arpa','in-addr.arpa'"), "" },
	{ "an address", ASKING("'192.0.2.1'"), "" },
	{ "with a port", ASKING("'192.0.2.1:5353'"), "" },
	{ "IPv6", ASKING("'2001:db8::1'"), "" },
	{ "IPv6 with a port", ASKING("'[2001:db8::1]:5353'"), "" },
	{ "IPv6 in brackets alone", ASKING("'[2001:db8::1]'"), ASKED },
	{ "IPv4 in brackets", ASKING("'[192.0.2.1]:53'"), ASKED },
	{ "a name as upstream", ASKING("'dns.example'"), ASKED },
	{ "a name with a port", ASKING("'dns.example:53'"), ASKED },
	{ "port 0", ASKING("'192.0.2.1:0'"), ASKED },
	{ "port 65536", ASKING("'192.0.2.1:65536'"), ASKED },
	{ "a port with a sign", ASKING("'192.0.2.1:+53'"), ASKED },
	{ "no port", ASKING("'192.0.2.1:'"), ASKED },
	{ "leading zeros", ASKING("'192.0.2.010'"), ASKED },
	{ "a zone index", ASKING("'fe80::1%eth0'"), ASKED },
	{ "a scheme", ASKING("'tls://192.0.2.1'"), ASKED },
	{ "no upstream", ASKING(""), "servers[0].forwardPlugin.upstreams\n" },
	{ "fifteen",
	  ASKING("'::1','::2','::3','::4','::5','::6','::7','::8','::9','::a','::b',"
		 "'::c','::d','::e','::f'"),
	  "" },
	{ "sixteen",
	  ASKING("'::1','::2','::3','::4','::5','::6','::7','::8','::9','::a','::b',"
		 "'::c','::d','::e','::f','::10'"),
	  "servers[0].forwardPlugin.upstreams\n" },
	{ "the cache itself",
	  "{'nodeCache':{'addresses':['192.0.2.1']},'servers':[{'name':'a','zones':['a.example'],"
	  "'forwardPlugin':{'upstreams':['192.0.2.1','192.0.2.1:53','192.0.2.1:54']}}]}",
	  ASKED "servers[0].forwardPlugin.upstreams[1]\n" },
	{ "policies", WITH("'policy':'Sequential'"), "" },
	{ "a policy's spelling", WITH("'policy':'sequential'"),
	  "servers[0].forwardPlugin.policy\n" },
	{ "TCP", WITH("'protocolStrategy':'TCP'"), "" },
	{ "UDP", WITH("'protocolStrategy':'UDP'"), "servers[0].forwardPlugin.protocolStrategy\n" },
	{ "TLS",
	  WITH("'transportConfig':{'transport':'TLS','tls':{'serverName':'dns.corp.example',"
	       "'caBundle':{'name':'corp-ca'}}}"),
	  "" },
	{ "TLS without a name", WITH("'transportConfig':{'transport':'TLS'}"),
	  TRANSPORT ".tls.serverName\n" },
	{ "Cleartext with a name", WITH("'transportConfig':{'tls':{'serverName':'a'}}"), "" },
	{ "a server's name",
	  WITH("'transportConfig':{'transport':'TLS','tls':{'serverName':'a b'}}"),
	  TRANSPORT ".tls.serverName\n" },
	{ "a bundle without a name", WITH("'transportConfig':{'tls':{'caBundle':{}}}"),
	  TRANSPORT ".tls.caBundle.name\n" },
	{ "times", KEPT("'positiveTTL':'1h','negativeTTL':'0s'"), "" },
	{ "a time without a unit", KEPT("'positiveTTL':'60'"), "servers[0].cache.positiveTTL\n" },
	{ "a time as a number", KEPT("'negativeTTL':60"), "servers[0].cache.negativeTTL\n" },
	{ "nothing but an object", "{'servers':[{}]}",
	  "servers[0].name\nservers[0].zones\nservers[0].forwardPlugin\n" },
	{ "all at once",
	  "{'servers':[{'name':'corp','zones':['a.example','B'],'forwardPlugin':{'upstreams':["
	  "'192.0.2.1','x'],'policy':'Any'}},{'name':'CORP','zones':['a.example'],"
	  "'clusterKnows':1}]}",
	  "servers[0].zones[1]\nservers[0].forwardPlugin.upstreams[1]\n"
	  "servers[0].forwardPlugin.policy\nservers[1].forwardPlugin\nservers[1].clusterKnows\n"
	  "servers[1].zones[0]\nservers[1].name\n" },
};

static void faults(void **state)
{
	const struct row *row = *state;
	auto_arena arena = { 0 };
	struct warnings warnings = { .arena = &arena };
	struct err_list list = { .arena = &arena };
	struct err e = { .list = &list }, none = { 0 };
	struct servers servers;
	struct conf conf;
	auto_text got = TEXT_UP_TO(4096);
	json_t *network = json_loads(rows_json(row->in), 0, NULL);

	assert_non_null(network);
	conf_init(&conf);
	/* The plugin takes it whatever it holds, and warns. */
	assert_true(conf_decode(&conf, network, &none));
	assert_true(conf_check(&conf, &warnings, &none));
	assert_int_equal(servers_decode(&servers, &conf, &e), !*row->faults);
	for (size_t i = 0; i < list.n; i++)
		text_print(&got, "%s\n", list.at[i].path);
	assert_string_equal(got.at ? got.at : "", row->faults);
	assert_int_equal(warnings.n, list.n);
	servers_done(&servers);
	conf_done(&conf);
	json_decref(network);
}

static void reads(void **state UNUSED)
{
	static const char in[] =
		"{'servers':[{'name':'corp','zones':['a.example','b.example'],'clusterKnows':true,"
		"'cache':{'positiveTTL':'1m','negativeTTL':'1499ms'},'forwardPlugin':{"
		"'upstreams':['192.0.2.1'],'policy':'RoundRobin','protocolStrategy':'TCP',"
		"'transportConfig':{'transport':'TLS','tls':{'serverName':'dns.example','caBundle':"
		"{'name':'ca'}}}}}]}";
	struct err e = { 0 };
	struct servers s;
	struct conf conf;
	json_t *network = json_loads(rows_json(in), 0, NULL);
	const struct forward *f;

	conf_init(&conf);
	assert_true(conf_decode(&conf, network, &e));
	assert_true(servers_decode(&s, &conf, &e));
	assert_int_equal(s.n, 1);
	f = &s.at[0].forward;
	assert_string_equal(s.at[0].name, "corp");
	assert_int_equal(json_array_size(s.at[0].zones), 2);
	assert_int_equal(json_array_size(f->upstreams), 1);
	assert_int_equal(f->policy, FORWARD_ROUND_ROBIN);
	assert_int_equal(f->protocol, PROTOCOL_TCP);
	assert_int_equal(f->transport, TRANSPORT_TLS);
	assert_string_equal(f->server_name, "dns.example");
	assert_string_equal(f->ca_bundle, "ca");
	assert_int_equal(s.at[0].cache.positive, 60);
	assert_int_equal(s.at[0].cache.negative, 1);
	assert_true(s.at[0].cluster_knows);
	servers_done(&s);
	conf_done(&conf);
	json_decref(network);
}

int main(void)
{
	const struct CMUnitTest more[] = { cmocka_unit_test(reads) };

	return RUN_ROWS("servers", rows, faults) + RUN_TESTS("reading", more);
}
