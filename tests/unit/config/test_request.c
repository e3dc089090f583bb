/* SPDX-License-Identifier: Apache-2.0 */
/* What a pod asks for in the four channels, and what the runtime decided. */
#include "rows.h"
#include "arena.h"
#include "config/conf.h"
#include "config/dnsconfig.h"
#include "config/request.h"
#include "enum_names.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

#define NOTE(p, c)                                                                  \
	"'runtimeConfig':{'io.kubernetes.cri.pod-annotations':{'pod-dns/policy':" p \
	",'pod-dns/config':" c "}}"
#define ARGS \
	"DNS_NAMESERVERS=192.0.2.1,192.0.2.2;DNS_SEARCHES=args.example;DNS_OPTIONS=ndots:2,edns0"

static const struct row {
	const char *name;
	const char *network, *args; /* args: of CNI_ARGS; NULL: none */
	bool cri;
	unsigned code;	  /* 0: it is read */
	const char *want; /* POLICY|SEARCHES|SERVERS|OPTIONS, or how the error begins */
} rows[] = {
	{ "nothing", "{}", NULL, true, 0, "-|||" },
	{ "a capability",
	  "{'runtimeConfig':{'dnsPolicy':'None','dnsConfig':{'nameservers':"
	  "['192.0.2.9']}}}",
	  NULL, false, 0, "None||192.0.2.9|" },
	{ "its keys match in any case", "{'RuntimeConfig':{'DNSpolicy':'None'}}", NULL, true, 0,
	  "None|||" },
	{ "an annotation", "{" NOTE("'Default'", "null") "}", NULL, true, 0, "Default|||" },
	{ "Custom is None", "{" NOTE("'Custom'", "null") "}", NULL, true, 0, "None|||" },
	{ "args.cni", "{'args':{'cni':{'dnsPolicy':'Keep','dnsConfig':{'searches':['a']}}}}", NULL,
	  false, 0, "Keep|a||" },
	{ "CNI_ARGS", "{}", "DNS_POLICY=None;" ARGS, false, 0,
	  "None|args.example|192.0.2.1 192.0.2.2|ndots:2 edns0" },
	{ "the first that has it wins, each for itself",
	  "{'args':{'cni':{'dnsPolicy':'Keep','dnsConfig':{'searches':['a']}}}," NOTE("'Default'",
										      "null") "}",
	  "DNS_POLICY=None;" ARGS, false, 0, "Default|a||" },
	{ "the annotation's names match exactly",
	  "{'runtimeConfig':{'io.kubernetes.cri.pod-annotations':{'Pod-DNS/policy':'None'}}}", NULL,
	  true, 0, "-|||" },
	{ "an empty value of CNI_ARGS is absent", "{}", "DNS_POLICY=;DNS_SEARCHES=", false, 0,
	  "-|||" },
	{ "a policy that is none", "{" NOTE("'default'", "null") "}", NULL, true, 7,
	  "annotation pod-dns/policy: \"default\" is not a DNS policy, which is one of "
	  "ClusterFirst" },
	{ "a policy that is a number", "{" NOTE("5", "null") "}", NULL, true, 7,
	  "annotation pod-dns/policy: expected a string, got 5" },
	{ "an annotation that is no JSON", "{" NOTE("null", "'{'") "}", NULL, false, 6,
	  "annotation pod-dns/config: line 1" },
	{ "an annotation that is no string", "{" NOTE("null", "{}") "}", NULL, false, 7,
	  "annotation pod-dns/config: expected a string" },
	{ "annotations that are no object",
	  "{'runtimeConfig':{'io.kubernetes.cri.pod-annotations':5}}", NULL, true, 7,
	  "runtimeConfig.io.kubernetes.cri.pod-annotations: expected an object" },
	{ "args.cni that is no object", "{'args':{'cni':5}}", NULL, true, 7,
	  "args.cni: expected an object" },
	{ "a bad server of CNI_ARGS", "{}", "DNS_NAMESERVERS=x", false, 7,
	  "CNI_ARGS.DNS_NAMESERVERS[0]: \"x\"" },
	{ "a blank in an option of CNI_ARGS", "{}", "DNS_OPTIONS=a b", false, 7,
	  "CNI_ARGS.DNS_OPTIONS[0].name:" },
	{ "more of CNI_ARGS than Kubernetes allows", "{}", "DNS_NAMESERVERS=::1,::2,::3,::4", false,
	  7, "CNI_ARGS.DNS_NAMESERVERS: 4 entries" },
	{ "more than Kubernetes allows",
	  "{'args':{'cni':{'dnsConfig':{'nameservers':['::1','::2','::3','::4']}}}}", NULL, false,
	  7, "args.cni.dnsConfig.nameservers: 4 entries" },
	{ "a CRI call may ask for a policy alone",
	  "{'args':{'cni':{'dnsConfig':{'searches':['a']}}}}", NULL, true, 7,
	  "args.cni.dnsConfig: a pod may not set searches here (podMay)" },
	{ "an empty dnsConfig sets nothing", "{'args':{'cni':{'dnsConfig':{}}}}", NULL, true, 0,
	  "-|||" },
	{ "podMay lets it",
	  "{'podMay':['searches'],'args':{'cni':{'dnsConfig':{'searches':['a']}}}}", NULL, true, 0,
	  "-|a||" },
	{ "podMay keeps a policy", "{'podMay':['searches'],'args':{'cni':{'dnsPolicy':'None'}}}",
	  NULL, false, 7, "args.cni.dnsPolicy: a pod may not set dnsPolicy here" },
	{ "podMay of nothing",
	  "{'podMay':[],'args':{'cni':{'dnsConfig':{'options':[{'name':'a'}]}}}}", NULL, false, 7,
	  "args.cni.dnsConfig: a pod may not set options here" },
	{ "onPodError ignore: the policy alone",
	  "{'onPodError':'ignore','args':{'cni':{'dnsPolicy':'x','dnsConfig':{'searches':['a']}}}}",
	  NULL, false, 0, "-|a||" },
	{ "onPodError ignore: the dnsConfig alone",
	  "{'onPodError':'ignore','args':{'cni':{'dnsPolicy':'None','dnsConfig':{'x':1}}}}", NULL,
	  false, 0, "None|||" },
};

