/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <setjmp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include "rows.h"
#include "stage.h"

extern char **environ;

static pid_t container;

void stage_broken(const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	int err = errno;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	fail_msg("stage: %s (%s)", text, strerror(err));
	abort();
}

/*** files ***/

bool blob_read(const char *path, struct blob *b)
{
	FILE *f = fopen(path, "re");
	size_t got;

	*b = (struct blob){ NULL, 0 };
	if (!f)
		return false;
	do {
		b->data = realloc(b->data, b->size + 65537);
		assert_non_null(b->data);
		got = fread(b->data + b->size, 1, 65536, f);
		b->size += got;
	} while (got);
	b->data[b->size] = '\0';
	got = (size_t)ferror(f);
	(void)fclose(f);
	if (got) {
		free(b->data);
		*b = (struct blob){ NULL, 0 };
	}
	return !got;
}

int stage_memfd(const char *text)
{
	int fd = memfd_create("stage", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET) != 0)
		stage_broken("memfd");
	return fd;
}

struct blob stage_memfd_read(int fd)
{
	char path[64];
	struct blob b;

	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (!blob_read(path, &b))
		stage_broken("read %s", path);
	return b;
}

static void make_folders(const char *path)
{
	char part[PATH_MAX];

	if (strncmp(path, "/run/", 5) != 0 && strncmp(path, "/etc/", 5) != 0 &&
	    strncmp(path, "/var/lib/", 9) != 0)
		stage_broken("%s is outside of the stage", path);
	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		(void)snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			stage_broken("mkdir %s", part);
	}
}

void stage_write(const char *path, const void *data, size_t size)
{
	FILE *f;

	make_folders(path);
	f = fopen(path, "we");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
		stage_broken("write %s", path);
	if (chmod(path, 0644) < 0)
		stage_broken("chmod %s", path);
}

void stage_put(const char *path, const char *text)
{
	stage_write(path, text, strlen(text));
}

