/* SPDX-License-Identifier: Apache-2.0 */
/* sandbox.c: where a runtime keeps the resolv.conf of a pod on the host. */
#include "targets/sandbox.h"
#include "file.h"
#include "targets/helper.h"
#include "targets/inplace.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define CONTAINERD_PODS "/io.containerd.grpc.v1.cri/sandboxes"

/* Below each root the path is the same in 1.x and 2.x (getSandboxRootDir). */
static const char *const containerd_roots[] = {
	"/var/lib/containerd",
	"/var/lib/rancher/k3s/agent/containerd",
	"/var/lib/rancher/rke2/agent/containerd",
	"/var/lib/k0s/containerd",
};

/* CRI-O: <runroot>/<driver>-containers/… (ContainerRunDirectory). podman has the same path, but
 * writes the file again after ADD: so it is not a target there. */
static const char crio[] =
	"/run/containers/storage/overlay-containers/{containerID}/userdata/resolv.conf";

/* cri-dockerd: docker's ResolvConfPath. */
static const char docker[] = "/var/lib/docker/containers/{containerID}/resolv.conf";

bool sandbox_fill(char out[static PATH_MAX], const char *pattern, const char *container_id)
{
	static const char holder[] = "{containerID}";
	size_t used = 0;

	while (*pattern) {
		bool hold = strncmp(pattern, holder, strlen(holder)) == 0;
		const char *part = hold ? container_id : pattern;
		size_t len = hold ? strlen(container_id) : 1;

		if (used + len >= PATH_MAX)
			return false;
		memcpy(out + used, part, len);
		used += len;
		pattern += hold ? strlen(holder) : 1;
	}
	out[used] = '\0';
	return true;
}

enum sight { ABSENT, SEEN, HIDDEN /* the kernel does not let us look */ };

static enum sight look_at(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? ABSENT : HIDDEN;
	return S_ISREG(st.st_mode) ? SEEN : ABSENT;
}

bool sandbox_is_file(const char *path)
{
	return look_at(path) != ABSENT;
}

static bool below_root(char out[static PATH_MAX], const char *root, const char *container_id)
{
	return snprintf(out, PATH_MAX, "%s" CONTAINERD_PODS "/%s/resolv.conf", root, container_id) <
	       PATH_MAX;
}

/* The n-th place where it may be; false: that was the last place for this call. */
static bool known_place(char out[static PATH_MAX], size_t n, const char *container_id, bool cri)
{
	if (n < LEN(containerd_roots))
		return below_root(out, containerd_roots[n], container_id);
	if (n == LEN(containerd_roots))
		return cri && sandbox_fill(out, crio, container_id);
	return sandbox_fill(out, docker, container_id);
}

/* Prefers a file that can be seen to one that may be there. */
bool sandbox_find_known(char out[static PATH_MAX], const char *container_id, bool cri)
{
	const size_t none = LEN(containerd_roots) + 2;
	size_t hidden = none;

	for (size_t n = 0; n < none; n++) {
		enum sight sight = known_place(out, n, container_id, cri) ? look_at(out) : ABSENT;

		if (sight == SEEN)
			return true;
		if (sight == HIDDEN && hidden == none)
			hidden = n;
	}
	return hidden < none && known_place(out, hidden, container_id, cri);
}

/* containerd keeps <root>/io.containerd.metadata.v1.bolt/meta.db open, which reveals its root. out
 * is
 * "" where the parent is not containerd. */
static void reveal_root(char out[static PATH_MAX], int parent)
{
	static const char held[] = "/io.containerd.metadata.v1.bolt/meta.db";
	const struct dirent *entry;
	bool found = false;
	char fds[32];
	DIR *folder;

	(void)snprintf(fds, sizeof(fds), "/proc/%d/fd", parent);
	folder = opendir(fds);
	while (folder && !found && (entry = readdir(folder))) {
		ssize_t len = readlinkat(dirfd(folder), entry->d_name, out, PATH_MAX - 1);
		size_t root = len > (ssize_t)strlen(held) ? (size_t)len - strlen(held) : 0;

		found = root && memcmp(out + root, held, strlen(held)) == 0;
		out[root] = '\0';
	}
	if (folder)
		(void)closedir(folder);
	if (!found)
		*out = '\0';
}

static bool is_named(int process, const char *name)
{
	auto_text comm = TEXT_UP_TO(64);
	char path[32];

	(void)snprintf(path, sizeof(path), "/proc/%d/comm", process);
	return file_read(&comm, AT_FDCWD, path, true, NULL) &&
	       strncmp(comm.at, name, strlen(name)) == 0 && comm.at[strlen(name)] == '\n';
}

