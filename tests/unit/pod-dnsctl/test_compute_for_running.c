/* SPDX-License-Identifier: Apache-2.0 */
/* What an ADD of a running pod would be given today: from its record and from libcni's cache. */
#include "rows.h"
#include "pod-dnsctl/inventory/compute_for_running.h"

#include <stdio.h>
#include <string.h>

#define ANNOTATIONS "'io.kubernetes.cri.pod-annotations':{'pod-dns/policy':'Default'}"
#define CAPABLE	    "'capabilities':{'io.kubernetes.cri.pod-annotations':true}"

static const struct row {
	const char *name;
	const char *network; /* keys of today's object */
	const char *cached;  /* NULL: there is no entry */
	const char *channel; /* where the record had the pod's policy from */
	int policy;	     /* what the pod asks for */
	const char *error;   /* NULL: none */
} rows[] = {
	{ "no words, no cache", CAPABLE, NULL, NULL, POLICY_UNSET, NULL },
	{ "an annotation", CAPABLE, "{'capabilityArgs':{" ANNOTATIONS "}}",
	  "annotation pod-dns/policy", DEFAULT, NULL },
	{ "an annotation that is handed down no more", "'capabilities':{}",
	  "{'capabilityArgs':{" ANNOTATIONS "}}", "annotation pod-dns/policy", POLICY_UNSET, NULL },
	{ "an annotation without the cache", CAPABLE, NULL, "annotation pod-dns/policy",
	  POLICY_UNSET, "not in libcni's cache" },
	{ "CNI_ARGS", CAPABLE, "{'cniArgs':[['IgnoreUnknown','1'],['DNS_POLICY','None']]}",
	  "CNI_ARGS DNS_POLICY", NONE, NULL },
	{ "args.cni of the conflist", "'args':{'cni':{'dnsPolicy':'Keep'}}", NULL,
	  "args.cni.dnsPolicy", KEEP, NULL },
	{ "args.cni of the runtime", CAPABLE, "{}", "args.cni.dnsPolicy", POLICY_UNSET,
	  "not in libcni's cache" },
	{ "a cache of other kinds", CAPABLE, "{'cniArgs':[1,[],['DNS_POLICY']],'capabilityArgs':7}",
	  "CNI_ARGS DNS_POLICY", POLICY_UNSET, NULL },
	{ "a damaged cache", CAPABLE, "{", "CNI_ARGS DNS_POLICY", POLICY_UNSET,
	  "not in libcni's cache" },
};

static void write_entry(const char *folder, const char *text)
{
	char path[256];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/lab-c-eth0", folder);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void remove_all(const char *folder)
{
	char path[256];

	(void)snprintf(path, sizeof path, "%s/lab-c-eth0", folder);
	(void)unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

/* What the runtime and the plugins before said, which the record keeps. */
static void set_up(struct record *record, const char *channel, struct arena *a)
{
	*record = RECORD_BLANK;
	record->at = (struct attachment){ "lab", "c", "eth0" };
	record->inputs.runtime_dns = "file";
	record->inputs.runtime_text = "nameserver 192.0.2.1\n";
	record->inputs.dns_policy = channel;
	resolv_add(&record->dns.nameservers, resolv_word("192.0.2.2", FROM_PREV), a);
	resolv_add(&record->dns.nameservers, resolv_word("192.0.2.3", FROM_NODE), a);
}

static void expect(const struct row *row, const struct compute_input *in)
{
	assert_int_equal(in->request.policy, row->policy);
	assert_string_equal(in->runtime_dns.from, "file");
	assert_string_equal(in->runtime_dns.lists.nameservers.at[0].text, "192.0.2.1");
	assert_int_equal(in->prev.nameservers.n, 1);
	assert_string_equal(in->prev.nameservers.at[0].text, "192.0.2.2");
}

static void reads(void **state)
{
	const struct row *row = *state;
	char folder[] = "/tmp/pod-dns-apply.XXXXXX", keys[512];
	auto_arena arena = { 0 };
	struct warnings warnings = { .arena = &arena };
	struct live_network network = { .why = NULL };
	struct compute_for_running in;
	struct record record;
	struct err e = { 0 };
	bool done;

	assert_non_null(mkdtemp(folder));
	if (row->cached)
		write_entry(folder, rows_json(row->cached));
	(void)snprintf(keys, sizeof keys, "{'name':'lab','dnsPolicy':'Default',%s}", row->network);
	network.list.network = json_loads(rows_json(keys), 0, NULL);
	assert_non_null(network.list.network);
	assert_true(conf_file_read(&network.conf, network.list.network, &warnings, &e));
	set_up(&record, row->channel, &arena);
	done = compute_for_running_read(&in, &network, &record, folder, &warnings, &e);
	assert_int_equal(done, row->error == NULL);
	if (done)
		expect(row, &in.input);
	else if (row->error)
		assert_non_null(strstr(e.text, row->error));
	compute_for_running_done(&in);
	conf_file_done(&network.conf);
	json_decref(network.list.network);
	remove_all(folder);
}

int main(void)
{
	return RUN_ROWS("compute_for_running", rows, reads);
}
