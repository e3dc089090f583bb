/* SPDX-License-Identifier: Apache-2.0 */
/* The child that waits for a runtime's file, and what the sweep does where it was killed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/inotify.h>
#include "rows.h"
#include "stage.c"
#include "want.c"

#define ROOT	  "/var/lib/containerd"
#define USED	  ROOT "/io.containerd.metadata.v1.bolt/meta.db"
#define POD_BELOW "/io.containerd.grpc.v1.cri/sandboxes/"
#define K3S_POD	  "/var/lib/rancher/k3s/agent/containerd" POD_BELOW
#define POD	  ROOT POD_BELOW
#define TEXT(options)                                                                     \
	"search default.svc.cluster.local svc.cluster.local cluster.local node.example\n" \
	"nameserver 10.96.0.10\noptions " options "\n"

#define NETWORK                                                                            \
	"{'cniVersion':'1.1.0','name':'net','type':'pod-dns','clusterDNS':['10.96.0.10']," \
	"'dnsConfig':{'options':[{'name':'ndots','value':'%s'}]},"                         \
	"'prevResult':{'cniVersion':'1.1.0','ips':[{'address':'10.1.0.5/16'}]}%s}"

/* The runtime's text is known at ADD. */
#define TOLD                                                                                \
	",'runtimeConfig':{'dns':{'Servers':['10.96.0.10'],'Searches':"                     \
	"['default.svc.cluster.local','svc.cluster.local','cluster.local','node.example']," \
	"'Options':['ndots:5']}}"

#define POLICY \
	",'runtimeConfig':{'io.kubernetes.cri.pod-annotations':{'pod-dns/policy':'ClusterFirst'}}"
#define LATE_ONLY ",'targets':['late']"

static void call_as(const char *command, const char *id, const char *ifname, const char *ndots,
		    const char *keys)
{
	char network[1024];
	const struct stage_cni c = { .command = command,
				     .id = id,
				     .ifname = ifname,
				     .args = "K8S_POD_NAME=p;K8S_POD_INFRA_CONTAINER_ID=c1",
				     .in = network };
	struct stage_result r;

	(void)snprintf(network, sizeof network, NETWORK, ndots, keys);
	stage_cni(&c, &r);
	if (r.exit != 0)
		fail_msg("%s: exit %d: %s", command, r.exit, r.out.data);
	stage_result_done(&r);
}

static void call(const char *command, const char *id)
{
	call_as(command, id, "eth0", "2", "");
}

/* A minute after the last sweep. */
static void sweep_by_status(void)
{
	(void)unlink("/run/pod-dns/.swept");
	call("STATUS", "");
}

/* ADD with KEYS; its child. */
static pid_t add(const char *keys)
{
	pid_t child;

	call_as("ADD", "c1", "eth0", "2", keys);
	child = stage_orphan();
	assert_true(child > 0);
	return child;
}

/* ADD with KEYS, whose child is killed at once. */
static void add_killed(const char *keys)
{
	(void)add(keys);
	stage_kill_orphans();
}

/*** the children ***/

