/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ADD with each of its system calls failing in turn, and killed at each of them: a clear error or a
 * whole result, nothing of anybody else's touched, and after DEL, or GC, nothing left.
 *
 * The calls are counted from the first read of stdin: what goes before is the loader's. Those that
 * give and take memory are left alone, since the C library has its own ways then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include "netns_table.h"
#include "rows.h"
#include "stage.c"
#include "want.c"

#ifdef __x86_64__

enum { MOST = 2000 };

/* A program with ASan starts slowly, and one that is killed tells ASan nothing of its memory. */
#ifdef __SANITIZE_ADDRESS__
enum { KILL_STEP = 16, WITH_GC = false };
#else
enum { KILL_STEP = 1, WITH_GC = true };
#endif

#define SBOX "/run/containers/storage/overlay-containers/c1/userdata/resolv.conf"
#define KUBELET                                                                           \
	"search default.svc.cluster.local svc.cluster.local cluster.local node.example\n" \
	"nameserver 10.96.0.10\noptions ndots:5\n"

#define CRI "K8S_POD_NAME=p;K8S_POD_INFRA_CONTAINER_ID=c1"

#define HEAD	   "{'cniVersion':'1.1.0','name':'net','type':'pod-dns','clusterDNS':['10.96.0.10'],"
#define TIMEOUT(n) "'dnsConfig':{'options':[{'name':'timeout','value':'" n "'}]},"
#define STEERED	   "'nodeCache':{'addresses':['169.254.20.10'],'steer':'pod'},'targets':[],"
#define CONF	   "/run/pod-dns.json"
#define TAIL	   "'prevResult':{'cniVersion':'1.1.0','ips':[{'address':'10.1.0.5/16'}]}}"

static const struct scene {
	const char *name;
	const char *args;
	const char *in;
	const char *file;    /* the runtime's, before; NULL: none */
	const char *earlier; /* an ADD that went well before; NULL: none */
	bool kill;
	const char *conf; /* of a configFile; NULL: there is none */
} scenes[] = {
	{ "netns: each call fails", "K8S_POD_NAME=p", HEAD TAIL, NULL, NULL, false, NULL },
	{ "netns: killed at each call", "K8S_POD_NAME=p", HEAD TAIL, NULL, NULL, true, NULL },
	{ "sandbox, a longer text: each call fails", CRI, HEAD TIMEOUT("1") TAIL, KUBELET, NULL,
	  false, NULL },
	{ "sandbox, a longer text: killed at each call", CRI, HEAD TIMEOUT("1") TAIL, KUBELET, NULL,
	  true, NULL },
	{ "sandbox, a shorter text: each call fails", CRI, HEAD "'limits':{'searches':1}," TAIL,
	  KUBELET, NULL, false, NULL },
	{ "sandbox, a shorter text: killed at each call", CRI, HEAD "'limits':{'searches':1}," TAIL,
	  KUBELET, NULL, true, NULL },
	{ "netns, a second ADD: each call fails", "K8S_POD_NAME=p", HEAD TIMEOUT("22") TAIL, NULL,
	  HEAD TIMEOUT("1") TAIL, false, NULL },
	{ "netns, a second ADD: killed at each call", "K8S_POD_NAME=p", HEAD TIMEOUT("22") TAIL,
	  NULL, HEAD TIMEOUT("1") TAIL, true, NULL },
	{ "netns by name, a second ADD: each call fails", "K8S_POD_NAME=p",
	  HEAD TIMEOUT("22") "'targets':['netns']," TAIL, NULL,
	  HEAD TIMEOUT("1") "'targets':['netns']," TAIL, false, NULL },
	{ "sandbox, a second ADD: each call fails", CRI, HEAD TIMEOUT("22") TAIL, KUBELET,
	  HEAD TIMEOUT("1") TAIL, false, NULL },
	{ "sandbox, a second ADD: killed at each call", CRI, HEAD TIMEOUT("22") TAIL, KUBELET,
	  HEAD TIMEOUT("1") TAIL, true, NULL },
	{ "sandbox, a second ADD with less: each call fails", CRI, HEAD TAIL, KUBELET,
	  HEAD TIMEOUT("22") TAIL, false, NULL },
	{ "sandbox, a second ADD with less: killed at each call", CRI, HEAD TAIL, KUBELET,
	  HEAD TIMEOUT("22") TAIL, true, NULL },
	{ "steered: killed at each call", "K8S_POD_NAME=p", HEAD STEERED TAIL, NULL, NULL, true,
	  NULL },
	{ "steered: each call fails", "K8S_POD_NAME=p", HEAD STEERED TAIL, NULL, NULL, false,
	  NULL },
	{ "a configFile's target is not taken: each call fails", "K8S_POD_NAME=p",
	  "{'cniVersion':'1.1.0','name':'net','type':'pod-dns','configFile':'" CONF "'," TAIL, NULL,
	  NULL, false, "{'clusterDNS':['10.96.0.10'],'targets':['rootfs']}" },
};

