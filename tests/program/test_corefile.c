/* SPDX-License-Identifier: Apache-2.0 */
/* `pod-dnsctl corefile`: what a conflist becomes, what is refused, and what is written how. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "rows.h"
#include "ctl.c"

#define CACHE	"'nodeCache':{'addresses':['169.254.20.10']}"
#define CLUSTER "'clusterDNS':['10.96.0.10'],'resolvConf':'@/resolv.conf'"
#define ZONE                                                                                       \
	"'servers':[{'name':'corp','zones':['corp.example'],'forwardPlugin':{'upstreams':['192.0." \
	"2.1']"
#define TLS                                                                                     \
	",'transportConfig':{'transport':'TLS','tls':{'serverName':'dns.example','caBundle':{'" \
	"name':'ca'}}}"

/*** what is in it ***/

static const struct row {
	const char *name, *keys;
	const char *option; /* --cluster, or NULL */
	const char *with, *without;
} rows[] = {
	{ "the cluster's names over TCP", CLUSTER "," CACHE, NULL,
	  "\ncluster.local:53 in-addr.arpa:53 ip6.arpa:53 {\n    import common\n"
	  "    forward . 10.96.0.10 {\n        force_tcp\n    }\n",
	  "next NXDOMAIN" },
	{ "to the fall-back, of both families",
	  "'clusterDNS':['10.96.0.10','fd00:96::10'],'nodeCache':{'addresses':['169.254.20.10',"
	  "'fd00:20::10'],'fallback':['10.96.0.20','fd00:96::20']}",
	  NULL, "    forward . 10.96.0.20 fd00:96::20 {\n", "10.96.0.10" },
	{ "both families' addresses",
	  "'clusterDNS':['10.96.0.10'],'nodeCache':{'addresses':['169.254.20.10','fd00:20::10']}",
	  NULL, "    bind 169.254.20.10 fd00:20::10\n", NULL },
	{ "IPv6 alone", "'clusterDNS':['fd00:96::10'],'nodeCache':{'addresses':['fd00:20::10']}",
	  NULL, "    health [fd00:20::10]:8080\n    ready [fd00:20::10]:8181\n", NULL },
	{ "no cluster", "'clusterDomain':''," CACHE, NULL, "\n.:53 {\n", "force_tcp" },
	{ "the node's servers", CLUSTER "," CACHE, NULL,
	  "/tests/data/corefile/resolv.conf\n    cache 30 {", NULL },
	{ "no servers of the node", "'clusterDNS':['10.96.0.10'],'resolvConf':''," CACHE, NULL,
	  "\n.:53 {\n    import common\n    forward . 10.96.0.10 {\n", "resolv.conf" },
	{ "a forwarder", CLUSTER "," CACHE "," ZONE "}}]", NULL,
	  "\n# servers[0]: corp\n# The cluster's DNS answers while the cache is out: give it the "
	  "same forwarder\n# (corefile --cluster), then say clusterKnows.\n"
	  "corp.example:53 {\n    import common\n    forward . 192.0.2.1 {\n"
	  "        policy random\n    }\n    cache 900 {\n        denial 9984 30\n",
	  "tls" },
	{ "a forwarder's times",
	  CLUSTER "," CACHE "," ZONE "},'cache':{'positiveTTL':'1m','negativeTTL':'1s'}}]", NULL,
	  "    cache 60 {\n        denial 9984 1\n", NULL },
	{ "over TLS", CLUSTER "," CACHE "," ZONE TLS "}}]", NULL,
	  "    forward . tls://192.0.2.1 {\n        tls_servername dns.example\n"
	  "        tls /etc/ca.pem\n        policy random\n    }\n",
	  NULL },
	{ "a forwarder of a reverse zone",
	  CLUSTER "," CACHE ",'servers':[{'name':'r','zones':['in-addr.arpa'],'forwardPlugin':{"
		  "'upstreams':['192.0.2.1']}}]",
	  NULL, "\ncluster.local:53 ip6.arpa:53 {\n", NULL },
	{ "a forwarder that the cluster has too",
	  CLUSTER "," CACHE "," ZONE "},'clusterKnows':true}]", NULL,
	  "\n# servers[0]: corp\ncorp.example:53 {\n", NULL },
	{ "autopath: what leaks", CLUSTER "," CACHE ",'autopath':'cache'", NULL,
	  "names of services and namespaces.\nap.k8s.io:53 {\n", NULL },
	{ "no autopath: its zone ends here", CLUSTER "," CACHE, NULL,
	  "\nap.k8s.io:53 {\n    import common\n    template ANY ANY {\n        rcode NXDOMAIN\n",
	  "autopath " },
	{ "autopath", CLUSTER "," CACHE ",'autopath':'cache'", NULL,
	  "^(.+)\\.search\\.([a-z0-9]([-a-z0-9]*[a-z0-9])?)\\.cluster\\.local\\.ap\\.k8s\\.io\\.$ "
	  "{1}.{2}.svc.cluster.local.ns.invalid. answer auto\n"
	  "    autopath ns.invalid /etc/coredns/autopath-namespace.conf\n"
	  "    template ANY ANY ap.k8s.io invalid {\n",
	  NULL },
	{ "another zone", CLUSTER "," CACHE ",'autopathZone':'Ap.Corp.Example.'", NULL,
	  "\\.cluster\\.local\\.ap\\.corp\\.example\\.$ {1}.rest.invalid. answer auto\n",
	  "k8s.io" },
	{ "autopath of the cluster", CLUSTER "," CACHE ",'autopath':'cluster'", NULL,
	  "\nap.k8s.io:53 {\n    import common\n    forward . 10.96.0.10 {\n", "5301" },
	{ "the cluster's part", CLUSTER "," CACHE "," ZONE "}}]", "--cluster",
	  "\nap.k8s.io:53 {\n    import common\n    template ANY ANY {\n", "bind" },
	{ "the cluster's forwarders", CLUSTER "," ZONE "}}]", "--cluster",
	  "\ncorp.example:53 {\n    import common\n    forward . 192.0.2.1 {\n",
	  "cluster.local:53" },
	{ "the cluster's autopath", CLUSTER ",'autopath':'cluster'", "--cluster",
	  "    forward . 127.0.0.1 {\n        max_fails 0\n    }\n", NULL },
};

