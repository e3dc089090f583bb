/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a container's root, a runtime's folder, stdin or a caller's surroundings may hold to make
 * the plugin write, read or hang where it must not. Whatever happens, the machine's own files stay
 * as they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "rows.h"
#include "stage.c"
#include "want.c"

#define OURS                                                                \
	"search default.svc.cluster.local svc.cluster.local cluster.local " \
	"node.example\nnameserver 10.96.0.10\noptions ndots:5\n"
#define THEIRS "nameserver 192.0.2.250\n"
#define SHADOW "root:secret:1:0:99999:7:::\n"
#define ROOT   "/run/container"
#define FILE_  ROOT "/etc/resolv.conf"
#define SBOX   "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/c1/resolv.conf"
#define CRI    "K8S_POD_NAME=p;K8S_POD_INFRA_CONTAINER_ID=c1"

/*** what lies in wait ***/

static void bind_mount(const char *from, const char *to, unsigned long flags)
{
	if (mount(from, to, NULL, MS_BIND, NULL) < 0 ||
	    (flags && mount(NULL, to, NULL, MS_BIND | MS_REMOUNT | flags, NULL) < 0))
		stage_broken("bind %s to %s", from, to);
}

static void plain(void)
{
	stage_put(FILE_, THEIRS);
}

static void nothing(void)
{
	stage_put(ROOT "/etc/hostname", "c\n");
}

static void rw_bind(void)
{
	stage_put("/run/volume/resolv.conf", THEIRS);
	stage_put(FILE_, "");
	bind_mount("/run/volume/resolv.conf", FILE_, 0);
}

static void ro_bind(void)
{
	rw_bind();
	bind_mount("/run/volume/resolv.conf", FILE_, MS_RDONLY);
}

static void host_bind(void)
{
	stage_put(FILE_, "");
	bind_mount("/etc/resolv.conf", FILE_, 0);
}

static void link_inside(void)
{
	stage_put(ROOT "/run/x/resolv.conf", THEIRS);
	stage_link(FILE_, "../run/x/resolv.conf");
}

static void link_climbing(void)
{
	stage_put(ROOT "/etc/hostname", "c\n");
	stage_link(FILE_, "../../../../../../etc/resolv.conf");
}

static void link_to_shadow(void)
{
	stage_put(ROOT "/etc/shadow", SHADOW);
	stage_link(FILE_, "/etc/shadow");
}

static void link_through_proc(void)
{
	stage_put(ROOT "/etc/hostname", "c\n");
	if (mkdir(ROOT "/proc", 0755) < 0 || mount("proc", ROOT "/proc", "proc", 0, NULL) < 0)
		stage_broken("proc");
	stage_link(FILE_, "/proc/1/root/etc/resolv.conf");
}

static void etc_is_a_link(void)
{
	stage_put(ROOT "/hostname", "c\n");
	stage_link(ROOT "/etc", "/../../../../etc");
}

static void a_fifo(void)
{
	nothing();
	if (mkfifo(FILE_, 0666) < 0)
		stage_broken("mkfifo");
}

static void a_folder(void)
{
	stage_put(FILE_ "/x", "");
}

static void a_device(void)
{
	nothing();
	if (mknod(FILE_, S_IFCHR | 0666, 1 << 8 | 3) < 0)
		stage_broken("mknod");
}

static void a_hard_link(void)
{
	stage_put(ROOT "/etc/other", THEIRS);
	if (link(ROOT "/etc/other", FILE_) < 0)
		stage_broken("link");
}

/*** the root of a container ***/

