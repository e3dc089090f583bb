/* SPDX-License-Identifier: Apache-2.0 */
/* check: every finding at once, with its path, kind and suggestion; and the schema. */
#include "rows.h"
#include "unit/config/conf_rows.h"
#include "config/addr_list.h"
#include "pod-dnsctl/check.c"
#include "pod-dnsctl/check/runtime_version.c"
#include "text.h"
#include "warn.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPS  "'capabilities':{'dns':true,'io.kubernetes.cri.pod-annotations':true}," DNS
#define DNS   "'clusterDNS':['10.96.0.10']"
#define CACHE "'nodeCache':{'addresses':['192.0.2.1'],'steer':'pod'}"
#define MUSL  "|warning|guard-ndots-musl|\n"

/* A row is our object, as the second and last of a chain; findings are PATH|SEVERITY|KIND|HINT. */
static const struct row {
	const char *name, *in, *findings;
} rows[] = {
	{ "nothing wrong", "{" CAPS "}", "" },
	{ "families, and IPv4", "{" CAPS ",'families':'auto'}", "" },
	{ "families, and clusterDNS is IPv6 only",
	  "{'capabilities':{'dns':true,'io.kubernetes.cri.pod-annotations':true},"
	  "'clusterDNS':['fd00::10'],'families':'auto'}",
	  "families|warning|families|off\n" },
	{ "families of a rule, and clusterDNS is IPv6 only",
	  "{'capabilities':{'dns':true,'io.kubernetes.cri.pod-annotations':true},"
	  "'clusterDNS':['fd00::10'],'rules':[{'families':'auto'}]}",
	  "rules[0].families|warning|families|off\n" },
	{ "all faults of the object",
	  "{" CAPS ",'dnsConfig':{'option':[],'nameservers':['a','b']},"
	  "'mode':'of','rules':[{},{'namespace':[]}]}",
	  "dnsConfig.option|error|config|options\n"
	  "dnsConfig.nameservers[0]|error|config|\n"
	  "dnsConfig.nameservers[1]|error|config|\n"
	  "rules[1].namespace|error|config|namespaces\n"
	  "mode|error|config|off\n" },
	{ "a misspelt key at the top", "{" CAPS ",'ruels':[]}",
	  "ruels|warning|misspelt-key|rules\n" },
	{ "an address that is none", "{" CAPS ",'clusterDNS':['10.96.0.10','x']}",
	  "clusterDNS[1]|warning|invalid-cluster-dns-ip|\nclusterDNS|warning|twice|\n" },
	{ "what spans keys",
	  "{" CAPS ",'nodeCache':{'addresses':['10.96.0.10'],"
	  "'fallback':['10.96.0.10'],'steer':'pod'},'rules':[{'steer':'dnat'}]}",
	  "rules[0].steer|error|config|\nnodeCache.fallback[0]|error|config|\n" },
	{ "no capability dns", "{" DNS "}", "capabilities|warning|capability|dns\n" },
	{ "podMay without annotations",
	  "{'capabilities':{'dns':true}," DNS ",'podMay':['dnsPolicy']}",
	  "capabilities|warning|capability|io.kubernetes.cri.pod-annotations\n" },
	{ "a capability that nobody reads",
	  "{'capabilities':{'dns':true,'pod-annotations':true}," DNS "}",
	  "capabilities|warning|capability|io.kubernetes.cri.pod-annotations\n" },
	{ "a rule behind a wider one",
	  "{" CAPS ",'rules':[{'namespaces':['kube-*']},{'namespaces':['kube-system','kube-x*']}]}",
	  "rules[1]|warning|unreachable-rule|\n" },
	{ "a rule behind one of all", "{" CAPS ",'rules':[{},{'pods':['a']}]}",
	  "rules[1]|warning|unreachable-rule|\n" },
	{ "a rule of the host's network behind one of all",
	  "{" CAPS ",'rules':[{},{'hostNetwork':true}]}", "" },
	{ "a rule that only shares",
	  "{" CAPS ",'rules':[{'namespaces':['kube-*']},"
	  "{'namespaces':['kube-a','b']},{'pods':['a'],'namespaces':['c']},{'pods':['a','x']}]}",
	  "" },
	{ "a glob that only looks narrower",
	  "{" CAPS ",'rules':[{'namespaces':['kube-?']},{'namespaces':['kube-*']}]}", "" },
	{ "a low ndots, once",
	  "{" CAPS ",'dnsConfig':{'options':[{'name':'ndots','value':2}]},"
	  "'rules':[{'pods':['a'],'dnsConfig':{'options':[{'name':'ndots','value':'1'}]}}]}",
	  "dnsConfig.options" MUSL },
	{ "ndots:3 is not low", "{" CAPS ",'dnsConfig':{'options':[{'name':'ndots','value':'3'}]}}",
	  "" },
	{ "a guard that will fire",
	  "{" CAPS ",'dnsConfig':{'options':[{'name':'attempts',"
	  "'value':'0'}]}}",
	  "dnsConfig|warning|guard-zero|\n" },
	{ "a guard in a rule",
	  "{" CAPS ",'rules':[{'namespaces':['a-*'],'dnsConfig':"
	  "{'options':[{'name':'attempts','value':'0'}]}}]}",
	  "rules[0].dnsConfig|warning|guard-zero|\n" },
	{ "too many servers",
	  "{" CAPS ",'dnsConfig':{'nameservers':['192.0.2.1','192.0.2.2',"
	  "'192.0.2.3']}}",
	  "dnsConfig|warning|nameserver-limit|\n" },
	{ "None without a server", "{" CAPS ",'dnsPolicy':'None'}", "dnsPolicy|error|policy|\n" },
	{ "a cache that nobody uses", "{" CAPS ",'nodeCache':{'addresses':['192.0.2.1']}}",
	  "nodeCache.steer|warning|steering|pod\n" },
	{ "a cache, and no clusterDNS", "{'capabilities':{'dns':true}," CACHE "}",
	  "nodeCache|warning|steering|\n"
	  "clusterDNS|warning|missing-cluster-dns|\n" },
	{ "a cluster address without a partner",
	  "{" CAPS ",'clusterDNS':['10.96.0.10','fd00::a']," CACHE "}",
	  "clusterDNS|warning|unpaired|\nclusterDNS|warning|twice|\n" },
	{ "a forwarder that the cluster does not know",
	  "{" CAPS "," CACHE ",'servers':[{'name':'a','zones':['a.example'],"
	  "'forwardPlugin':{'upstreams':['192.0.2.9']}}]}",
	  "servers[0].clusterKnows|warning|cluster-knows|true\n" },
	{ "one that it knows",
	  "{" CAPS "," CACHE ",'servers':[{'name':'a','zones':['a.example'],"
	  "'forwardPlugin':{'upstreams':['192.0.2.9']},'clusterKnows':true}]}",
	  "" },
	{ "a wrong forwarder is an error here",
	  "{" CAPS "," CACHE ",'servers':[{'name':'a','zones':['A.example'],"
	  "'forwardPlugin':{'upstreams':['192.0.2.9']}}]}",
	  "servers[0].zones[0]|error|servers|\n" },
};