/* A run under observation. */
struct run {
	pid_t child;
	int in, out, err; /* memfds: what goes in and what came out */
	long count;	  /* calls since the first read of stdin; 0: not yet */
	long at;	  /* the one that is disturbed */
	bool kill;
	const char *const *args;     /* of the program; NULL: none */
	struct user_regs_struct hit; /* registers at its entry */
	int status;
};

/* Of a call of the scene, or where there are arguments of a hook. */
static void start_traced(struct run *run, const char *args, const char *in)
{
	struct stage_env env;
	const struct stage_call call = { .env = env.at, .args = run->args };

	stage_env(&env, &(struct stage_cni){ .command = run->args ? "" : "ADD", .args = args });
	run->in = stage_memfd(rows_json(in));
	run->out = stage_memfd("");
	run->err = stage_memfd("");
	run->child = fork();
	if (run->child == 0) {
		if (dup2(run->in, 0) < 0 || dup2(run->out, 1) < 0 || dup2(run->err, 2) < 0 ||
		    ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(126);
		(void)alarm(STAGE_SECONDS); /* a deadlock ends, and is seen as a signal */
		(void)setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* LeakSanitizer traces, too */
		exec_plugin(&call);
	}
	if (run->child < 0 || waitpid(run->child, &run->status, 0) < 0 ||
	    !WIFSTOPPED(run->status) ||
	    ptrace(PTRACE_SETOPTIONS, run->child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) <
		    0)
		stage_broken("ptrace");
}

/* On to the next entry of or exit from a system call; false: it has ended. */
static bool step(struct run *run, struct user_regs_struct *regs)
{
	int sig = 0;

	do {
		if (ptrace(PTRACE_SYSCALL, run->child, NULL, (void *)(intptr_t)sig) < 0 ||
		    waitpid(run->child, &run->status, 0) < 0)
			stage_broken("ptrace");
		if (!WIFSTOPPED(run->status))
			return false;
		sig = WSTOPSIG(run->status);
	} while (sig != (SIGTRAP | 0x80));
	if (ptrace(PTRACE_GETREGS, run->child, NULL, regs) < 0)
		stage_broken("registers");
	return true;
}

static bool is_memory(unsigned long long call)
{
	return call == SYS_mmap || call == SYS_munmap || call == SYS_brk || call == SYS_mprotect ||
	       call == SYS_mremap || call == SYS_madvise || call == SYS_exit_group;
}

/* Whether this entry is the one to disturb. */
static bool is_due(struct run *run, const struct user_regs_struct *regs)
{
	if (run->count == 0 && !(regs->orig_rax == SYS_read && regs->rdi == 0))
		return false;
	if (is_memory(regs->orig_rax) && !run->kill)
		return false;
	return ++run->count == run->at;
}

/* The kernel does nothing, and says EIO; but close() closes, whatever it says. */
static void fail_call(struct run *run, struct user_regs_struct *regs)
{
	if (regs->orig_rax != SYS_close)
		regs->orig_rax = (unsigned long long)-1;
	if (ptrace(PTRACE_SETREGS, run->child, NULL, regs) < 0 || !step(run, regs))
		stage_broken("skip a call");
	regs->rax = (unsigned long long)-EIO;
	if (ptrace(PTRACE_SETREGS, run->child, NULL, regs) < 0)
		stage_broken("fail a call");
}

/* True: it was disturbed before it ended. */
static bool run_disturbed(struct run *run)
{
	struct user_regs_struct regs;

	while (step(run, &regs)) { /* an entry */
		if (is_due(run, &regs)) {
			run->hit = regs;
			if (run->kill && kill(run->child, SIGKILL) < 0)
				stage_broken("kill");
			if (!run->kill)
				fail_call(run, &regs);
			else if (waitpid(run->child, &run->status, 0) < 0)
				stage_broken("waitpid");
			if (run->kill)
				return true;
		} else if (!step(run, &regs)) { /* its exit */
			break;
		}
	}
	return run->count >= run->at;
}

/*** what must hold ***/

static char where[128]; /* of the fault, for messages */
static int not_taken;	/* ADDs that failed after none of a configFile's targets was taken */

static void check_said(const struct run *run)
{
	struct blob out = stage_memfd_read(run->out), err = stage_memfd_read(run->err);
	json_auto_t *doc = want_one(&out);
	const bool own = run->hit.orig_rax == SYS_write && run->hit.rdi == 1;

	if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) > 1)
		fail_msg("%s: status %x", where, (unsigned)run->status);
	if (WEXITSTATUS(run->status) == 1 && !own && !want_is_error(doc))
		fail_msg("%s: no error object: %s", where, out.data);
	if (WEXITSTATUS(run->status) == 0 && !json_is_array(json_object_get(doc, "ips")))
		fail_msg("%s: no result: %s", where, out.data);
	not_taken += WEXITSTATUS(run->status) == 1 &&
		     strstr(err.data, CONF ": none of targets was taken: target rootfs");
	free(out.data);
	free(err.data);
}