bool stage_has(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

void stage_holds(const char *path, const char *text)
{
	struct blob b;

	if (!blob_read(path, &b))
		stage_broken("read %s", path);
	assert_string_equal(b.data, text);
	free(b.data);
}

bool stage_is_awaited(const char *lock)
{
	char line[256], inode[32];
	bool found = false;
	struct stat st;
	FILE *locks;

	if (stat(lock, &st) < 0)
		return false;
	(void)snprintf(inode, sizeof inode, ":%lu ", (unsigned long)st.st_ino);
	locks = fopen("/proc/locks", "r");
	while (locks && fgets(line, sizeof line, locks))
		found = found || (strstr(line, "->") && strstr(line, inode));
	if (locks)
		(void)fclose(locks);
	return found;
}

void stage_link(const char *path, const char *to)
{
	make_folders(path);
	if (unlink(path) < 0 && errno != ENOENT)
		stage_broken("unlink %s", path);
	if (symlink(to, path) < 0)
		stage_broken("symlink %s", path);
}

static size_t laid_from; /* nftw() hands nothing to its callback */

static int lay(const char *path, const struct stat *st UNUSED, int type, struct FTW *ftw UNUSED)
{
	const char *place = path + laid_from;
	char to[PATH_MAX] = { 0 };
	struct blob b;

	if (type == FTW_SL || type == FTW_SLN) {
		if (readlink(path, to, sizeof to - 1) < 0)
			stage_broken("readlink %s", path);
		stage_link(place, to);
	} else if (type == FTW_F) {
		if (!blob_read(path, &b))
			stage_broken("read %s", path);
		stage_write(place, b.data, b.size);
		free(b.data);
	}
	return 0;
}

bool stage_lay(const char *folder)
{
	laid_from = strlen(folder);
	if (access(folder, F_OK) < 0)
		return false;
	if (nftw(folder, lay, 16, FTW_PHYS) < 0)
		stage_broken("walk %s", folder);
	return true;
}

/*** namespaces ***/

/* In a program of its own namespaces nothing that is mounted reaches the machine. */
int stage_enter(void **state UNUSED)
{
	static bool entered;

	if (entered)
		return 0;
	entered = true;
	if (geteuid() != 0) {
		(void)puts("needs root");
		exit(77); /* what tests/run knows as skipped */
	}
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		stage_broken("subreaper");
	if (unshare(CLONE_NEWNS | CLONE_NEWNET) < 0)
		stage_broken("namespaces of its own");
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		stage_broken("make / private");
	return 0;
}

static void fresh(const char *folder)
{
	if (mount("stage", folder, "tmpfs", 0, "mode=0755") < 0)
		stage_broken("tmpfs over %s", folder);
}

/*
 * /var/lib keeps showing what is there, since the tree or a library may live below it. The layer
 * above lies in a tmpfs that the stage's /run then covers.
 */
static void fresh_var_lib(void)
{
	static const char *const roots[] = { "/var/lib/containerd", "/var/lib/nerdctl",
					     "/var/lib/docker", "/var/lib/rancher" };

	fresh("/run");
	if (mkdir("/run/upper", 0755) < 0 || mkdir("/run/work", 0755) < 0)
		stage_broken("mkdir /run/upper");
	if (mount("stage", "/var/lib", "overlay", 0,
		  "lowerdir=/var/lib,upperdir=/run/upper,workdir=/run/work") < 0)
		stage_broken("overlay over /var/lib");
	for (size_t i = 0; i < LEN(roots); i++) {
		if (mkdir(roots[i], 0755) < 0 && errno != EEXIST)
			stage_broken("mkdir %s", roots[i]);
		fresh(roots[i]);
	}
}

int stage_setup(void **state UNUSED)
{
	struct blob cache;

	(void)blob_read("/etc/ld.so.cache", &cache);
	fresh_var_lib();
	fresh("/run");
	fresh("/etc");
	if (cache.data)
		stage_write("/etc/ld.so.cache", cache.data, cache.size);
	free(cache.data);
	stage_put("/etc/resolv.conf", STAGE_NODE_FILE);
	return 0;
}

/* A child that is no container of the stage's; 0: there is none. */
pid_t stage_orphan(void)
{
	char path[64];
	struct blob b;
	pid_t child;

	(void)snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
	if (!blob_read(path, &b))
		stage_broken("read %s", path);
	child = (pid_t)strtol(b.data, NULL, 10);
	free(b.data);
	return child;
}

void stage_kill_orphans(void)
{
	for (pid_t child; (child = stage_orphan()) > 0;)
		if (kill(child, SIGKILL) < 0 || waitpid(child, NULL, 0) < 0)
			stage_broken("kill");
}

int stage_teardown(void **state UNUSED)
{
	if (container > 0) {
		(void)kill(container, SIGKILL);
		(void)waitpid(container, NULL, 0);
		container = 0;
	}
	stage_kill_orphans();
	if (umount2("/etc", MNT_DETACH) < 0 || umount2("/run", MNT_DETACH) < 0 ||
	    umount2("/var/lib", MNT_DETACH) < 0 || umount2("/run", MNT_DETACH) < 0)
		stage_broken("umount");
	return 0;
}

/* Waits for what the child wrote when it was ready; false: it died before. */
static bool is_ready(int fd)
{
	char byte;
	ssize_t got = read(fd, &byte, 1);

	(void)close(fd);
	return got == 1;
}

void stage_netns(const char *path)
{
	pid_t child;
	int status;

	stage_put(path, "");
	child = fork();
	if (child == 0) {
		if (unshare(CLONE_NEWNET) < 0)
			_exit(1);
		_exit(mount("/proc/self/ns/net", path, NULL, MS_BIND, NULL) < 0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
		stage_broken("bind a network namespace to %s", path);
}

static void be_container(const char *root, int ready)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || unshare(CLONE_NEWNET) < 0)
		_exit(1);
	if (root && (unshare(CLONE_NEWNS) < 0 || chroot(root) < 0 || chdir("/") < 0))
		_exit(1);
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		(void)pause();
}

pid_t stage_container(const char *root)
{
	int ends[2];

	if (container || pipe2(ends, O_CLOEXEC) < 0)
		stage_broken("one container a test");
	container = fork();
	if (container == 0)
		be_container(root, ends[1]);
	(void)close(ends[1]);
	if (container < 0 || !is_ready(ends[0]))
		stage_broken("a container with the root %s", root ? root : "of the machine");
	return container;
}

/*** calls ***/

/* The three pipes of a running call, as the parent holds them; -1 where closed. */
struct talk {
	pid_t child;
	int in, out, err;
	size_t sent;
};

static void add_sanitizers(const char **env, size_t n, size_t max)
{
	for (char **e = environ; *e && n + 1 < max; e++)
		if (strncmp(*e, "ASAN_", 5) == 0 || strncmp(*e, "UBSAN_", 6) == 0 ||
		    strncmp(*e, "LSAN_", 5) == 0)
			env[n++] = *e;
	env[n] = NULL;
}

static void exec_plugin(const struct stage_call *call)
{
	const char *named = getenv("POD_DNS"), *program = named ? named : "build/pod-dns";
	const char *argv[8] = { program };
	const char *env[64];
	size_t n = 0;

	for (size_t i = 0; i < 6 && call->args && call->args[i]; i++)
		argv[i + 1] = call->args[i];
	if (call->mode == STDIN_CLOSED)
		(void)close(0);
	if (call->mode == STDIN_DIR) {
		(void)close(0);
		(void)open("/", O_RDONLY | O_DIRECTORY); /* the lowest free number: 0 */
	}
	for (; n < 48 && call->env[n]; n++)
		env[n] = call->env[n];
	add_sanitizers(env, n, LEN(env));
	(void)signal(SIGPIPE, SIG_DFL);
	(void)execve(program, (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	(void)dprintf(2, "%s: %s\n", program, strerror(errno));
	_exit(127);
}

static void start(const struct stage_call *call, struct talk *t)
{
	int in[2], out[2], err[2];

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
		stage_broken("pipes");
	(void)signal(SIGPIPE, SIG_IGN);
	t->child = fork();
	if (t->child == 0) {
		if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0)
			_exit(126);
		exec_plugin(call);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	(void)close(err[1]);
	t->in = in[1];
	t->out = out[0];
	t->err = err[0];
	if (fcntl(t->in, F_SETFL, O_NONBLOCK) < 0)
		stage_broken("fcntl");
}

static void shut(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

static void send_some(const struct stage_call *call, struct talk *t)
{
	const struct timespec pause_ = { 0, 2000000 };
	size_t left = call->in.size - t->sent;
	ssize_t n;

	if (call->mode == STDIN_CHUNKED && left > 0) {
		left = left < 37 ? left : 37;
		(void)nanosleep(&pause_, NULL);
	}
	n = left ? write(t->in, call->in.data + t->sent, left) : 0;
	if (n > 0)
		t->sent += (size_t)n;
	/* The end of file that the plugin waits for; or it ended without reading all. */
	if ((t->sent == call->in.size && call->mode != STDIN_OPEN) || (n < 0 && errno != EAGAIN))
		shut(&t->in);
}

static void take_some(int *fd, struct blob *b)
{
	ssize_t n;

	b->data = realloc(b->data, b->size + 65537);
	assert_non_null(b->data);
	n = read(*fd, b->data + b->size, 65536);
	if (n <= 0)
		shut(fd);
	else
		b->size += (size_t)n;
	b->data[b->size] = '\0';
}

static int64_t now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until both outputs are at their end; false: it took too long. */
static bool converse(const struct stage_call *call, struct talk *t, struct stage_result *r)
{
	const int64_t end = now_ms() + (int64_t)STAGE_SECONDS * 1000;

	while (t->out >= 0 || t->err >= 0) {
		bool more = t->in >= 0 && (t->sent < call->in.size || call->mode != STDIN_OPEN);
		struct pollfd p[] = { { more ? t->in : -1, POLLOUT, 0 },
				      { t->out, POLLIN, 0 },
				      { t->err, POLLIN, 0 } };

		if (now_ms() > end)
			return false;
		if (poll(p, 3, 100) < 0 && errno != EINTR)
			stage_broken("poll");
		if (p[0].revents)
			send_some(call, t);
		if (p[1].revents)
			take_some(&t->out, &r->out);
		if (p[2].revents)
			take_some(&t->err, &r->err);
	}
	return true;
}

void stage_run(const struct stage_call *call, struct stage_result *r)
{
	struct talk t = { 0 };
	bool in_time;
	int status;

	*r = (struct stage_result){ 0 };
	start(call, &t);
	in_time = converse(call, &t, r);
	if (!in_time)
		(void)kill(t.child, SIGKILL);
	if (waitpid(t.child, &status, 0) < 0)
		stage_broken("waitpid");
	r->exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (!in_time)
		r->exit = -1;
	shut(&t.in);
	shut(&t.out);
	shut(&t.err);
}

void stage_result_done(struct stage_result *r)
{
	free(r->out.data);
	free(r->err.data);
	*r = (struct stage_result){ 0 };
}

void stage_env(struct stage_env *env, const struct stage_cni *c)
{
	const char *const values[][2] = {
		{ "COMMAND", c->command },
		{ "CONTAINERID", c->id ? c->id : "c1" },
		{ "IFNAME", c->ifname ? c->ifname : "eth0" },
		{ "NETNS", c->netns ? c->netns : "/run/netns/pod" },
		{ "ARGS", c->args ? c->args : "" },
		{ "PATH", "/x" },
	};

	for (size_t i = 0; i < LEN(values); i++) {
		(void)snprintf(env->line[i], sizeof env->line[i], "CNI_%s=%s", values[i][0],
			       values[i][1]);
		env->at[i] = env->line[i];
	}
	env->at[LEN(values)] = NULL;
}

void stage_cni(const struct stage_cni *c, struct stage_result *r)
{
	struct stage_env env;
	struct stage_call call = { .env = env.at };

	stage_env(&env, c);
	call.in.data = strdup(rows_json(c->in));
	assert_non_null(call.in.data);
	call.in.size = strlen(call.in.data);
	stage_run(&call, r);
	free(call.in.data);
}

/*** faults ***/

void stage_on_call(unsigned number, unsigned action)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { LEN(rules), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		stage_broken("seccomp");
}