static void wait_ms(long ms)
{
	(void)nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* The child ends by itself, and well. */
static void ends(pid_t child)
{
	const int64_t end = now_ms() + 60000;
	int status;
	pid_t gone;

	while ((gone = waitpid(child, &status, WNOHANG)) == 0 && now_ms() < end)
		wait_ms(5);
	if (gone != child)
		fail_msg("the child does not end");
	assert_int_equal(status, 0);
}

static const char *file_of(const char *id)
{
	static char path[256];

	(void)snprintf(path, sizeof path, POD "%s/resolv.conf", id);
	return path;
}

static void write_file(const char *id, const char *text)
{
	stage_put(file_of(id), text);
}

static void holds(const char *id, const char *text)
{
	stage_holds(file_of(id), text);
}

static void comes_to_hold(const char *id, const char *text)
{
	const int64_t end = now_ms() + 60000;
	struct blob b;

	while (now_ms() < end) {
		bool same;

		if (!blob_read(file_of(id), &b))
			stage_broken("read %s", file_of(id));
		same = strcmp(b.data, text) == 0;
		free(b.data);
		if (same)
			return;
		wait_ms(5);
	}
	holds(id, text);
}

/* As if nobody had written for a long time. */
static void age_file(const char *path)
{
	const struct timespec long_ago[2] = { { 1000000000, 0 }, { 1000000000, 0 } };

	if (utimensat(AT_FDCWD, path, long_ago, 0) < 0)
		stage_broken("utimensat %s", path);
}

/* The file comes by a rename, and is old at once. */
static void move_in_old(const char *id, const char *text)
{
	char path[512];

	(void)snprintf(path, sizeof path, "%s.new", file_of(id));
	stage_put(path, text);
	age_file(path);
	if (rename(path, file_of(id)) < 0)
		stage_broken("rename %s", path);
}

static json_t *record_of(const char *id)
{
	char path[256];

	(void)snprintf(path, sizeof path, "/run/pod-dns/net/%s@eth0.json", id);
	return want_load_file(path);
}

/* A record that waits and names no file, and no child. */
static void add_alone(const char *keys)
{
	json_t *document;

	add_killed(keys);
	document = record_of("c1");
	(void)json_object_del(document, "file");
	if (json_dump_file(document, "/run/pod-dns/net/c1@eth0.json", JSON_COMPACT) < 0)
		stage_broken("write the record");
	json_decref(document);
}

static void says(const char *id, const char *pointer, const char *value)
{
	json_auto_t *document = record_of(id);

	assert_non_null(json_string_value(want_at(document, pointer)));
	assert_string_equal(json_string_value(want_at(document, pointer)), value);
}

static int setup(void **state)
{
	(void)stage_setup(state);
	stage_put(USED, "");
	stage_netns("/run/netns/pod");
	return 0;
}

/*** tests ***/

static void writes_when_it_comes(void **state UNUSED)
{
	pid_t child;

	child = add("");
	write_file("c1", TEXT("ndots:5"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
	call("CHECK", "c1");
	call("DEL", "c1");
	holds("c1", TEXT("ndots:2"));
}

/* The first pod of a fresh node: none of containerd's folders is there. */
static void waits_on_a_fresh_node(void **state UNUSED)
{
	pid_t child;

	if (umount2(ROOT, MNT_DETACH) < 0 || rmdir(ROOT) < 0)
		stage_broken("remove " ROOT);
	child = add("");
	write_file("c1", TEXT("ndots:5"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
}

/* A record of a pod whose file nobody knew to expect: it is where such files are. */
static void is_found_by_the_sweep(void **state UNUSED)
{
	add_alone("");
	sweep_by_status();
	says("c1", "/late", "pending");
	write_file("c1", TEXT("ndots:5"));
	sweep_by_status();
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
}

static void ends_with_the_pod(void **state UNUSED)
{
	pid_t child;

	child = add("");
	call("DEL", "c1");
	ends(child);
	write_file("c1", TEXT("ndots:5"));
	holds("c1", TEXT("ndots:5"));
}

/* A file that the runtime has open for writing is not whole yet, whatever it holds. */
static void waits_for_the_whole(void **state UNUSED)
{
	const char *text = TEXT("ndots:5");
	pid_t child;
	int fd;

	stage_put(POD "c1/hosts", "");
	child = add("");
	fd = open(file_of("c1"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, text, 10) != 10)
		stage_broken("write %s", file_of("c1"));
	wait_ms(200);
	sweep_by_status();
	says("c1", "/late", "pending");
	if (write(fd, text + 10, strlen(text + 10)) < 0 || close(fd) < 0)
		stage_broken("write %s", file_of("c1"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
}

/* The sweep finds both: each record gets what was said of its own pod. */
static void is_repaired_when_killed(void **state UNUSED)
{
	json_t *document;

	call("ADD", "c1");
	call("ADD", "c2");
	stage_kill_orphans();
	write_file("c1", TEXT("ndots:5 attempts:0"));
	write_file("c2", TEXT("ndots:5 timeout:0"));
	says("c1", "/late", "pending");
	sweep_by_status();
	holds("c1", TEXT("ndots:2"));
	holds("c2", TEXT("ndots:2"));
	for (int i = 1; i <= 2; i++) {
		const char *text, *id = i == 1 ? "c1" : "c2";

		says(id, "/late", "written");
		document = record_of(id);
		if (json_array_size(want_at(document, "/warnings")) != 1)
			fail_msg("%s: %s", id, want_text(want_at(document, "/warnings")));
		text = json_string_value(want_at(document, "/warnings/0/text"));
		assert_non_null(text);
		assert_non_null(strstr(text, i == 1 ? "attempts:0" : "timeout:0"));
		json_decref(document);
	}
}

/* What a workload wrote meanwhile is its own. */
static void leaves_own_words(void **state UNUSED)
{
	call("ADD", "c1");
	stage_kill_orphans();
	write_file("c1", "nameserver 192.0.2.77\n");
	sweep_by_status();
	holds("c1", "nameserver 192.0.2.77\n");
	says("c1", "/decision/state", "left");
}

/*** what a runtime may write ***/

#define SHUFFLED                                                            \
	"# by a runtime\nnameserver 10.96.0.10\n\noptions ndots:5\nsearch " \
	"default.svc.cluster.local svc.cluster.local cluster.local node.example\n"

/* Words are compared, not bytes. */
static void knows_the_words(void **state UNUSED)
{
	pid_t child = add(TOLD);

	write_file("c1", SHUFFLED);
	ends(child);
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
}

/* A file that is made empty, and filled by another open. */
static void writes_again_when_filled(void **state UNUSED)
{
	pid_t child = add(TOLD);

	write_file("c1", "");
	comes_to_hold("c1", TEXT("ndots:2"));
	says("c1", "/late", "pending");
	write_file("c1", TEXT("ndots:5"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
}

static void takes_an_empty_one(void **state UNUSED)
{
	pid_t child = add(TOLD);

	write_file("c1", "");
	comes_to_hold("c1", TEXT("ndots:2"));
	age_file(file_of("c1"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
}

/* Where the text is to decide, an empty one says nothing yet. */
static void decides_by_what_is_filled_in(void **state UNUSED)
{
	pid_t child = add("");

	write_file("c1", "");
	wait_ms(200);
	holds("c1", "");
	says("c1", "/late", "pending");
	write_file("c1", TEXT("ndots:5"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
}

static void decides_by_an_empty_one(void **state UNUSED)
{
	pid_t child = add("");
	json_t *document;

	move_in_old("c1", "");
	ends(child);
	document = record_of("c1");
	assert_true(json_is_null(json_object_get(document, "deferred")));
	json_decref(document);
}

/* A text that is neither the runtime's nor ours may be half of the runtime's. */
static void bears_a_half(void **state UNUSED)
{
	pid_t child = add(TOLD);

	write_file("c1", "search default.svc.cluster.local\n");
	wait_ms(200);
	says("c1", "/late", "pending");
	write_file("c1", TEXT("ndots:5"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
}

/* The sweep sees what has come since, and leaves another's words. */
static void is_repaired_when_missed(void **state UNUSED)
{
	pid_t child = add(TOLD);

	move_in_old("c1", "nameserver 192.0.2.77\n");
	ends(child);
	says("c1", "/late", "missed");
	sweep_by_status();
	says("c1", "/late", "missed");
	holds("c1", "nameserver 192.0.2.77\n");
	write_file("c1", TEXT("ndots:5"));
	sweep_by_status();
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
}

/* A disk may stall between the making of the file and its last byte: who has watched knows. */
static void bears_a_stall(void **state UNUSED)
{
	const char *text = TEXT("ndots:5");
	struct timespec now[2];
	pid_t child;
	int fd;

	stage_put(POD "c1/hosts", "");
	child = add("");
	fd = open(file_of("c1"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	(void)clock_gettime(CLOCK_REALTIME, &now[0]);
	now[0].tv_sec += 5;
	now[1] = now[0];
	if (fd < 0 || write(fd, text, strlen(text)) < 0 || futimens(fd, now) < 0 || close(fd) < 0)
		stage_broken("write %s", file_of("c1"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
}

/* ADD is idempotent, also where `late` is the only target and its file is there by now. */
static void is_added_again(void **state UNUSED)
{
	pid_t child = add(TOLD LATE_ONLY);

	write_file("c1", TEXT("ndots:5"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
	call_as("ADD", "c1", "eth0", "3", TOLD LATE_ONLY);
	holds("c1", TEXT("ndots:3"));
	child = stage_orphan();
	assert_int_equal(child, 0);
	call("DEL", "c1");
}

/* The child has not got to it yet. */
static void is_added_again_before_the_child(void **state UNUSED)
{
	add_killed(LATE_ONLY);
	write_file("c1", TEXT("ndots:5"));
	call_as("ADD", "c1", "eth0", "3", LATE_ONLY);
	holds("c1", TEXT("ndots:3"));
}

/*** the hook ***/

#define CRIO_SAYS ",'io.container.manager':'cri-o','io.kubernetes.cri-o.ResolvPath':'%s'"

/* For a container whose mount is SOURCE; what it has said on stderr is the caller's. */
static char *hook(const char *source, const char *annotations, int exit)
{
	static const char *const args[] = { "hook", NULL }, *const env[] = { "LC_ALL=C", NULL };
	struct stage_call c = { .env = env, .args = args };
	char config[512], state[1024];
	struct stage_result r;
	char *said;

	(void)snprintf(config, sizeof config,
		       "{'mounts':[{'destination':'/etc/resolv.conf','source':'%s'}]}", source);
	(void)snprintf(state, sizeof state,
		       "{'id':'x1','bundle':'/run/b','annotations':{'io.kubernetes.%s':'c1'%s}}",
		       *annotations ? "cri-o.SandboxID" : "cri.sandbox-id", annotations);
	stage_put("/run/b/config.json", rows_json(config));
	c.in.data = strdup(rows_json(state));
	assert_non_null(c.in.data);
	c.in.size = strlen(c.in.data);
	stage_run(&c, &r);
	if (r.exit != exit)
		fail_msg("exit %d: %s", r.exit, r.err.data);
	said = strdup(r.err.data ? r.err.data : "");
	assert_non_null(said);
	free(c.in.data);
	stage_result_done(&r);
	return said;
}

static void tells(char *said, const char *part)
{
	if (part ? !strstr(said, part) : *said)
		fail_msg("%s", said);
	free(said);
}

/* What no record names is the pod's under a known root, or where CRI-O says. */
static void knows_the_pods_file(void **state UNUSED)
{
	static const char elsewhere[] = "/run/x" POD_BELOW "c1/resolv.conf",
			  crio[] = "/run/x/overlay-containers/c1/userdata/resolv.conf";
	char says_crio[256], says_other[256];

	(void)snprintf(says_crio, sizeof says_crio, CRIO_SAYS, crio);
	(void)snprintf(says_other, sizeof says_other, CRIO_SAYS, elsewhere);
	add_alone(TOLD);
	stage_put(elsewhere, TEXT("ndots:5"));
	stage_put(crio, TEXT("ndots:5"));
	tells(hook(elsewhere, "", 0), NULL);
	tells(hook(elsewhere, says_other, 0), NULL);
	stage_holds(elsewhere, TEXT("ndots:5"));
	tells(hook(crio, "", 0), NULL);
	tells(hook(crio, says_other, 0), NULL);
	stage_holds(crio, TEXT("ndots:5"));
	tells(hook(crio, says_crio, 0), NULL);
	stage_holds(crio, TEXT("ndots:2"));
	call("DEL", "c1");
	add_alone(TOLD);
	write_file("c1", TEXT("ndots:5"));
	tells(hook(file_of("c1"), "", 0), NULL);
	holds("c1", TEXT("ndots:2"));
}

/* A record names what ADD took for likely; the file is under another known root. */
static void bears_a_wrong_guess(void **state UNUSED)
{
	static const char file[] = K3S_POD "c1/resolv.conf";

	add_killed(TOLD);
	says("c1", "/file", file_of("c1"));
	stage_put(file, TEXT("ndots:5"));
	tells(hook(file, "", 0), NULL);
	stage_holds(file, TEXT("ndots:2"));
	says("c1", "/file", file);
}

static void bears_a_wrong_guess_in_the_sweep(void **state UNUSED)
{
	static const char file[] = K3S_POD "c1/resolv.conf";

	add_killed(TOLD);
	stage_put(file, TEXT("ndots:5"));
	sweep_by_status();
	stage_holds(file, TEXT("ndots:2"));
	says("c1", "/file", file);
}

static void misses_the_file(void **state UNUSED)
{
	add_killed(TOLD);
	tells(hook(file_of("c1"), "", 1), "sandboxes/c1/resolv.conf: No such file");
	says("c1", "/late", "pending");
}

/* Who cannot see whose the file is lets no container start with a text that may be another's. */
static void is_strict(void **state UNUSED)
{
	static const char id[] = "/run/pod-dns/net/c1@eth0.json";

	add_killed(TOLD);
	write_file("c1", TEXT("ndots:5"));
	if (rename(id, "/run/record") < 0 || mkdir(id, 0700) < 0)
		stage_broken("mkdir %s", id);
	tells(hook(file_of("c1"), "", 1), "hook: "
					  "/run/pod-dns/net/c1@eth0.json: cannot be read");
	if (rmdir(id) < 0 || symlink("c1@eth0.json", id) < 0)
		stage_broken("symlink %s", id);
	tells(hook(file_of("c1"), "", 1), "hook: /run/pod-dns/.sandbox/c1: cannot be read");
	if (rename("/run/record", id) < 0)
		stage_broken("rename %s", id);
	tells(hook(file_of("c1"), "", 0), NULL);
	holds("c1", TEXT("ndots:2"));
}

static void exchange(const char *one, const char *other)
{
	if (renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) < 0)
		stage_broken("exchange %s and %s", one, other);
}

/* The child does not end over a record that the kernel does not give out just now. */
static void bears_an_unreadable_record(void **state UNUSED)
{
	static const char id[] = "/run/pod-dns/net/c1@eth0.json", folder[] = "/run/record";
	pid_t child = add(TOLD);

	if (mkdir(folder, 0700) < 0)
		stage_broken("mkdir %s", folder);
	exchange(folder, id);
	write_file("c1", TEXT("ndots:5"));
	wait_ms(300);
	assert_int_equal(stage_orphan(), child);
	exchange(folder, id);
	ends(child);
	holds("c1", TEXT("ndots:2"));
}

static int open_for_writing(void)
{
	int fd = open(file_of("c1"), O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		stage_broken("open %s", file_of("c1"));
	return fd;
}

/* Who keeps the file open for writing keeps the hook waiting, but not for ever. (For how long:
 * test_faults, which counts.) */
static void gives_up_waiting(void **state UNUSED)
{
	int fd;

	add_killed(TOLD);
	write_file("c1", TEXT("ndots:5"));
	fd = open_for_writing();
	tells(hook(file_of("c1"), "", 0), "left");
	says("c1", "/late", "pending");
	holds("c1", TEXT("ndots:5"));
	(void)close(fd);
}

/* A process that has the file open for writing until somebody opens it to read. */
static pid_t holder(void)
{
	const int fd = open_for_writing(), watch = inotify_init1(IN_CLOEXEC);
	struct inotify_event event;
	pid_t pid;

	if (watch < 0 || inotify_add_watch(watch, file_of("c1"), IN_OPEN) < 0)
		stage_broken("inotify");
	pid = fork();
	if (pid < 0)
		stage_broken("fork");
	if (pid == 0)
		_exit(read(watch, &event, sizeof event) < 0);
	(void)close(watch);
	(void)close(fd);
	return pid;
}

/* A machine under load may let the holder end after the hook's second: then it is the next one's
 * turn. */
static void waits_for_who_ends_soon(void **state UNUSED)
{
	enum { TURNS = 10 };

	add_killed(TOLD);
	write_file("c1", TEXT("ndots:5"));
	for (int turn = 0, left = true; left; turn++) {
		const pid_t pid = holder();
		char *said = hook(file_of("c1"), "", 0);

		left = *said && turn < TURNS;
		tells(said, left ? "left" : NULL);
		(void)waitpid(pid, NULL, 0);
	}
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
}

static void leaves_the_hosts(void **state UNUSED)
{
	add_alone(TOLD);
	write_file("c1", "");
	if (mount("/etc/resolv.conf", file_of("c1"), NULL, MS_BIND, NULL) < 0)
		stage_broken("mount %s", file_of("c1"));
	tells(hook(file_of("c1"), "", 0), "the host's own resolver file");
	holds("c1", STAGE_NODE_FILE);
}

/* What the runtime wrote is kept in the record, and that must be read again. */
static void reads_its_own_record(void **state UNUSED)
{
	enum { LONG = 900000 };
	static char text[LONG + 256];
	size_t head = (size_t)snprintf(text, sizeof text, "%s#", TEXT("ndots:5"));

	memset(text + head, '\1', LONG);
	stage_write(file_of("c1"), text, head + LONG);
	call("ADD", "c1");
	holds("c1", TEXT("ndots:2"));
	head = (size_t)snprintf(text, sizeof text, "options a:");
	memset(text + head, '"', LONG - head);
	stage_write(file_of("c1"), text, LONG);
	call("ADD", "c1");
	call("ADD", "c1");
}

/*** two attachments of a pod ***/

static void ends_all(void)
{
	for (pid_t child; (child = stage_orphan()) > 0;)
		ends(child);
}

/* The later has KEYS. Then the file comes, and both children end. */
static void add_two(const char *keys)
{
	call_as("ADD", "c1", "eth0", "2", "");
	call_as("ADD", "c1", "net1", "3", keys);
	write_file("c1", TEXT("ndots:5"));
	ends_all();
}

/* Both wait for the runtime's text to decide by; the later has the file, until its DEL. */
static void is_passed_on(void **state UNUSED)
{
	add_two("");
	holds("c1", TEXT("ndots:3"));
	says("c1", "/late", "missed");
	call_as("DEL", "c1", "net1", "3", "");
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
	says("c1", "/inputs/runtimeText", TEXT("ndots:5"));
	call("DEL", "c1");
}

/* The same where no child of the first has lived to see the file. */
static void is_passed_on_by_killed_ones(void **state UNUSED)
{
	call_as("ADD", "c1", "eth0", "2", "");
	stage_kill_orphans();
	call_as("ADD", "c1", "net1", "3", "");
	write_file("c1", TEXT("ndots:5"));
	ends_all();
	says("c1", "/late", "pending");
	call_as("DEL", "c1", "net1", "3", "");
	holds("c1", TEXT("ndots:2"));
	tells(hook(file_of("c1"), "", 0), NULL);
	holds("c1", TEXT("ndots:2"));
}

/* The later one needed no text to decide, and has kept it all the same. */
static void is_passed_on_by_a_decided_one(void **state UNUSED)
{
	add_two(POLICY);
	holds("c1", TEXT("ndots:3"));
	call_as("DEL", "c1", "net1", "3", POLICY);
	holds("c1", TEXT("ndots:2"));
}

/* A workload's own words are not handed over. */
static void own_words_are_not_passed_on(void **state UNUSED)
{
	add_two("");
	write_file("c1", "nameserver 192.0.2.77\n");
	call_as("DEL", "c1", "net1", "3", "");
	tells(hook(file_of("c1"), "", 0), "left");
	holds("c1", "nameserver 192.0.2.77\n");
}

/* DEL before the file: the one that remains gets it when it comes. */
static void is_passed_on_before_it_comes(void **state UNUSED)
{
	call_as("ADD", "c1", "eth0", "2", "");
	call_as("ADD", "c1", "net1", "3", "");
	sweep_by_status();
	call_as("DEL", "c1", "net1", "3", "");
	write_file("c1", TEXT("ndots:5"));
	ends_all();
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
}

/*** what nobody knows ***/

static void changed_after(const char *id, int seconds)
{
	struct timespec times[2] = { 0 };
	struct statx st;

	if (statx(AT_FDCWD, file_of(id), 0, STATX_BTIME, &st) < 0 || !(st.stx_mask & STATX_BTIME))
		stage_broken("statx %s", file_of(id));
	times[0].tv_sec = times[1].tv_sec = st.stx_btime.tv_sec + seconds;
	if (utimensat(AT_FDCWD, file_of(id), times, 0) < 0)
		stage_broken("utimensat %s", file_of(id));
}

/* No text of the runtime's, no child that saw it come: a file that was written since is left. */
static void leaves_what_was_written_since(void **state UNUSED)
{
	add_killed(POLICY);
	write_file("c1", "nameserver 192.0.2.77\n");
	changed_after("c1", 5);
	sweep_by_status();
	says("c1", "/late", "missed");
	sweep_by_status();
	holds("c1", "nameserver 192.0.2.77\n");
}

/* Where the runtime's text was not known, a file that was changed later is the workload's. */
static void leaves_what_was_changed_later(void **state UNUSED)
{
	call("ADD", "c1");
	call("ADD", "c2");
	stage_kill_orphans();
	write_file("c1", TEXT("ndots:5"));
	write_file("c2", TEXT("ndots:5"));
	changed_after("c1", 2);
	changed_after("c2", 3);
	sweep_by_status();
	holds("c1", TEXT("ndots:2"));
	says("c1", "/late", "written");
	holds("c2", TEXT("ndots:5"));
	says("c2", "/late", "missed");
}

/*** where the record comes first ***/

static void fill_run_folder(void)
{
	static const char page[4096];

	for (int i = 0; i < 64; i++) {
		char path[64];
		int fd;

		(void)snprintf(path, sizeof path, "/run/pod-dns/.fill%d", i);
		fd = open(path, O_WRONLY | O_CREAT, 0600);
		if (fd < 0)
			return;
		if (write(fd, page, sizeof page) < 0)
			i = 64;
		(void)close(fd);
	}
}

/* Who cannot say what the file will hold leaves it: else our text would pass for the runtime's. */
static void announces_before_it_writes(void **state UNUSED)
{
	if (mkdir("/run/pod-dns", 0700) < 0 ||
	    mount("small", "/run/pod-dns", "tmpfs", 0, "mode=0700,size=64k") < 0)
		stage_broken("mount");
	add_killed("");
	write_file("c1", TEXT("ndots:5"));
	fill_run_folder();
	free(hook(file_of("c1"), "", 1));
	holds("c1", TEXT("ndots:5"));
	if (system("rm /run/pod-dns/.fill*") != 0)
		stage_broken("rm");
	tells(hook(file_of("c1"), "", 0), NULL);
	holds("c1", TEXT("ndots:2"));
}

/*** where the kernel has no watch left ***/

/* As for a user's 129th. */
static void waits_without_a_watch(void **state UNUSED)
{
	pid_t adder = fork(), child;
	int how;

	if (adder == 0) {
		stage_on_call(__NR_inotify_init1, SECCOMP_RET_ERRNO | EMFILE);
		call("ADD", "c1");
		_exit(0);
	}
	assert_int_equal(waitpid(adder, &how, 0), adder);
	assert_int_equal(how, 0);
	child = stage_orphan();
	assert_true(child > 0);
	says("c1", "/warnings/0/kind", "target");
	write_file("c1", TEXT("ndots:5"));
	ends(child);
	holds("c1", TEXT("ndots:2"));
}

enum { MANY = 200 };

static size_t children_of_ours(pid_t out[static MANY])
{
	char path[64], *rest;
	struct blob b;
	size_t n = 0;

	(void)snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
	if (!blob_read(path, &b))
		stage_broken("read %s", path);
	rest = b.data;
	for (char *end; n < MANY && (out[n] = (pid_t)strtol(rest, &end, 10)) > 0; rest = end)
		n++;
	free(b.data);
	return n;
}

static bool has_inotify(pid_t child)
{
	bool has = false;

	for (int fd = 0; fd < 16; fd++) {
		char path[64], to[64] = "";

		(void)snprintf(path, sizeof path, "/proc/%d/fd/%d", child, fd);
		if (readlink(path, to, sizeof to - 1) > 0 && strstr(to, "inotify"))
			has = true;
	}
	return has;
}

/* As of many pods between ADD and file. Others of root, kubelet too, need watches. */
static void leaves_watches_to_others(void **state UNUSED)
{
	pid_t children[MANY];
	json_auto_t *record;
	size_t watching = 0;
	char id[16];

	for (int i = 0; i < MANY; i++) {
		(void)snprintf(id, sizeof id, "c%d", i);
		call("ADD", id);
	}
	assert_int_equal(children_of_ours(children), MANY);
	for (int i = 0; i < MANY; i++)
		watching += has_inotify(children[i]);
	assert_int_equal(watching, 32);
	record = record_of("c199");
	assert_int_equal(json_array_size(json_object_get(record, "warnings")), 0);
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(id, sizeof id, "c%d", i);
		write_file(id, TEXT("ndots:5"));
	}
	for (int i = 0; i < MANY; i++)
		ends(children[i]);
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(id, sizeof id, "c%d", i);
		holds(id, TEXT("ndots:2"));
	}
	call("ADD", "next"); /* all of them are free again */
	assert_true(has_inotify(stage_orphan()));
}

/* NAME (with * and ?): those tests alone. */
int main(int argc, char **argv)
{
	struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_when_it_comes),
		cmocka_unit_test(ends_with_the_pod),
		cmocka_unit_test(waits_for_the_whole),
		cmocka_unit_test(leaves_watches_to_others),
		cmocka_unit_test(leaves_own_words),
		cmocka_unit_test(is_repaired_when_killed),
		cmocka_unit_test(leaves_what_was_changed_later),
		cmocka_unit_test(waits_on_a_fresh_node),
		cmocka_unit_test(is_found_by_the_sweep),
		cmocka_unit_test(knows_the_words),
		cmocka_unit_test(writes_again_when_filled),
		cmocka_unit_test(takes_an_empty_one),
		cmocka_unit_test(decides_by_what_is_filled_in),
		cmocka_unit_test(decides_by_an_empty_one),
		cmocka_unit_test(bears_a_half),
		cmocka_unit_test(is_repaired_when_missed),
		cmocka_unit_test(bears_a_stall),
		cmocka_unit_test(is_added_again),
		cmocka_unit_test(is_added_again_before_the_child),
		cmocka_unit_test(knows_the_pods_file),
		cmocka_unit_test(misses_the_file),
		cmocka_unit_test(is_strict),
		cmocka_unit_test(bears_an_unreadable_record),
		cmocka_unit_test(bears_a_wrong_guess),
		cmocka_unit_test(bears_a_wrong_guess_in_the_sweep),
		cmocka_unit_test(gives_up_waiting),
		cmocka_unit_test(waits_for_who_ends_soon),
		cmocka_unit_test(leaves_the_hosts),
		cmocka_unit_test(reads_its_own_record),
		cmocka_unit_test(is_passed_on),
		cmocka_unit_test(is_passed_on_by_killed_ones),
		cmocka_unit_test(own_words_are_not_passed_on),
		cmocka_unit_test(is_passed_on_before_it_comes),
		cmocka_unit_test(leaves_what_was_written_since),
		cmocka_unit_test(is_passed_on_by_a_decided_one),
		cmocka_unit_test(announces_before_it_writes),
		cmocka_unit_test(waits_without_a_watch),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return RUN_TESTS("late", tests, stage_enter, setup, stage_teardown);
}