/* These runtimes write the file before ADD: if it is not there, it will not come. */
static bool writes_before(int parent)
{
	return is_named(parent, "crio") || is_named(parent, "cri-dockerd");
}

/* The first root that is in use, else the first that exists, else (on a fresh node) the usual one.
 */
static const char *likely_root(void)
{
	static const char *const signs[] = { "/io.containerd.metadata.v1.bolt", "" };
	char path[PATH_MAX];

	for (size_t sign = 0; sign < LEN(signs); sign++)
		for (size_t i = 0; i < LEN(containerd_roots); i++) {
			(void)snprintf(path, sizeof(path), "%s%s", containerd_roots[i],
				       signs[sign]);
			if (access(path, F_OK) == 0)
				return containerd_roots[i];
		}
	return containerd_roots[0];
}

/*
 * The place where containerd 2.x will put the file after ADD: below the root that the parent
 * process reveals, else below the likeliest of the known roots. False: the parent is a runtime that
 * writes before ADD.
 */
static bool expect_file(char out[static PATH_MAX], const char *root, const char *container_id,
			int parent)
{
	if (*root)
		return below_root(out, root, container_id);
	return !writes_before(parent) && below_root(out, likely_root(), container_id);
}

bool sandbox_is_storage_of(const char *path, const char *container_id)
{
	char end[PATH_MAX];

	return sandbox_fill(end, "-containers/{containerID}/userdata/resolv.conf", container_id) &&
	       *path == '/' && text_ends_with(path, end);
}

/*
 * The mount point, field 5 of a line of mountinfo, unless it holds an escape (proc(5)). Fields end
 * at blanks: other white space is not escaped.
 */
static bool mount_point(char out[static PATH_MAX], const char *line)
{
	char after;

	_Static_assert(PATH_MAX == 4096, "the width below");
	return sscanf(line, "%*[^ ] %*[^ ] %*[^ ] %*[^ ] %4095[^ \n]%c", out, &after) == 2 &&
	       after == ' ' && !strchr(out, '\\');
}

/* A local user can have fusermount mount something, but not a tmpfs. */
static bool is_tmpfs(const char *line)
{
	static const char type[] = " - tmpfs ";

	return memmem(line, strcspn(line, "\n"), type, strlen(type)) != NULL;
}

/*
 * CRI-O mounts …/ID/userdata/shm beside the file before ADD (SetupShm), which reveals its root. To
 * be called only if CRI-O is the parent.
 */
static bool find_mounted(char out[static PATH_MAX], const char *container_id)
{
	enum { MOUNTINFO_MAX = 64 << 20 };
	auto_text mounts = TEXT_UP_TO(MOUNTINFO_MAX);
	char tail[512];

	(void)snprintf(tail, sizeof(tail), "/%.300s/userdata/shm", container_id);
	if (!file_read(&mounts, AT_FDCWD, "/proc/self/mountinfo", true, NULL))
		return false;
	for (const char *at = mounts.at; (at = strstr(at, tail)); at++) {
		const char *lf = memrchr(mounts.at, '\n', (size_t)(at - mounts.at));
		const char *line = lf ? lf + 1 : mounts.at;

		if (!is_tmpfs(line) || !mount_point(out, line) || !text_ends_with(out, tail) ||
		    strlen(out) + sizeof("resolv.conf") > PATH_MAX)
			continue;
		memcpy(out + strlen(out) - strlen("shm"), "resolv.conf", sizeof("resolv.conf"));
		if (sandbox_is_file(out))
			return true;
	}
	return false;
}

/*
 * nerdctl: <dataroot>/<hash of containerd's address>/containers/NAMESPACE/CID/resolv.conf, and its
 * CNI_CONTAINERID is NAMESPACE-CID.
 */
static bool find_nerdctl(char out[static PATH_MAX], const char *container_id)
{
	const char *dash = strrchr(container_id, '-');
	char pattern[PATH_MAX];
	glob_t found = { 0 };
	bool one;

	if (!dash || dash == container_id || !dash[1])
		return false;
	(void)snprintf(pattern, sizeof(pattern),
		       "/var/lib/nerdctl/*/containers/%.*s/%s/resolv.conf",
		       (int)(dash - container_id), container_id, dash + 1);
	one = glob(pattern, GLOB_NOSORT, NULL, &found) == 0 && found.gl_pathc == 1 &&
	      strlen(found.gl_pathv[0]) < PATH_MAX && sandbox_is_file(found.gl_pathv[0]);
	if (one)
		memcpy(out, found.gl_pathv[0], strlen(found.gl_pathv[0]) + 1);
	globfree(&found);
	return one;
}