static char file[] = "/tmp/pod-dns-check-XXXXXX";

static void write_file(const char *text)
{
	FILE *out = fopen(file, "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void assert_findings(const struct findings *f, const char *want)
{
	char got[4096] = "";

	for (size_t i = 0; i < f->n; i++) {
		const struct finding *at = &f->at[i];

		assert_true(*at->text);
		(void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s|%s|%s|%s\n",
			       at->path, at->severity == SEVERITY_ERROR ? "error" : "warning",
			       at->kind, at->suggestion ? at->suggestion : "");
	}
	assert_string_equal(got, want);
}

static void finds(void **state)
{
	static struct findings findings;
	const struct row *row = *state;
	char text[8192];
	auto_arena arena = { 0 };

	(void)snprintf(
		text, sizeof text,
		"{\"cniVersion\":\"1.0.0\",\"name\":\"n\",\"plugins\":[{\"type\":\"bridge\"},"
		"{\"type\":\"pod-dns\"%s%s]}",
		row->in[1] == '}' ? "" : ",", rows_json(row->in + 1));
	write_file(text);
	findings = (struct findings){ .arena = &arena };
	check_conflist(file, NULL, &findings);
	assert_findings(&findings, row->findings);
}

/*** the chain ***/

static const struct chain {
	const char *name, *in, *findings;
} chains[] = {
	{ "not chained",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'pod-dns','dnsPolicy':'Keep'}]}",
	  "plugins[0]|error|chain|\n" },
	{ "a .conf", "{'cniVersion':'1.0.0','name':'n','type':'pod-dns','dnsPolicy':'Keep'}",
	  "|error|chain|\n" },
	{ "twice",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'a'},{'type':'pod-dns','dnsPolicy':'"
	  "Keep'},"
	  "{'type':'pod-dns'}]}",
	  "plugins[2]|error|chain|\n" },
	{ "one behind that makes a result of its own",
	  "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'a'},{'type':'pod-dns','dnsPolicy':'"
	  "Keep'},"
	  "{'type':'portmap'},{'type':'ptp'}]}",
	  "plugins[3]|warning|dns-dropped|\n" },
	{ "a version that nobody knows",
	  "{'cniVersion':'1.1','name':'n','plugins':[{'type':'a'},{'type':'pod-dns','dnsPolicy':'"
	  "Keep'}]}",
	  "cniVersion|error|cni-version|1.0.0\n" },
	{ "no version",
	  "{'name':'n','plugins':[{'type':'a'},{'type':'pod-dns','dnsPolicy':'Keep'}]}",
	  "cniVersion|error|cni-version|1.0.0\n" },
	{ "a name that no runtime loads",
	  "{'cniVersion':'1.0.0','name':'.a/b','plugins':[{'type':'a'},{'type':'pod-dns',"
	  "'dnsPolicy':'Keep'}]}",
	  "name|error|conflist|\n" },
	{ "no plugin of ours", "{'cniVersion':'1.0.0','name':'n','plugins':[{'type':'a'}]}",
	  "|error|conflist|\n" },
	{ "no JSON", "{'cniVersion'", "|error|conflist|\n" },
};

