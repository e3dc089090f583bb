/* SPDX-License-Identifier: Apache-2.0 */
/* Many calls at once: 200 ADDs on a few namespaces, then 200 DELs, with GC and STATUS in between.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "rows.h"
#include "stage.c"
#include "want.c"

/* PATIENCE: seconds after which a call that does not end is a deadlock. They all share the machine:
 * under load 200 calls of STATUS, each of which looks at 200 records, were seen to take more than
 * the STAGE_SECONDS of a single call. */
enum { CALLS = 200, NAMESPACES = 8, PATIENCE = 20 * STAGE_SECONDS };

struct one {
	pid_t child;
	int out;
	char command[32], id[32], netns[64];
};

static const char network[] =
	"{'cniVersion':'1.1.0','name':'net','type':'pod-dns','clusterDNS':['10.96.0.10'],"
	"'prevResult':{'cniVersion':'1.1.0','ips':[{'address':'10.1.0.5/16'}]}}";

static void start_one(struct one *one, const char *command, int i)
{
	const char *env[] = { one->command,	 one->id,	one->netns,
			      "CNI_IFNAME=eth0", "CNI_PATH=/x", NULL };
	const struct stage_call call = { .env = env };
	const char *in = rows_json(network), *program = getenv("POD_DNS");
	int fd = memfd_create("in", MFD_CLOEXEC);

	one->out = memfd_create("out", MFD_CLOEXEC);
	(void)snprintf(one->command, sizeof one->command, "CNI_COMMAND=%s", command);
	(void)snprintf(one->id, sizeof one->id, "CNI_CONTAINERID=c%d", i);
	(void)snprintf(one->netns, sizeof one->netns, "CNI_NETNS=/run/netns/n%d", i % NAMESPACES);
	if (fd < 0 || one->out < 0 || write(fd, in, strlen(in)) < 0 || lseek(fd, 0, SEEK_SET) != 0)
		stage_broken("memfd");
	one->child = fork();
	if (one->child == 0) {
		if (dup2(fd, 0) < 0 || dup2(one->out, 1) < 0 || dup2(one->out, 2) < 0)
			_exit(126);
		(void)alarm(PATIENCE);
		exec_plugin(program ? program : "build/pod-dns", &call);
	}
	(void)close(fd);
}

static void end_one(const struct one *one)
{
	char path[64];
	struct blob b;
	int status;

	if (one->child < 0 || waitpid(one->child, &status, 0) < 0)
		stage_broken("waitpid");
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", one->out);
	if (!blob_read(path, &b))
		stage_broken("read %s", path);
	if (status != 0)
		fail_msg("%s %s: status %x: %s", one->command, one->id, (unsigned)status, b.data);
	free(b.data);
	(void)close(one->out);
}

static void all_at_once(const char *command)
{
	static struct one ones[CALLS];

	for (int i = 0; i < CALLS; i++)
		start_one(&ones[i], command, i);
	for (int i = 0; i < CALLS; i++)
		end_one(&ones[i]);
}

static int records;

static int count_records(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const size_t n = strlen(path);

	(void)st;
	(void)ftw;
	if (strncmp(path, "/run/pod-dns/net/", 17) == 0 && strcmp(path + n - 5, ".json") == 0)
		records++;
	else if (type == FTW_F && strcmp(path, "/run/pod-dns/.lock") != 0 &&
		 strcmp(path, "/run/pod-dns/.swept") != 0 && !strstr(path, "/.netns/"))
		fail_msg("%s is there", path);
	return 0;
}

static int count(void)
{
	records = 0;
	if (nftw("/run/pod-dns", count_records, 16, FTW_PHYS) < 0)
		stage_broken("walk /run/pod-dns");
	return records;
}

static void check_file(int i, bool there)
{
	char path[64];
	struct blob b;

	(void)snprintf(path, sizeof path, "/etc/netns/n%d/resolv.conf", i);
	assert_int_equal(blob_read(path, &b), there);
	if (there)
		assert_string_equal(b.data, "search default.svc.cluster.local svc.cluster.local "
					    "cluster.local node.example\nnameserver 10.96.0.10\n"
					    "options ndots:5\n");
	free(b.data);
}

static void comes_and_goes(void **state)
{
	char path[64];

	(void)state;
	for (int i = 0; i < NAMESPACES; i++) {
		(void)snprintf(path, sizeof path, "/run/netns/n%d", i);
		stage_netns(path);
	}
	all_at_once("ADD");
	assert_int_equal(count(), CALLS);
	for (int i = 0; i < NAMESPACES; i++)
		check_file(i, true);
	all_at_once("ADD");
	assert_int_equal(count(), CALLS);
	all_at_once("STATUS");
	all_at_once("GC"); /* without a list: nothing is removed */
	assert_int_equal(count(), CALLS);
	all_at_once("DEL");
	assert_int_equal(count(), 0);
	for (int i = 0; i < NAMESPACES; i++)
		check_file(i, false);
	all_at_once("DEL");
	assert_int_equal(access("/run/pod-dns/.netns/n0", F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(
		comes_and_goes, stage_setup, stage_teardown) };

	return cmocka_run_group_tests_name("many", tests, stage_enter, NULL);
}