static const struct row {
	const char *name;
	void (*prepare)(void);
	const char *root;    /* NULL: the machine's */
	const char *written; /* the file that must hold our text; NULL: none may */
} rows[] = {
	{ "a plain file", plain, ROOT, FILE_ },
	{ "no file", nothing, ROOT, FILE_ },
	{ "a volume", rw_bind, ROOT, FILE_ },
	{ "a read-only volume", ro_bind, ROOT, NULL },
	{ "the host's own file, bound", host_bind, ROOT, NULL },
	{ "a link inside", link_inside, ROOT, ROOT "/run/x/resolv.conf" },
	{ "a link that climbs out", link_climbing, ROOT, NULL },
	{ "a link to the shadow file", link_to_shadow, ROOT, NULL },
	{ "a link through /proc", link_through_proc, ROOT, NULL },
	{ "/etc that climbs out", etc_is_a_link, ROOT, NULL },
	{ "a FIFO", a_fifo, ROOT, NULL },
	{ "a folder", a_folder, ROOT, NULL },
	{ "a device", a_device, ROOT, NULL },
	{ "a hard link", a_hard_link, ROOT, NULL },
	{ "a process with the host's mounts", nothing, NULL, NULL },
	{ "a mount namespace, the host's root", nothing, "/", NULL },
};

/* As the machine's files were before, they are now. */
static void check_machine(void)
{
	stage_holds("/etc/resolv.conf", STAGE_NODE_FILE);
	stage_holds("/etc/shadow", SHADOW);
}

/* Processes that are not root's read it too. */
static void check_written(const char *path)
{
	struct stat st;

	stage_holds(path, OURS);
	if (stat(path, &st) < 0)
		stage_broken("stat");
	assert_int_equal(st.st_mode & 07777, 0644);
}

/* What was not ours to write does not hold our text; what is no plain file is not read. */
static void check_unwritten(const char *path)
{
	struct stat st;
	struct blob b;

	if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode) || !blob_read(path, &b))
		return;
	assert_string_not_equal(b.data, OURS);
	free(b.data);
}

static void call(const char *command, const char *netns, const char *args, const char *in,
		 struct stage_result *r)
{
	const struct stage_cni c = { .command = command, .netns = netns, .args = args, .in = in };

	stage_cni(&c, r);
}

static void check_result(const struct stage_result *r)
{
	json_auto_t *doc = want_one(&r->out);

	if (r->exit != 0 || !json_is_string(json_object_get(doc, "cniVersion")))
		fail_msg("exit %d: %s", r->exit, r->out.data);
}

static const char usual[] = "{'cniVersion':'1.1.0','name':'net','type':'pod-dns',"
			    "'clusterDNS':['10.96.0.10'],'prevResult':{'cniVersion':'1.1.0'}}";

static void writes_or_not(void **state)
{
	const struct row *row = *state;
	struct stage_result r;
	char netns[64];
	mode_t was;

	stage_put("/etc/shadow", SHADOW);
	row->prepare();
	(void)snprintf(netns, sizeof netns, "/proc/%d/ns/net", stage_container(row->root));
	was = umask(0777);
	call("ADD", netns, NULL, usual, &r);
	(void)umask(was);
	check_result(&r);
	if (row->written)
		check_written(row->written);
	else
		assert_int_not_equal(r.err.size, 0);
	if (!row->written)
		check_unwritten(FILE_);
	check_machine();
	stage_result_done(&r);
	call("DEL", netns, NULL, usual, &r);
	assert_int_equal(r.exit, 0);
	check_machine();
	stage_result_done(&r);
}

/*** the runtime's folder ***/

static void sandbox_fifo(void)
{
	stage_put(SBOX, "");
	if (unlink(SBOX) < 0 || mkfifo(SBOX, 0666) < 0)
		stage_broken("mkfifo");
}

static void sandbox_link(void)
{
	stage_link(SBOX, "/etc/shadow");
}

static void sandbox_link_to_host(void)
{
	stage_link(SBOX, "/etc/resolv.conf");
}

static void sandbox_bind(void)
{
	stage_put(SBOX, "");
	bind_mount("/etc/resolv.conf", SBOX, 0);
}

static void sandbox_folder(void)
{
	stage_put(SBOX "/x", "");
}