/* A whole conflist of keys in which @ is the folder of the test's files. */
static char *conflist(const char *keys)
{
	char folder[1024], *text;
	const char *at = strchr(keys, '@');
	size_t before = at ? (size_t)(at - keys) : strlen(keys);

	assert_non_null(getcwd(folder, sizeof folder));
	if (asprintf(&text,
		     "{'cniVersion':'1.0.0','name':'lab','plugins':[{'type':'bridge'},"
		     "{'type':'pod-dns',%.*s%s%s%s}]}",
		     (int)before, keys, at ? folder : "", at ? "/tests/data/corefile" : "",
		     at ? at + 1 : "") < 0)
		fail_msg("memory");
	return text;
}

static void run(struct ctl_result *r, const char *keys, const char *option, const char *value)
{
	const char *args[] = {
		"corefile", "--ca-bundle", "ca=/etc/ca.pem", "-", option, value, NULL
	};
	char *text = conflist(keys);

	ctl_call(r, rows_json(text), args);
	free(text);
}

static void renders(void **state)
{
	const struct row *row = *state;
	struct ctl_result r;

	run(&r, row->keys, row->option, NULL);
	if (r.exit != 0)
		fail_msg("exit %d: %s", r.exit, r.err);
	if (!strstr(r.out, row->with))
		fail_msg("without this:\n%s\nin this:\n%s", row->with, r.out);
	if (row->without && strstr(r.out, row->without))
		fail_msg("with this: %s\n%s", row->without, r.out);
	ctl_result_done(&r);
}

