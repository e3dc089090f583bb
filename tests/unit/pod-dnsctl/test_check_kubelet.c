/* SPDX-License-Identifier: Apache-2.0 */
/* check --kubelet: whether kubelet's resolvConf is the file that the plugin reads. */
#include "pod-dnsctl/check/check.h"
#include "config/conf.h"
#include "rows.h"
#include "stage.c"

#include <string.h>

#define RESOLVED "/run/systemd/resolve/resolv.conf"
#define STUB	 "nameserver 127.0.0.53\n"

static const struct row {
	const char *name;
	const char *etc, *resolved; /* NULL: etc leads to RESOLVED, which is not there */
	const char *own;	    /* resolvConf; NULL: absent */
	const char *kubelets;
	bool differs;
} rows[] = {
	{ "a stub, and kubelet has the servers", STUB, STAGE_NODE_FILE, NULL, RESOLVED, false },
	{ "no stub", NULL, STAGE_NODE_FILE, NULL, RESOLVED, false },
	{ "a node file beside systemd-resolved", STAGE_NODE_FILE, STAGE_NODE_FILE, NULL, RESOLVED,
	  true },
	{ "on another machine", STAGE_NODE_FILE, NULL, NULL, RESOLVED, false },
	{ "the plugin reads past kubelet's stub", STUB, STAGE_NODE_FILE, NULL, "/etc/resolv.conf",
	  false },
	{ "the node's own", STAGE_NODE_FILE, NULL, NULL, "/etc/resolv.conf", false },
	{ "another's", STAGE_NODE_FILE, NULL, NULL, "/etc/kubelet.conf", true },
	{ "the key says so", STUB, STAGE_NODE_FILE, RESOLVED, RESOLVED, false },
	{ "the key says otherwise", STUB, STAGE_NODE_FILE, "/etc/resolv.conf", RESOLVED, true },
};

static void lay_files(const struct row *row)
{
	if (row->resolved)
		stage_write(RESOLVED, row->resolved, strlen(row->resolved));
	if (unlink("/etc/resolv.conf") < 0)
		stage_broken("/etc/resolv.conf");
	if (row->etc)
		stage_write("/etc/resolv.conf", row->etc, strlen(row->etc));
	else
		stage_link("/etc/resolv.conf", RESOLVED);
}

static void compares(void **state)
{
	static struct findings findings;
	static struct conf conf;
	const struct row *row = *state;
	struct arena arena = { 0 };
	char text[256];

	lay_files(row);
	(void)snprintf(text, sizeof(text),
		       "{\"clusterDomain\":\"cluster.local\",\"resolvConf\":\"%s\"}",
		       row->kubelets);
	stage_write("/run/kubelet.json", text, strlen(text));
	conf_init(&conf);
	conf.resolv_conf = row->own;
	findings = (struct findings){ .arena = &arena, .file = "conflist" };
	assert_true(check_kubelet(&conf, "/run/kubelet.json", &findings));
	assert_int_equal(findings.n, row->differs);
	if (row->differs)
		assert_string_equal(findings.at[0].path, "resolvConf");
	conf_done(&conf);
	arena_done(&arena);
}

int main(void)
{
	return RUN_ROWS("check --kubelet", rows, compares, STAGE);
}