/* A file that only the parent process tells of. */
static bool find_by_parent(char out[static PATH_MAX], const char *root, const char *container_id,
			   int parent)
{
	return (*root && below_root(out, root, container_id) && sandbox_is_file(out)) ||
	       (is_named(parent, "crio") && find_mounted(out, container_id));
}

/*** what was found, held ***/

struct sandbox_file sandbox_hold(const char *path, const char *node, struct arena *a)
{
	struct sandbox_file file = { .path = path, .fd = -1 };
	struct err fault = { 0 };

	if (!path || !sandbox_is_file(path))
		return SANDBOX_FILE_NONE;
	file.fd = inplace_find(path, node, &fault);
	if (file.fd < 0)
		file.why = arena_print(a, "%s", fault.text);
	return file;
}

/* The search of sandbox_open_timeout(). */
struct search {
	const char *named, *container_id, *node;
	struct arena *arena;
};

static struct sandbox_file search_file(const struct search *s)
{
	char known[PATH_MAX];

	if (s->container_id && !(s->named && sandbox_is_file(s->named)) &&
	    sandbox_find_known(known, s->container_id, true))
		return sandbox_hold(arena_print(s->arena, "%s", known), s->node, s->arena);
	return sandbox_hold(s->named, s->node, s->arena);
}

/* In a helper: all that its caller will ask of the file system. */
static bool try_search(void *context, char request UNUSED, struct err *e UNUSED)
{
	const struct search *s = context;
	auto_sandbox_file file = SANDBOX_FILE_NONE;
	struct inplace f = INPLACE_NONE;

	helper_queue(s->named ? s->named : s->container_id);
	file = search_file(s);
	if (file.fd >= 0 && inplace_look(&f, file.fd, file.path, NULL))
		inplace_close(&f);
	return true;
}

struct sandbox_file sandbox_open_timeout(const char *named, const char *container_id,
					 const char *node, struct arena *a)
{
	const char *path = named ? arena_print(a, "%s", named) : NULL;
	struct search search = { path, container_id, node, a };
	struct helper helper = HELPER_NONE;
	struct err fault = { 0 };
	bool answered;

	if (!named && !container_id)
		return SANDBOX_FILE_NONE;
	answered = helper_start(&helper, path ? path : container_id, try_search, &search, &fault) &&
		   helper_ask(&helper, 0, &fault);

	helper_end(&helper);
	if (answered)
		return search_file(&search);
	return (struct sandbox_file){
		.path = path ? path : "",
		.fd = -1,
		.why = arena_print(a, "%s", fault.text),
	};
}

struct sandbox_file sandbox_open_now(const char *named, const char *container_id, struct arena *a)
{
	const char *path = named ? arena_print(a, "%s", named) : NULL;

	return search_file(&(struct search){ path, container_id, NULL, a });
}

static void hold_template(struct sandbox *s, const struct conf *c, struct arena *a)
{
	char path[PATH_MAX];
	json_t *target;
	size_t i;

	json_array_foreach (c->targets, i, target) {
		const char *pattern = json_string_value(target);

		if (s->templated.fd < 0 && *pattern == '/' &&
		    sandbox_fill(path, pattern, s->container_id))
			s->templated = sandbox_hold(arena_print(a, "%s", path), s->node_file, a);
	}
}

void sandbox_locate(struct sandbox *s, const struct conf *c, const char *container_id, bool cri,
		    int parent, struct arena *a)
{
	bool found;
	char path[PATH_MAX], root[PATH_MAX];

	*s = SANDBOX_NONE;
	s->container_id = container_id;
	s->cri = cri;
	s->node_file = c->resolv_conf;
	found = sandbox_find_known(path, container_id, cri) || find_nerdctl(path, container_id);
	if (!found && cri) {
		reveal_root(root, parent);
		found = find_by_parent(path, root, container_id, parent);
		if (!found && expect_file(path, root, container_id, parent))
			s->expected = arena_print(a, "%s", path);
	}
	if (found)
		s->runtimes = sandbox_hold(arena_print(a, "%s", path), s->node_file, a);
	hold_template(s, c, a);
}

const struct sandbox_file *sandbox_input(const struct sandbox *s)
{
	if (s->templated.fd >= 0)
		return &s->templated;
	return s->runtimes.path ? &s->runtimes : NULL;
}

void sandbox_file_done(struct sandbox_file *file)
{
	if (file->fd >= 0)
		(void)close(file->fd);
	*file = SANDBOX_FILE_NONE;
}

void sandbox_done(struct sandbox *s)
{
	sandbox_file_done(&s->runtimes);
	sandbox_file_done(&s->templated);
	*s = SANDBOX_NONE;
}