/*** what is refused ***/

static const struct refused {
	const char *name, *keys, *says; /* a line each, behind "pod-dnsctl: corefile: stdin: " */
} refusals[] = {
	{ "no cache", CLUSTER, "nodeCache: missing: which addresses has the cache?\n" },
	{ "no cluster DNS", CACHE, "clusterDNS: missing: who knows the names of clusterDomain?\n" },
	{ "nobody to ask", "'clusterDomain':'','resolvConf':''," CACHE,
	  "resolvConf: empty, and no clusterDNS: whom should the cache ask?\n" },
	{ "autopath without a domain", "'clusterDomain':'','autopath':'cache'," CACHE,
	  "clusterDomain: empty, and autopath needs it\n" },
	{ "a bundle without a file",
	  CLUSTER "," CACHE "," ZONE
		  ",'transportConfig':{'transport':'TLS','tls':{'serverName':'a',"
		  "'caBundle':{'name':'other'}}}}}]",
	  "servers[0].forwardPlugin.transportConfig.tls.caBundle.name: \"other\": give its file: "
	  "--ca-bundle other=FILE\n" },
	{ "faults of several keys", "'clusterDomain':'','autopath':'cache','guards':'x'",
	  "guards: expected one of fix, warn, off, got \"x\"\n"
	  "nodeCache: missing: which addresses has the cache?\n"
	  "clusterDomain: empty, and autopath needs it\n" },
	{ "no news where the key itself is at fault",
	  "'clusterDNS':[1],'resolvConf':'x','nodeCache':{'addresses':['x']}",
	  "clusterDNS[0]: expected a string, got 1\nresolvConf: \"x\" is not an absolute path\n"
	  "nodeCache.addresses[0]: \"x\" is not an IP address\n" },
	{ "a zone above the domain", CLUSTER "," CACHE ",'autopathZone':'local'",
	  "autopathZone: neither clusterDomain, nor above it, nor .invalid\n" },
	{ "a zone that is none", CLUSTER "," CACHE ",'autopathZone':'ap.invalid'",
	  "autopathZone: neither clusterDomain, nor above it, nor .invalid\n" },
	{ "a path with a blank", "'clusterDNS':['10.96.0.10'],'resolvConf':'/etc/a b'," CACHE,
	  "resolvConf: a path that a Corefile cannot name\n" },
	{ "a path with a variable",
	  "'clusterDNS':['10.96.0.10'],'resolvConf':'/etc/{$HOME}'," CACHE,
	  "resolvConf: a path that a Corefile cannot name\n" },
	{ "an unknown key", CLUSTER "," CACHE ",'servers':[{'zone':'a'}]",
	  "servers[0].zone: unknown" },
};

static void refuses(void **state)
{
	const struct refused *row = *state;
	struct ctl_result r;
	char said[4096] = "";

	run(&r, row->keys, NULL, NULL);
	assert_int_equal(r.exit, 1);
	assert_string_equal(r.out, "");
	for (char *save, *line = strtok_r(r.err, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		static const char before[] = "pod-dnsctl: corefile: stdin: ";

		assert_memory_equal(line, before, sizeof before - 1);
		(void)snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n",
			       line + sizeof before - 1);
	}
	if (strncmp(said, row->says, strlen(row->says)) != 0)
		assert_string_equal(said, row->says);
	ctl_result_done(&r);
}

/*** the folder ***/

static char *content(const char *folder, const char *name)
{
	static char text[8192];
	char path[256];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "r");
	if (!f)
		return NULL;
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	(void)fclose(f);
	(void)remove(path);
	return text;
}

