/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many calls at once: 200 ADDs on a few namespaces, then 200 DELs, with GC and STATUS in between.
 * And two networks' ADDs of one pod at once, 2,000 times, one of them slow.
 */
#include <dirent.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include "rows.h"
#include "stage.c"
#include "want.c"

/* PATIENCE: seconds after which a call that does not end is a deadlock. They all share the machine:
 * under load 200 calls of STATUS, each of which looks at 200 records, were seen to take more than
 * the STAGE_SECONDS of a single call. */
enum { CALLS = 200, NAMESPACES = 8, PATIENCE = 20 * STAGE_SECONDS };

#define SEARCHES    "default.svc.cluster.local svc.cluster.local cluster.local node.example"
#define TEXT(ndots) "search " SEARCHES "\nnameserver 10.96.0.10\noptions ndots:" ndots "\n"

struct one {
	pid_t child;
	int out;
	char name[64];
};

static const char network[] =
	"{'cniVersion':'1.1.0','name':'net','type':'pod-dns','clusterDNS':['10.96.0.10'],"
	"'prevResult':{'cniVersion':'1.1.0','ips':[{'address':'10.1.0.5/16'}]}}";

static void start_one(struct one *one, const char *command, int i)
{
	char id[32], netns[64];
	struct stage_env env;
	const struct stage_call call = { .env = env.at };
	int fd = stage_memfd(rows_json(network));

	one->out = stage_memfd("");
	(void)snprintf(id, sizeof id, "c%d", i);
	(void)snprintf(netns, sizeof netns, "/run/netns/n%d", i % NAMESPACES);
	(void)snprintf(one->name, sizeof one->name, "%s of %s", command, id);
	stage_env(&env, &(struct stage_cni){ .command = command, .id = id, .netns = netns });
	one->child = fork();
	if (one->child == 0) {
		if (dup2(fd, 0) < 0 || dup2(one->out, 1) < 0 || dup2(one->out, 2) < 0)
			_exit(126);
		(void)alarm(PATIENCE);
		exec_plugin(&call);
	}
	(void)close(fd);
}