static void sandbox_read_only(void)
{
	stage_put(SBOX, THEIRS);
	bind_mount(SBOX, SBOX, MS_RDONLY);
}

static void netns_folder_link(void)
{
	stage_link("/etc/netns/pod", "/etc");
	if (rename("/etc/resolv.conf", "/etc/kept") < 0)
		stage_broken("rename");
}

static const struct trap {
	const char *name;
	void (*prepare)(void);
	const char *args;
} traps[] = {
	{ "sandbox: a FIFO", sandbox_fifo, CRI },
	{ "sandbox: a link to the shadow file", sandbox_link, CRI },
	{ "sandbox: a link to the host's file", sandbox_link_to_host, CRI },
	{ "sandbox: the host's file, bound", sandbox_bind, CRI },
	{ "sandbox: a folder", sandbox_folder, CRI },
	{ "sandbox: read-only", sandbox_read_only, CRI },
};

static void touches_nothing(void **state)
{
	const struct trap *trap = *state;
	struct stage_result r;

	stage_put("/etc/shadow", SHADOW);
	stage_netns("/run/netns/pod");
	trap->prepare();
	call("ADD", "/run/netns/pod", trap->args, usual, &r);
	check_result(&r);
	check_machine();
	stage_result_done(&r);
	call("DEL", "/run/netns/pod", trap->args, usual, &r);
	assert_int_equal(r.exit, 0);
	check_machine();
	stage_result_done(&r);
}

/* A folder of /etc/netns that leads to /etc itself, on a host that has no resolv.conf just now. */
static void makes_no_host_file(void **state UNUSED)
{
	struct stage_result r;

	stage_netns("/run/netns/pod");
	netns_folder_link();
	call("ADD", "/run/netns/pod", NULL,
	     "{'cniVersion':'1.1.0','name':'net','type':'pod-dns','resolvConf':'',"
	     "'clusterDNS':['10.96.0.10'],'prevResult':{'cniVersion':'1.1.0'}}",
	     &r);
	check_result(&r);
	assert_int_not_equal(access("/etc/resolv.conf", F_OK), 0);
	assert_int_not_equal(faccessat(AT_FDCWD, "/etc/resolv.conf", F_OK, AT_SYMLINK_NOFOLLOW), 0);
	stage_result_done(&r);
}

/*** stdin ***/

/* BEFORE, N times MIDDLE, AFTER. */
static struct blob pile(const char *before, const char *middle, size_t n, const char *after)
{
	struct blob b = { NULL, 0 };
	FILE *f = open_memstream(&b.data, &b.size);

	assert_non_null(f);
	(void)fputs(rows_json(before), f);
	while (n--)
		(void)fputs(middle, f);
	(void)fputs(rows_json(after), f);
	if (fclose(f) != 0)
		stage_broken("memory");
	return b;
}

#define HEAD "{'cniVersion':'1.1.0','name':'net','prevResult':{'cniVersion':'1.1.0'},"

static const struct flood {
	const char *name, *before, *middle;
	size_t n;
	const char *after;
	int exit;
	json_int_t code;
} floods[] = {
	{ "15 MiB of blanks", HEAD "'dnsPolicy':'Keep'", " ", 15 << 20, "}", 0, 0 },
	{ "over 16 MiB", HEAD "'dnsPolicy':'Keep'", " ", (16 << 20) + 1, "}", 1, 5 },
	{ "a million brackets", "", "[", 1000000, "", 1, 6 },
	{ "an object 100,000 deep", "", "{\"a\":", 100000, "", 1, 6 },
	{ "cut short", HEAD "'x':", "", 0, "", 1, 6 },
	{ "invalid UTF-8", HEAD "'x':'", "\xff", 1, "'}", 1, 6 },
	{ "a NUL in a string of others", HEAD "'dnsPolicy':'Keep','x':'", "\\u0000", 3, "'}", 0,
	  0 },
	{ "256 KiB of another's annotation",
	  HEAD "'dnsPolicy':'Keep','runtimeConfig':{'io.kubernetes.cri.pod-annotations':{'x':'",
	  "y", 256 << 10, "'}}}", 0, 0 },
	{ "100,000 rules", HEAD "'rules':[{}", ",{}", 100000, "]}", 1, 7 },
	{ "100,000 searches", HEAD "'dnsConfig':{'searches':['a'", ",\"b\"", 100000, "]}}", 1, 7 },
};