/* The file that the pod reads, and the record. */
static struct blob file_before, record_before;

static struct blob file_now(const struct scene *scene)
{
	struct blob b;

	(void)blob_read(scene->file ? SBOX : "/etc/netns/pod/resolv.conf", &b);
	return b;
}

static struct blob record_now(void)
{
	struct blob b;

	(void)blob_read("/run/pod-dns/net/c1@eth0.json", &b);
	return b;
}

static void forget(void)
{
	free(file_before.data);
	free(record_before.data);
}

/* A call that must go well. */
static void call(const char *command, const char *args, const char *in)
{
	struct stage_result r;

	stage_cni(&(struct stage_cni){ .command = command, .args = args, .in = in }, &r);
	if (r.exit != 0)
		fail_msg("%s: %s: %s", where, command, r.out.data);
	stage_result_done(&r);
}

static void same(const char *what, struct blob now, const struct blob *before)
{
	if (!now.data || strcmp(now.data, before->data) != 0)
		fail_msg("%s: %s was\n%s\nand is\n%s", where, what, before->data,
			 now.data ? now.data : "gone");
	free(now.data);
}

/* What an earlier ADD made is as it was where this one failed, and stays so. */
static void check_undone(const struct scene *scene)
{
	same("the record", record_now(), &record_before);
	same("the file", file_now(scene), &file_before);
	call("GC", NULL,
	     "{'cniVersion':'1.1.0','name':'net','cni.dev/valid-attachments':["
	     "{'containerID':'c1','ifname':'eth0'}]}");
	same("after GC, the file", file_now(scene), &file_before);
}

/* Wherever it was disturbed, its words are not taken for the pod's: the next ADD's hold. */
static void check_next(const struct scene *scene)
{
	struct blob b;

	call("ADD", scene->args, HEAD TIMEOUT("3") TAIL);
	b = file_now(scene);
	if (!b.data || strcmp(b.data + strcspn(b.data, "\n") + 1,
			      "nameserver 10.96.0.10\noptions ndots:5 timeout:3\n") != 0)
		fail_msg("%s, and ADD: the file is\n%s", where, b.data);
	free(b.data);
}