static void finds_in_chain(void **state)
{
	static struct findings findings;
	const struct chain *row = *state;
	auto_arena arena = { 0 };

	write_file(rows_json(row->in));
	findings = (struct findings){ .arena = &arena };
	check_conflist(file, NULL, &findings);
	assert_findings(&findings, row->findings);
}

/*** kubelet ***/

static const struct kubelet {
	const char *name, *in, *findings;
} kubelets[] = {
	{ "the same", "{'clusterDNS':['10.96.0.10'],'clusterDomain':'cluster.local'}", "" },
	{ "in configz",
	  "{'kubeletconfig':{'clusterDNS':['10.96.0.10'],'clusterDomain':"
	  "'cluster.local','resolvConf':'/etc/resolv.conf'}}",
	  "" },
	{ "another spelling of the address",
	  "{'clusterDNS':['010.96.0.10'],'clusterDomain':'cluster.local'}", "" },
	{ "all of it differs",
	  "{'clusterDNS':['10.96.0.11'],'clusterDomain':'k8s','resolvConf':'/run/resolv.conf'}",
	  "clusterDNS|error|kubelet|10.96.0.11\nclusterDomain|error|kubelet|k8s\n"
	  "resolvConf|error|kubelet|/run/resolv.conf\n" },
	{ "a kubelet without cluster DNS", "{'clusterDomain':'cluster.local'}",
	  "clusterDNS|error|kubelet|\n" },
	{ "no object", "[]", "|error|kubelet|\n" },
};