static void survives(void **state)
{
	const struct flood *flood = *state;
	struct stage_env env;
	struct stage_call c = { .env = env.at };
	struct stage_result r;
	json_t *doc;

	stage_env(&env, &(struct stage_cni){ .command = "ADD" });
	stage_netns("/run/netns/pod");
	c.in = pile(flood->before, flood->middle, flood->n, flood->after);
	stage_run(&c, &r);
	doc = want_one(&r.out);
	if (r.exit != flood->exit || (r.exit && !want_is_error(doc)) ||
	    json_integer_value(json_object_get(doc, "code")) != flood->code)
		fail_msg("exit %d: %s", r.exit, want_text(doc));
	json_decref(doc);
	free(c.in.data);
	stage_result_done(&r);
}

/*** what must not be opened ***/

/* Opening a device or a FIFO has effects of its own, even without blocking: a look must do. */
static const struct shy {
	const char *name;
	void (*prepare)(void);
} shies[] = {
	{ "a FIFO", a_fifo },
	{ "a device", a_device },
};

static void opens_nothing(void **state)
{
	const struct shy *shy = *state;
	int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	struct inotify_event event;
	struct stage_result r;
	char netns[64];

	shy->prepare();
	if (watch < 0 || inotify_add_watch(watch, FILE_, IN_OPEN) < 0)
		stage_broken("watch " FILE_);
	(void)snprintf(netns, sizeof netns, "/proc/%d/ns/net", stage_container(ROOT));
	call("ADD", netns, NULL, usual, &r);
	check_result(&r);
	stage_result_done(&r);
	call("CHECK", netns, NULL, usual, &r);
	stage_result_done(&r);
	call("DEL", netns, NULL, usual, &r);
	stage_result_done(&r);
	if (read(watch, &event, sizeof event) >= 0)
		fail_msg("%s was opened", FILE_);
	(void)close(watch);
}

/*** what surrounds a call ***/

/* Whatever the umask, the run folder is root's alone to use, and others may read a pod's file. */
static void minds_the_umask(void **state UNUSED)
{
	static const mode_t masks[] = { 0, 0277, 0777 };
	static const struct {
		const char *path;
		mode_t mode;
	} made[] = {
		{ "/run/pod-dns/net", 0700 },	 { "/run/pod-dns/net/c1@eth0.json", 0600 },
		{ "/run/pod-dns/.netns", 0700 }, { "/run/pod-dns/.netns/pod", 0700 },
		{ "/run/pod-dns/.lock", 0600 },	 { "/run/pod-dns/.swept", 0600 },
	};
	struct stage_result r;
	struct stat st;

	stage_netns("/run/netns/pod");
	for (size_t i = 0; i < LEN(masks); i++) {
		mode_t was = umask(masks[i]);

		call("ADD", "/run/netns/pod", NULL, usual, &r);
		(void)umask(was);
		check_result(&r);
		stage_result_done(&r);
		if (stat("/run/pod-dns", &st) < 0)
			stage_broken("stat");
		assert_int_equal(st.st_mode & 07777, 0700);
		if (stat("/etc/netns", &st) < 0)
			stage_broken("stat");
		assert_int_equal(st.st_mode & 07777, 0755);
		if (stat("/etc/netns/pod/resolv.conf", &st) < 0)
			stage_broken("stat");
		assert_int_equal(st.st_mode & 07777, 0644);
		for (size_t n = 0; n < LEN(made); n++) {
			if (stat(made[n].path, &st) < 0)
				stage_broken("stat %s", made[n].path);
			assert_int_equal(st.st_mode & 07777, made[n].mode);
		}
		call("DEL", "/run/netns/pod", NULL, usual, &r);
		assert_int_equal(r.exit, 0);
		assert_int_equal(r.err.size, 0);
		stage_result_done(&r);
		if (access("/run/pod-dns/.lock", F_OK) == 0 && unlink("/run/pod-dns/.lock") < 0)
			stage_broken("unlink");
		(void)unlink("/run/pod-dns/.swept");
		if (rmdir("/run/pod-dns") < 0) /* else the next is not the first */
			stage_broken("rmdir");
	}
}