/* The text without the line breaks that a killed writer may leave behind it. */
static void check_runtime_file(const struct scene *scene, bool undone)
{
	struct blob b;

	if (!scene->file)
		return;
	if (!blob_read(SBOX, &b))
		stage_broken("read %s", SBOX);
	if (undone && !scene->earlier && strcmp(b.data, scene->file) != 0)
		fail_msg("%s: the runtime's file is not as it was:\n%s", where, b.data);
	while (b.size > 1 && b.data[b.size - 1] == '\n' && b.data[b.size - 2] == '\n')
		b.data[--b.size] = '\0';
	if (strncmp(b.data, "search default.svc.cluster.local", 32) != 0 ||
	    !strstr(b.data, "\nnameserver 10.96.0.10\noptions ndots:5") || strstr(b.data, "\n\n") ||
	    b.data[b.size - 1] != '\n')
		fail_msg("%s: neither the old text nor the new:\n%s", where, b.data);
	free(b.data);
}

/* The rules are there, and whole, if the record says so; never in the plugin's own namespace. */
static void check_steered(void)
{
	struct blob record = record_now();
	bool told = record.data && strstr(record.data, "\"installed\":true");

	if (netns_has_table("/run/netns/pod") != told)
		fail_msg("%s: a table: %d, and the record is\n%s", where, !told, record.data);
	assert_false(netns_has_table("/proc/self/ns/net"));
	free(record.data);
}

static int is_rest(const char *path, const struct stat *st UNUSED, int type, struct FTW *ftw UNUSED)
{
	if (type == FTW_D || strcmp(path, "/run/pod-dns/.lock") == 0 ||
	    strcmp(path, "/run/pod-dns/.swept") == 0)
		return 0;
	fail_msg("%s: %s is left", where, path);
	return 0;
}

static void check_clean(void)
{
	if (access("/run/pod-dns", F_OK) == 0)
		(void)nftw("/run/pod-dns", is_rest, 8, FTW_PHYS);
	if (access("/etc/netns/pod", F_OK) == 0)
		fail_msg("%s: /etc/netns/pod is left", where);
	stage_holds("/etc/resolv.conf", STAGE_NODE_FILE);
	check_steered();
}

/* One ADD with its call number AT disturbed; false: it has no such call. */
static bool disturb(const struct scene *scene, long at, const char *after)
{
	struct run run = { .at = at, .kill = scene->kill };
	bool disturbed;

	if (scene->file)
		stage_put(SBOX, scene->file);
	if (scene->conf)
		stage_put(CONF, rows_json(scene->conf));
	if (scene->earlier) {
		call("ADD", scene->args, scene->earlier);
		file_before = file_now(scene);
		record_before = record_now();
	}
	start_traced(&run, scene->args, scene->in);
	disturbed = run_disturbed(&run);
	(void)snprintf(where, sizeof where, "call %ld, number %lld, then %s", at,
		       (long long)run.hit.orig_rax, after);
	if (!scene->kill)
		check_said(&run);
	if (!scene->kill)
		check_steered();
	check_runtime_file(scene, WIFEXITED(run.status) && WEXITSTATUS(run.status) == 1);
	if (!scene->kill && WEXITSTATUS(run.status) == 1 && scene->earlier)
		check_undone(scene);
	else if (!scene->kill && WEXITSTATUS(run.status) == 1)
		check_clean();
	if (scene->earlier) {
		check_next(scene);
		forget();
	}
	call(after, NULL, "{'cniVersion':'1.1.0','name':'net','cni.dev/valid-attachments':[]}");
	check_clean();
	(void)close(run.in);
	(void)close(run.out);
	(void)close(run.err);
	return disturbed;
}

static void disturbs_each(void **state)
{
	const struct scene *scene = *state;
	const long step_by = scene->kill ? KILL_STEP : 1;
	long at = 1;

	stage_netns("/run/netns/pod");
	not_taken = 0;
	while (at < MOST && disturb(scene, at, "DEL") && (!WITH_GC || disturb(scene, at, "GC")))
		at += step_by;
	assert_in_range(at, 20, MOST - 1);
	assert_true(!scene->conf || not_taken > 0);
	print_message("           until call %ld\n", at);
}