static void end_one(const struct one *one)
{
	struct blob b;
	int status;

	if (one->child < 0 || waitpid(one->child, &status, 0) < 0)
		stage_broken("waitpid");
	b = stage_memfd_read(one->out);
	if (status != 0)
		fail_msg("%s: status %x: %s", one->name, (unsigned)status, b.data);
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

static int count_records(const char *path, const struct stat *st UNUSED, int type,
			 struct FTW *ftw UNUSED)
{
	const size_t n = strlen(path);

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

	(void)snprintf(path, sizeof path, "/etc/netns/n%d/resolv.conf", i);
	assert_int_equal(stage_has(path), there);
	if (there)
		stage_holds(path, TEXT("5"));
}

static void comes_and_goes(void **state UNUSED)
{
	char path[64];

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

/*** two networks, one pod ***/

#define POD "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/c1/resolv.conf"

#define CRI "K8S_POD_NAME=p;K8S_POD_INFRA_CONTAINER_ID=c1"
#define OPTION(ndots, more) \
	",'dnsConfig':{'options':[{'name':'ndots','value':'" ndots "'}" more "]}"
#define MORE ",{'name':'timeout','value':'1'},{'name':'rotate'}"

/* A program with ASan starts slowly. */
#ifdef __SANITIZE_ADDRESS__
enum { PAIRS = 200 };
#else
enum { PAIRS = 2000 };
#endif

struct call {
	const char *network, *netns, *args, *keys;
};

static int run(const char *command, const struct call *c)
{
	char in[1024];
	const struct stage_cni call = {
		.command = command, .netns = c->netns, .args = c->args, .in = in
	};
	struct stage_result r;
	int exit;

	(void)snprintf(in, sizeof in,
		       "{'cniVersion':'1.1.0','name':'%s','type':'pod-dns',"
		       "'clusterDNS':['10.96.0.10'],'prevResult':{'cniVersion':'1.1.0'}%s}",
		       c->network, c->keys);
	stage_cni(&call, &r);
	exit = r.exit;
	stage_result_done(&r);
	return exit;
}

#define AFTER_ASKING(call, after) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, after, 0)

/* The listener that is asked before each of these calls of this process and its children. */
static int listen_to_steps(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		AFTER_ASKING(flock, 4),
		AFTER_ASKING(pwrite64, 3),
		AFTER_ASKING(ftruncate, 2),
		AFTER_ASKING(renameat, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	};
	struct sock_fprog program = { LEN(rules), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

/* Lets each step happen after a pause of up to half a millisecond. */
static void *let_go_on_late(void *listener)
{
	unsigned seed = (unsigned)getpid();

	while (true) {
		struct seccomp_notif step = { 0 };
		struct seccomp_notif_resp answer = { .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };

		if (ioctl(*(int *)listener, SECCOMP_IOCTL_NOTIF_RECV, &step) < 0)
			continue;
		(void)nanosleep(&(struct timespec){ .tv_nsec = rand_r(&seed) % 500000 }, NULL);
		answer.id = step.id;
		(void)ioctl(*(int *)listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
	return NULL;
}

/* Makes the programs of this process slow between looking at a file, claiming and writing it. */
static void be_slow(void)
{
	static int listener;
	pthread_t thread;

	listener = listen_to_steps();
	if (listener < 0 || pthread_create(&thread, NULL, let_go_on_late, &listener) != 0)
		_exit(99);
}

static pid_t begin(const struct call *c, bool slow)
{
	pid_t child = fork();

	if (child == 0) {
		if (slow)
			be_slow();
		_exit(run("ADD", c));
	}
	return child;
}

static void ends_well(pid_t child)
{
	int how;

	assert_int_equal(waitpid(child, &how, 0), child);
	assert_int_equal(how, 0);
}

static void both_end_well(const struct call *slow, const struct call *other)
{
	pid_t one = begin(slow, true), two = begin(other, false);

	ends_well(one);
	ends_well(two);
}

/* The network whose claim of the pod's file is the newest. */
static void owner_of(char out[static 16])
{
	DIR *folder = opendir("/run/pod-dns/.sandbox/c1");
	struct timespec newest = { 0 };
	const struct dirent *entry;

	*out = '\0';
	while (folder && (entry = readdir(folder))) {
		struct stat st;
		char to[64];
		ssize_t len = readlinkat(dirfd(folder), entry->d_name, to, sizeof to - 1);

		if (len < 0 || fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (st.st_mtim.tv_sec < newest.tv_sec ||
		    (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec <= newest.tv_nsec))
			continue;
		newest = st.st_mtim;
		(void)snprintf(out, 16, "%.*s", (int)strcspn(to, "/"), to);
	}
	if (folder)
		(void)closedir(folder);
}

static void holds(const char *path, const char *text, int pair)
{
	struct blob now;

	assert_true(blob_read(path, &now));
	if (now.size != strlen(text) || !now.data || strcmp(now.data, text) != 0)
		fail_msg("pair %d: %zu bytes instead of %zu:\n%s", pair, now.size, strlen(text),
			 now.data);
	free(now.data);
}

/* Texts of different lengths: half of one over the other would show. */
static void file_is_the_owners(void **state UNUSED)
{
	static const char netns[] = "/run/netns/pod", *const texts[] = {
		TEXT("2"), TEXT("3 timeout:1 rotate")
	};
	const struct call calls[] = { { "a", netns, CRI, OPTION("2", "") },
				      { "b", netns, CRI, OPTION("3", MORE) } };

	stage_netns(netns);
	for (int i = 0; i < PAIRS; i++) {
		char owner[16];
		int owns;

		stage_put(POD, TEXT("5"));
		both_end_well(&calls[i % 2], &calls[!(i % 2)]);
		owner_of(owner);
		owns = strcmp(owner, "b") == 0;
		holds(POD, texts[owns], i);
		for (int left = 0; left < 2; left++) {
			assert_int_equal(run("DEL", &calls[owns ^ left]), 0);
			holds(POD, texts[!owns], i);
		}
	}
}

/* Nobody owns that one: it is the text of one of the two, and whole. */
static void root_is_one_of_theirs(void **state UNUSED)
{
#define ROOTFS ",'targets':['rootfs']"
	static const char file[] = "/run/root/etc/resolv.conf", before[] = "nameserver 192.0.2.9\n";
	char netns[64];
	const struct call calls[] = { { "a", netns, "", OPTION("2", "") ROOTFS },
				      { "b", netns, "", OPTION("3", MORE) ROOTFS } };

	stage_put(file, "");
	(void)snprintf(netns, sizeof netns, "/proc/%d/ns/net", stage_container("/run/root"));
	for (int i = 0; i < PAIRS / 2; i++) {
		struct blob now;

		if (i % 4 < 2) /* else it is to be made */
			stage_put(file, before);
		both_end_well(&calls[i % 2], &calls[!(i % 2)]);
		assert_true(blob_read(file, &now));
		holds(file,
		      now.data && strstr(now.data, "timeout") ? TEXT("3 timeout:1 rotate")
							      : TEXT("2"),
		      i);
		free(now.data);
		if (unlink(file) < 0)
			stage_broken("unlink %s", file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_and_goes),
		cmocka_unit_test(file_is_the_owners),
		cmocka_unit_test(root_is_one_of_theirs),
	};

	return RUN_TESTS("many", tests, STAGE);
}