/* What cannot be printed has not been said: VERSION's answer as well as ADD's. */
static void tells_a_full_disk(void **state UNUSED)
{
	static const char *const commands[] = { "VERSION", "ADD" };

	stage_netns("/run/netns/pod");
	stage_put("/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db", "");
	for (size_t i = 0; i < LEN(commands); i++) {
		struct stage_env env;
		const struct stage_call c = { .env = env.at };
		pid_t child = fork();
		int status;

		stage_env(&env, &(struct stage_cni){ .command = commands[i], .args = CRI });
		if (child == 0) {
			int full = open("/dev/full", O_WRONLY);

			if (dup2(stage_memfd(rows_json(usual)), 0) < 0 || dup2(full, 1) < 0)
				_exit(126);
			exec_plugin(&c);
		}
		if (child < 0 || waitpid(child, &status, 0) < 0)
			stage_broken("fork");
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
			fail_msg("%s: status %x", commands[i], (unsigned)status);
	}
	assert_int_not_equal(access("/etc/netns", F_OK), 0); /* ADD has undone its work */
	assert_int_not_equal(access("/run/pod-dns/net", F_OK), 0);
	assert_int_equal(stage_orphan(), 0); /* no child waits for the runtime's file */
}

/* What CHECK only reads may be on a read-only mount. */
static void checks_what_it_cannot_write(void **state UNUSED)
{
	static const char in[] =
		"{'cniVersion':'1.1.0','name':'net','type':'pod-dns','clusterDNS':['10.96.0.10'],"
		"'prevResult':{'cniVersion':'1.1.0','dns':{'nameservers':['10.96.0.10'],"
		"'search':['default.svc.cluster.local','svc.cluster.local','cluster.local',"
		"'node.example'],'options':['ndots:5']}}}";
	struct stage_result r;

	stage_netns("/run/netns/pod");
	stage_put(SBOX, OURS);
	call("ADD", "/run/netns/pod", CRI, in, &r);
	check_result(&r);
	stage_result_done(&r);
	bind_mount(SBOX, SBOX, MS_RDONLY);
	call("CHECK", "/run/netns/pod", CRI, in, &r);
	assert_int_equal(r.exit, 0);
	assert_string_equal(r.err.data ? r.err.data : "", "");
	stage_result_done(&r);
}

int main(void)
{
	struct CMUnitTest others[] = { cmocka_unit_test(makes_no_host_file) };
	struct CMUnitTest around[] = {
		cmocka_unit_test(minds_the_umask),
		cmocka_unit_test(tells_a_full_disk),
		cmocka_unit_test(checks_what_it_cannot_write),
	};

	return RUN_ROWS("container roots", rows, writes_or_not, STAGE) +
	       RUN_ROWS("runtimes' folders", traps, touches_nothing, STAGE) +
	       RUN_TESTS("host's folders", others, STAGE) +
	       RUN_ROWS("unopened", shies, opens_nothing, STAGE) +
	       RUN_TESTS("around", around, STAGE) + RUN_ROWS("stdin", floods, survives, STAGE);
}
