/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a pod's namespace is there: what cannot be opened is not therefore gone. And which one
 * the rules are made in. */
#include "steer/steer_pod.h"
#include "nft/nl.h"
#include "steer/rules/rules.h"
#include "steer/steer_disable.h"

#include "netns_table.h"
#include "rows.h"
#include "stage.c"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER "/tmp/pdt-steer-pod-XXXXXX"

static const struct row {
	const char *name, *path; /* below the folder */
	const char *says;	 /* of the error; NULL: it is gone */
} rows[] = {
	{ "gone", "none", NULL },
	{ "gone with its folder", "none/pod", NULL },
	{ "no folder", "file/pod", NULL },
	{ "another file", "file", NULL },
	{ "a link to itself", "loop", "loop: " },
};

static void is_looked_for(void **state)
{
	const struct row *row = *state;
	const struct file_id id = { 0 };
	char folder[] = FOLDER, file[64], loop[64], path[64];
	struct nl nl = NL_CLOSED;
	struct err e = { 0 };
	bool there = true, done;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(file, sizeof(file), "%s/file", folder);
	(void)snprintf(loop, sizeof(loop), "%s/loop", folder);
	(void)snprintf(path, sizeof(path), "%s/%s", folder, row->path);
	assert_int_equal(close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	assert_int_equal(symlink("loop", loop), 0);
	done = steer_pod_open(&nl, path, &(struct record_netns){ .id = id }, &there, &e);
	(void)unlink(loop);
	(void)unlink(file);
	(void)rmdir(folder);
	assert_false(there);
	assert_int_equal(done, row->says == NULL);
	assert_int_equal(e.code, row->says ? ERR_STEER : 0);
	if (row->says)
		assert_non_null(strstr(e.text, row->says));
	nl_close(&nl);
}

/*** where the rules are made ***/

static bool is_dormant(const char *path)
{
	auto_fd fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_nl nl = NL_CLOSED;
	struct nft_table_found found;
	struct err e = { 0 };

	if (!nl_open_in(&nl, fd, &e) || !nft_find_table(&nl, false, RULES_TABLE, &found, NULL, &e))
		stage_broken("%s", e.text);
	return found.dormant;
}

/* As ADD does, on a node where steering may be switched off. */
static bool install(const struct pod_netns *netns, struct err *e)
{
	static struct steering s = {
		.mode = STEER_POD, .alive = 250, .grace = 250, .down = 86400000, .probes = 4, .n = 1
	};
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	bool first;

	assert_true(addr_parse(&s.at[0].cluster, "10.96.0.10"));
	assert_true(addr_parse(&s.at[0].cache, "169.254.20.10"));
	s.at[0].fallback = s.at[0].cluster;
	if (!rundir_open(&run, true, e) || !rundir_lock(&held, &run, e))
		stage_broken("%s", e->text);
	assert_true(steer_pod_claim(&held, "net/c1@eth0.json", &first, e));
	rundir_unlock(&held);
	return steer_pod_install(netns, &s, first, e) && steer_disable_new(&run, netns, &s, &w, e);
}

/* The path that was checked leads elsewhere by then. */
static void install_behind_exchange(void)
{
	const struct call call = { .netns = "/run/x/pod" };
	auto_pod_netns netns = POD_NETNS_NONE;
	struct err e = { 0 };

	stage_netns("/run/netns/pod");
	stage_netns("/run/netns/other");
	stage_link("/run/x/pod", "/run/netns/pod");
	if (!pod_netns_open(&netns, &call, &e))
		stage_broken("%s", e.text);
	if (unlink("/run/x/pod") < 0)
		stage_broken("unlink");
	stage_link("/run/x/pod", "/run/netns/other");
	if (!install(&netns, &e))
		fail_msg("%s", e.text);
}

static void steers_in_what_was_checked(void **state UNUSED)
{
	install_behind_exchange();
	assert_true(netns_has_table("/run/netns/pod"));
	assert_false(is_dormant("/run/netns/pod"));
	assert_false(netns_has_table("/run/netns/other"));
	assert_false(netns_has_table("/proc/self/ns/net"));
}

static void switches_off_what_was_checked(void **state UNUSED)
{
	stage_put("/run/pod-dns/.steer-off", "");
	if (chmod("/run/pod-dns", 0700) < 0)
		stage_broken("chmod");
	install_behind_exchange();
	assert_true(is_dormant("/run/netns/pod"));
	assert_false(netns_has_table("/run/netns/other"));
}

static void steers_in_nothing_else(void **state UNUSED)
{
	struct pod_netns none = POD_NETNS_NONE;
	struct err e = { 0 };

	assert_false(install(&none, &e));
	assert_int_equal(e.code, ERR_STEER);
	assert_false(netns_has_table("/proc/self/ns/net"));
}

int main(void)
{
	const struct CMUnitTest where[] = { cmocka_unit_test(steers_in_what_was_checked),
					    cmocka_unit_test(switches_off_what_was_checked),
					    cmocka_unit_test(steers_in_nothing_else) };

	int failed = RUN_ROWS("a pod's namespace", rows, is_looked_for);

	return geteuid() == 0 ? failed + RUN_TESTS("where", where, STAGE) : failed;
}