/* For everybody: CoreDNS need not be root, whatever the operator's umask. */
static void is_readable(const char *folder)
{
	char path[256];
	struct stat st;

	(void)snprintf(path, sizeof path, "%s/Corefile", folder);
	assert_int_equal(stat(folder, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
}

static void writes_a_folder(void **state UNUSED)
{
	char folder[] = "/tmp/pdt-corefile-XXXXXX", made[64];
	struct ctl_result r;
	mode_t was;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(made, sizeof made, "%s/new", folder);
	was = umask(077);
	run(&r, CLUSTER "," CACHE ",'autopath':'cache'", "--output", made);
	(void)umask(was);
	assert_int_equal(r.exit, 0);
	is_readable(made);
	assert_string_equal(r.err, "");
	assert_non_null(strstr(r.out, made));
	assert_string_equal(content(made, "Corefile"), r.out);
	assert_non_null(strstr(content(made, "autopath-namespace.conf"), "\nsearch ns.invalid\n"));
	assert_non_null(
		strstr(content(made, "autopath-rest.conf"),
		       "\nsearch rest.invalid svc.cluster.local cluster.local node.example\n"));
	ctl_result_done(&r);

	run(&r, CLUSTER "," CACHE, "--output", made);
	assert_string_equal(content(made, "Corefile"), r.out);
	assert_null(content(made, "autopath-rest.conf"));
	assert_int_equal(rmdir(made), 0); /* no temporary file */
	assert_int_equal(rmdir(folder), 0);
	ctl_result_done(&r);
}

static void changes_with_the_searches(void **state UNUSED)
{
	struct ctl_result a, b;

	run(&a,
	    "'clusterDNS':['10.96.0.10'],'autopath':'cache'," CACHE ",'resolvConf':'@/resolv.conf'",
	    NULL, NULL);
	run(&b,
	    "'clusterDNS':['10.96.0.10'],'autopath':'cache'," CACHE ",'resolvConf':'@/other.conf'",
	    NULL, NULL);
	assert_string_not_equal(strstr(a.out, " 7200 ") - 10, strstr(b.out, " 7200 ") - 10);
	ctl_result_done(&a);
	ctl_result_done(&b);
}

/*** wrong calls ***/

static void calls(void **state UNUSED)
{
	static const struct wrong {
		const char *args[6];
	} wrong[] = {
		{ { "corefile", "a", "b" } },
		{ { "corefile", "--openshift", "a", "b" } },
		{ { "corefile", "--openshift", "a", "--cluster" } },
		{ { "corefile", "--name-resolver-namespaces", "a", "b" } },
		{ { "corefile", "--ca-bundle", "x", "a" } },
		{ { "corefile", "-o", "json", "a" } },
		{ { "corefile", "--output", "a", "--output", "b", "c" } },
		{ { "corefile", "--output", "a b", "c" } },
		{ { "no-such-verb" } },
		{ { NULL } },
	};
	struct ctl_result r;

	for (size_t i = 0; i < LEN(wrong); i++) {
		ctl_call(&r, "", wrong[i].args);
		assert_int_equal(r.exit, 2);
		assert_string_equal(r.out, "");
		ctl_result_done(&r);
	}
	ctl_call(&r, "{\"name\":\"a\\nb {\",\"type\":\"pod-dns\"}",
		 (const char *const[]){ "corefile", "--cluster", "-", NULL });
	assert_int_equal(r.exit, 1);
	assert_non_null(strstr(r.err, "stdin: name: not one that a runtime takes"));
	ctl_result_done(&r);
	ctl_call(&r, "{", (const char *const[]){ "corefile", "-", NULL });
	assert_int_equal(r.exit, 1);
	assert_non_null(strstr(r.err, "stdin: line 1"));
	ctl_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest more[] = { cmocka_unit_test(writes_a_folder),
					   cmocka_unit_test(changes_with_the_searches),
					   cmocka_unit_test(calls) };

	return RUN_ROWS("corefile", rows, renders) + RUN_ROWS("refused", refusals, refuses) +
	       RUN_TESTS("more", more);
}