static void compares(void **state)
{
	static struct findings findings;
	static struct conf conf;
	const struct kubelet *row = *state;
	auto_arena arena = { 0 };

	conf_init(&conf);
	assert_true(addr_list_make(&conf.cluster_dns, 1, NULL));
	conf.cluster_dns.n = addr_parse(&conf.cluster_dns.at[0], "10.96.0.10");
	write_file(rows_json(row->in));
	findings = (struct findings){ .arena = &arena, .file = "conflist" };
	(void)check_kubelet(&conf, file, &findings);
	assert_findings(&findings, row->findings);
	conf_done(&conf);
}

/*** for a person ***/

/* A line for each, and where a terminal reads none beyond its 80 columns. */
static void fits_a_terminal(void **state UNUSED)
{
	static struct findings findings;
	auto_arena arena = { 0 };
	size_t size, lines[2] = { 0 };
	struct out out;
	char *text;

	findings = (struct findings){ .arena = &arena, .file = "/etc/cni/net.d/10-a.conflist" };
	findings_add(&findings, SEVERITY_WARNING, "kind", "rules[0].dnsConfig.options", "other",
		     "a text of so many words that one line of a terminal does not hold them");
	for (int tty = 0; tty < 2; tty++) {
		out_open(&out, open_memstream(&text, &size));
		out.tty = tty;
		print_findings(&out, &findings);
		(void)fclose(out.to);
		for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
			assert_true(!tty || end - line <= 80);
			lines[tty]++;
		}
		free(text);
	}
	assert_int_equal(lines[0], 2);
	assert_int_equal(lines[1], 4);
}

/*** JSON ***/

/* A text that is too long loses its end, wherever that is in a character. */
static void json_has_what_was_cut(void **state UNUSED)
{
	static struct findings findings;
	auto_arena arena = { 0 };
	char name[1201] = "";
	json_t *json, *list;

	for (size_t i = 0; i < sizeof name - 1; i++)
		name[i] = "\u20ac"[i % 3];
	findings = (struct findings){ .arena = &arena, .file = "\xff.conflist" };
	for (int i = 0; i < 3; i++)
		findings_add(&findings, SEVERITY_ERROR, "kind", "path", NULL, "%.*s%s", i, "ab",
			     name);
	json = findings_json(&findings);
	list = json_object_get(json, "findings");
	assert_int_equal(json_array_size(list), 3);
	assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "file")),
			    "\\xff.conflist");
	json_decref(json);
}

/*** what runtimes say of themselves ***/

static const struct told {
	const char *name, *line, *cni; /* NULL: not to be understood */
	size_t runtime;
} told[] = {
	{ "containerd of Debian 12",
	  "containerd github.com/containerd/containerd 1.6.20~ds1 1.6.20", "1.0.0", 0 },
	{ "containerd 2", "containerd github.com/containerd/containerd/v2 v2.1.4 75cb2b7\n",
	  "1.1.0", 0 },
	{ "CRI-O", "crio version 1.34.11\nGitCommit: x\n", "1.1.0", 1 },
	{ "an older one", "crio version 1.29.3\n", "1.0.0", 1 },
	{ "nothing", "", NULL, 0 },
	{ "no version", "containerd: not found\n", NULL, 0 },
};

static void is_understood(void **state)
{
	const struct told *row = *state;
	struct runtime_version version = { 0 };
	char line[256];

	(void)snprintf(line, sizeof line, "%s", row->line);
	assert_int_equal(parse_runtime_line(&version, &runtimes[row->runtime], line),
			 row->cni != NULL);
	if (row->cni)
		assert_string_equal(version.cni, row->cni);
}

/*** the schema ***/

enum { SKIPPED = 77 };