static void print_list(char *out, size_t room, const struct resolv_list *list, const char *before)
{
	(void)snprintf(out + strlen(out), room - strlen(out), "%s", before);
	for (size_t i = 0; i < list->n; i++)
		(void)snprintf(out + strlen(out), room - strlen(out), "%s%s", i ? " " : "",
			       list->at[i].text);
}

static void assert_asked(const struct request *ask, const char *want, struct arena *arena)
{
	static struct resolv lists;
	char got[512];

	dnsconfig_lists(&lists, &ask->dns, FROM_POD, arena);
	(void)snprintf(got, sizeof got, "%s",
		       ask->policy == POLICY_UNSET ? "-" : policy_names[ask->policy]);
	print_list(got, sizeof got, &lists.searches, "|");
	print_list(got, sizeof got, &lists.nameservers, "|");
	print_list(got, sizeof got, &lists.options, "|");
	assert_string_equal(got, want);
}

/* What stands in an annotation's text is written with a backslash before each quote. */
static json_t *network_of(const char *text)
{
	json_t *network = json_loads(rows_json(text), 0, NULL);

	assert_non_null(network);
	return network;
}

static void is_read(void **state)
{
	const struct row *row = *state;
	static struct conf conf;
	const struct pod pod = { .name = "", .namespace = "default", .uid = "", .cri = row->cri };
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct request_sources sources = { 0 };
	struct request ask;
	struct args args;
	struct err e = { 0 };
	json_auto_t *network = network_of(row->network);

	conf_init(&conf);
	assert_true(conf_decode(&conf, network, &e));
	assert_true(args_parse(&args, row->args ? row->args : "", &arena, &e));
	assert_int_equal(request_read(&ask, &sources, network, &args, &conf, &pod, &w, &e),
			 !row->code);
	assert_int_equal(e.code, row->code);
	if (!row->code) {
		assert_asked(&ask, row->want, &arena);
	} else {
		e.text[strlen(row->want)] = '\0';
		assert_string_equal(e.text, row->want);
	}
	request_sources_done(&sources);
	conf_done(&conf);
}

/*** what the runtime decided ***/

static const struct decided {
	const char *name, *network;
	const char *want; /* SEARCHES|SERVERS|OPTIONS; NULL: it does not say */
	unsigned code;
} decideds[] = {
	{ "containerd's capitals and null",
	  "{'runtimeConfig':{'dns':{'Servers':['::1'],'Searches':null,'Options':['a:1']}}}",
	  "|::1|a:1", 0 },
	{ "lower case", "{'runtimeConfig':{'dns':{'searches':['a','b']}}}", "a b||", 0 },
	{ "an empty object says something", "{'runtimeConfig':{'dns':{}}}", "||", 0 },
	{ "null", "{'runtimeConfig':{'dns':null}}", NULL, 0 },
	{ "nothing", "{}", NULL, 0 },
	{ "a list that is a string", "{'runtimeConfig':{'dns':{'servers':'::1'}}}", NULL, 6 },
	{ "an entry that is a number", "{'runtimeConfig':{'dns':{'servers':[1]}}}", NULL, 6 },
};

static void is_decided(void **state)
{
	const struct decided *row = *state;
	auto_arena arena = { 0 };
	struct resolv r;
	struct err e = { 0 };
	json_auto_t *network = network_of(row->network);
	char got[256] = "";
	enum capability want = row->code ? CAPABILITY_FAULTY : CAPABILITY_ABSENT;

	assert_int_equal(request_runtime_dns(&r, network, &arena, &e),
			 row->want ? CAPABILITY_READ : want);
	assert_int_equal(e.code, row->code);
	if (row->want) {
		print_list(got, sizeof got, &r.searches, "");
		print_list(got, sizeof got, &r.nameservers, "|");
		print_list(got, sizeof got, &r.options, "|");
		assert_string_equal(got, row->want);
	}
}

int main(void)
{
	return RUN_ROWS("requests", rows, is_read) +
	       RUN_ROWS("the runtime's", decideds, is_decided);
}