/*** the hook ***/

#define LATE "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/c1/resolv.conf"

/* Whether the program has just got a read lease. */
static bool has_lease(const struct user_regs_struct *regs)
{
	return regs->orig_rax == SYS_fcntl && regs->rsi == F_SETLEASE && regs->rdx == F_RDLCK &&
	       regs->rax == 0;
}

/* Starts a hook that finds the runtime's file and a record that waits, of an ADD with IN. */
static void start_hook(struct run *run, const char *in)
{
	static const char *const hook_args[] = { "hook", NULL };
	const char *config =
		rows_json("{'mounts':[{'destination':'/etc/resolv.conf','source':'" LATE "'}]}");

	stage_netns("/run/netns/pod");
	stage_put("/run/b/config.json", config);
	call("ADD", CRI, in);
	stage_kill_orphans(); /* the child that waits */
	stage_put(LATE, KUBELET);
	*run = (struct run){ .at = MOST, .args = hook_args };
	start_traced(run, NULL,
		     "{'ociVersion':'1.0.2','id':'x1','bundle':'/run/b',"
		     "'annotations':{'io.kubernetes.cri.sandbox-id':'c1'}}");
}

static void is_well(struct run *run)
{
	if (!WIFEXITED(run->status) || WEXITSTATUS(run->status) != 0)
		fail_msg("status %x: %s", (unsigned)run->status, stage_memfd_read(run->err).data);
}

/*
 * The hook asks by a lease whether the runtime is still writing. Somebody else who opens the file
 * for writing in that moment makes the kernel send SIGIO, which ends a process by default.
 */
static void survives_a_broken_lease(void **state UNUSED)
{
	struct user_regs_struct regs;
	struct run run;
	int broken = 0;

	start_hook(&run, HEAD TAIL);
	while (step(&run, &regs)) { /* entries and exits: RAX is 0 at an exit only */
		int fd;

		if (!has_lease(&regs))
			continue;
		fd = open(LATE, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		broken += fd < 0 && errno == EWOULDBLOCK;
		if (fd >= 0)
			(void)close(fd);
	}
	assert_int_equal(broken, 1);
	is_well(&run);
}

/* Before the hook of a second container the first may be reading. */
static void minds_the_readers(void **state UNUSED)
{
	struct user_regs_struct regs;
	struct run run;
	int pauses = 0;

	start_hook(&run, HEAD TIMEOUT("1") TAIL);
	while (step(&run, &regs))
		pauses += regs.orig_rax == SYS_clock_nanosleep;
	assert_int_equal(pauses, 2); /* entry and exit */
	is_well(&run);
}

/* Who keeps the file open for writing keeps the hook waiting for a second: 50 pauses of 20 ms. */
static void waits_a_second(void **state UNUSED)
{
	struct user_regs_struct regs;
	struct run run;
	int fd, pauses = 0;

	start_hook(&run, HEAD TIMEOUT("1") TAIL);
	fd = open(LATE, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		stage_broken("open " LATE);
	while (step(&run, &regs))
		pauses += regs.orig_rax == SYS_clock_nanosleep;
	(void)close(fd);
	assert_int_equal(pauses, 2 * 50); /* entry and exit */
	is_well(&run);
}

/* NAME (with * and ?): those scenes alone. */
int main(int argc, char **argv)
{
	const struct CMUnitTest hooks[] = { cmocka_unit_test(survives_a_broken_lease),
					    cmocka_unit_test(minds_the_readers),
					    cmocka_unit_test(waits_a_second) };

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return RUN_TESTS("hook", hooks, STAGE) + RUN_ROWS("faults", scenes, disturbs_each, STAGE);
}

#else

static void needs_another_machine(void **state UNUSED)
{
	skip(); /* the registers of a system call are known for x86-64 only */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(needs_another_machine) };

	return RUN_TESTS("faults", tests);
}

#endif