static int validate(const char *task, const char *schema, const char *about, const char *out)
{
	char command[512];
	int status;

	(void)snprintf(command, sizeof command, "tests/validate %s %s %s >%s", task, schema, about,
		       out);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_json(const char *path, const json_t *json, const char *mode, size_t flags)
{
	FILE *out = fopen(path, mode);

	assert_non_null(json);
	assert_non_null(out);
	assert_int_equal(json_dumpf(json, out, flags), 0);
	assert_int_equal(fputc('\n', out), '\n');
	assert_int_equal(fclose(out), 0);
}

/* Whether decoding alone takes it. What spans keys, or entries, no schema can say. */
static bool decodes(const json_t *network)
{
	static struct conf conf;
	struct err e = { 0 };
	bool good;

	conf_init(&conf);
	good = conf_decode(&conf, network, &e) || strstr(e.text, " again");
	conf_done(&conf);
	return good;
}

/* Each document in turn: its line is "valid", or "invalid" and the decoder has a fault too. */
static void the_schema_says_what_the_decoder_says(void **state UNUSED)
{
	char schema[32], documents[32], verdicts[32], line[16];
	json_t *json = check_schema();
	bool want[LEN(conf_cases) + 64];
	size_t n = 0;
	glob_t found;
	FILE *in;

	(void)snprintf(schema, sizeof schema, "%s.s", file);
	(void)snprintf(documents, sizeof documents, "%s.d", file);
	(void)snprintf(verdicts, sizeof verdicts, "%s.v", file);
	write_json(schema, json, "w", 0);
	json_decref(json);
	for (size_t i = 0; i < LEN(conf_cases); i++) {
		json = json_loads(rows_json(conf_cases[i].in), 0, NULL);
		want[n++] = decodes(json);
		write_json(documents, json, i ? "a" : "w", 0);
		json_decref(json);
	}
	assert_int_equal(glob("conf/*.conflist", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc && n < LEN(want); i++) {
		json = json_load_file(found.gl_pathv[i], 0, NULL);
		want[n++] = true;
		write_json(documents, json, "a", 0);
		json_decref(json);
	}
	globfree(&found);
	if (validate("documents", schema, documents, verdicts) == SKIPPED)
		skip();
	in = fopen(verdicts, "r");
	assert_non_null(in);
	for (size_t i = 0; i < n; i++) {
		assert_non_null(fgets(line, sizeof line, in));
		if ((strcmp(line, "valid\n") == 0) != want[i])
			fail_msg("%s: the schema says %s",
				 i < LEN(conf_cases) ? conf_cases[i].name : "a conflist of conf/",
				 line);
	}
	(void)fclose(in);
	(void)unlink(schema);
	(void)unlink(documents);
	(void)unlink(verdicts);
}

static void its_words_are_the_manuals(void **state UNUSED)
{
	char schema[32];
	json_auto_t *json = check_schema();
	int status;

	(void)snprintf(schema, sizeof schema, "%s.s", file);
	write_json(schema, json, "w", 0);
	status = validate("manual", schema, "plugin/pod-dns/pod-dns.conf.5", "/dev/stderr");
	(void)unlink(schema);
	if (status == SKIPPED)
		skip();
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest json[] = {
		cmocka_unit_test(fits_a_terminal),
		cmocka_unit_test(json_has_what_was_cut),
		cmocka_unit_test(the_schema_says_what_the_decoder_says),
		cmocka_unit_test(its_words_are_the_manuals),
	};
	int failed, fd = mkstemp(file);

	if (fd < 0 || close(fd) < 0)
		return 1;
	failed = RUN_ROWS("check: the object", rows, finds) +
		 RUN_ROWS("check: the chain", chains, finds_in_chain) +
		 RUN_ROWS("check: kubelet", kubelets, compares) +
		 RUN_ROWS("check: runtimes", told, is_understood) +
		 RUN_TESTS("check: JSON and the schema", json);
	(void)unlink(file);
	return failed;
}
