/* SPDX-License-Identifier: Apache-2.0 */
/* rootfs.c: /etc/resolv.conf inside the root of the process in /proc/PID/ns/net. */
#include "targets/rootfs.h"
#include "targets/hostfile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define RESOLV_CONF "rootfs: /etc/resolv.conf"

bool rootfs_is_proc(const char *path)
{
	size_t digits;

	if (strncmp(path, "/proc/", 6) != 0)
		return false;
	digits = strspn(path + 6, "0123456789");
	return digits && strcmp(path + 6 + digits, "/ns/net") == 0;
}

/*** the root ***/

/* Whether /proc/PID/WHAT of the process is the same as the plugin's own. */
static bool shares(int process, const char *what, bool *shared, struct err *e)
{
	char own[64];
	struct stat theirs, ours;

	(void)snprintf(own, sizeof(own), "/proc/self/%s", what);
	if (fstatat(process, what, &theirs, 0) < 0 || stat(own, &ours) < 0)
		return err_errno(e, ERR_TARGET, "/proc/PID/%s", what);
	*shared = file_same(file_id(&theirs), file_id(&ours));
	return true;
}

/* Opens /proc/PID, which a later process of that PID does not get. The caller closes. */
static int open_process(const struct pod_netns *netns, struct err *e)
{
	char path[32];
	auto_fd process = -1;
	struct stat st;

	(void)snprintf(path, sizeof(path), "%.*s", (int)(strlen(netns->path) - strlen("/ns/net")),
		       netns->path);
	process = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (process < 0 || fstatat(process, "ns/net", &st, 0) < 0) {
		(void)err_errno(e, ERR_TARGET, "%s", path);
		return -1;
	}
	if (!file_same(file_id(&st), netns->id)) {
		(void)err_set(e, ERR_TARGET, "%s: another process has this PID now", path);
		return -1;
	}
	return take_fd(&process);
}

/* Opens the root of a process that shares neither mounts nor root with the host; -1: refused. */
static int open_root(int process, struct err *e)
{
	auto_fd fd = openat(process, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat theirs, ours;
	bool mounts = true;

	if (!shares(process, "ns/mnt", &mounts, e))
		return -1;
	if (fd < 0 || fstat(fd, &theirs) < 0 || stat("/proc/self/root", &ours) < 0) {
		(void)err_errno(e, ERR_TARGET, "rootfs");
		return -1;
	}
	if (mounts || file_same(file_id(&theirs), file_id(&ours))) {
		(void)err_set(e, ERR_TARGET,
			      "rootfs: the process has the host's %s: not a container's root",
			      mounts ? "mounts" : "root");
		return -1;
	}
	return take_fd(&fd);
}

/* glibc 2.36 does not have a wrapper. */
static int open_inside(int root, const char *path, int flags, unsigned resolve)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS | resolve,
	};

	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

/* A link of the container's may lead anywhere in it: only a file of this name is written. */
static bool is_named_resolv_conf(int fd)
{
	char self[64], path[4096];
	const char *name;
	ssize_t len;

	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	len = readlink(self, path, sizeof(path) - 1);
	if (len < 0)
		return false;
	path[len] = '\0';
	name = strrchr(path, '/');
	return name && strcmp(name + 1, "resolv.conf") == 0;
}

/*** the file ***/

/* The helper's state. */
struct rootfs {
	const struct pod_netns *netns;
	const char *node, *text;
	struct inplace file;
	int folder;   /* where the file will be made; -1: it exists */
	bool created; /* by us, in `folder` */
};

/*
 * The folder for a file that does not exist. It must be on the root's own file system: a link in
 * the image may lead into a folder of the host's that is mounted below the root.
 */
static bool open_folder(struct rootfs *r, int root, struct err *e)
{
	auto_fd folder = open_inside(root, "etc", O_PATH | O_DIRECTORY, RESOLVE_NO_XDEV);
	struct stat st;

	if (folder < 0 && errno == EXDEV)
		return err_set(e, ERR_TARGET,
			       "rootfs: /etc is not on the container's own root file system: "
			       "no resolv.conf is made there");
	if (folder < 0 || fstat(folder, &st) < 0)
		return err_errno(e, ERR_TARGET, "rootfs: /etc");
	if (hostfile_is_folder(file_id(&st)))
		return err_set(e, ERR_TARGET, "rootfs: /etc is the host's own");
	r->folder = take_fd(&folder);
	return true;
}

static bool open_file(struct rootfs *r, bool looks, struct err *e)
{
	auto_fd process = open_process(r->netns, e), root = -1, found = -1;

	if (process < 0)
		return false;
	root = open_root(process, e);
	if (root < 0)
		return false;
	found = open_inside(root, "etc/resolv.conf", O_PATH, 0);
	if (found < 0 && errno == ENOENT && !looks)
		return open_folder(r, root, e);
	if (found < 0)
		return err_errno(e, ERR_TARGET, RESOLV_CONF);
	if (!is_named_resolv_conf(found))
		return err_set(e, ERR_TARGET, RESOLV_CONF ": a link to a file of another name");
	if (looks)
		return inplace_look(&r->file, found, RESOLV_CONF, e);
	return inplace_check(found, RESOLV_CONF, r->node, e) &&
	       inplace_open(&r->file, found, RESOLV_CONF, e);
}

static bool is_still_ours(const struct rootfs *r)
{
	struct stat there, ours;

	return fstatat(r->folder, "resolv.conf", &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstat(r->file.fd, &ours) == 0 && file_same(file_id(&there), file_id(&ours));
}

static void undo(struct rootfs *r)
{
	if (!r->created)
		inplace_undo(&r->file);
	else if (is_still_ours(r))
		(void)unlinkat(r->folder, "resolv.conf", 0);
}

static bool create_file(struct rootfs *r, struct err *e)
{
	r->file.fd = openat(r->folder, "resolv.conf",
			    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (r->file.fd < 0)
		return err_errno(e, ERR_TARGET, RESOLV_CONF);
	r->created = true;
	r->file.old = TEXT_UP_TO(INPLACE_MAX);
	return true;
}

/* Another ADD may have made or written the file since it was opened. */
static bool take_file(struct rootfs *r, struct err *e)
{
	if (r->folder < 0)
		return inplace_refresh(&r->file, RESOLV_CONF, e);
	if (faccessat(r->folder, "resolv.conf", F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return create_file(r, e);
	(void)close(r->folder);
	r->folder = -1;
	return open_file(r, false, e);
}

static bool write_in_root(struct rootfs *r, struct err *e)
{
	if (take_file(r, e) && inplace_write(&r->file, r->text, false, e))
		return true;
	if (r->created)
		undo(r);
	return false;
}

static bool check_file(struct rootfs *r, struct err *e)
{
	if (!open_file(r, true, e))
		return false;
	return (r->file.old.at && text_same_lines(r->file.old.at, r->text)) ||
	       err_set(e, ERR_TARGET, RESOLV_CONF ": not as ADD left it");
}

/*** the helper ***/

enum { OPEN = 'o', WRITE = 'w', CHECK = 'c' };

/*
 * Two ADDs of a pod may run at once. The lock of the run folder must not be held for work that may
 * hang: the whole node would wait for it. A workload that keeps the lock of its namespace is
 * unserved.
 */
static bool take_turn(int *turn, const struct rootfs *r, struct err *e)
{
	auto_fd fd = open(r->netns->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || flock(fd, LOCK_EX) < 0)
		return err_errno(e, ERR_TARGET, "%s", r->netns->path);
	*turn = take_fd(&fd);
	return true;
}

static bool do_request(void *context, char request, struct err *e)
{
	struct rootfs *r = context;
	auto_fd turn = -1;

	if ((request == WRITE || request == INPLACE_UNDO) && !take_turn(&turn, r, e))
		return false;
	switch (request) {
	case OPEN:
		return open_file(r, false, e);
	case WRITE:
		return write_in_root(r, e);
	case CHECK:
		return check_file(r, e);
	case INPLACE_UNDO:
		undo(r);
		return true;
	default:
		return err_set(e, ERR_TARGET, "helper: %c", request);
	}
}

static bool start(struct helper *helper, char request, struct rootfs *r, struct err *e)
{
	if (!helper_start(helper, RESOLV_CONF, do_request, r, e))
		return false;
	if (helper_ask(helper, request, e))
		return true;
	helper_end(helper);
	return false;
}

bool rootfs_open(struct inplace *f, const struct pod_netns *netns, const char *node,
		 const char *text, struct err *e)
{
	struct rootfs r = { netns, node, text, INPLACE_NONE, -1, false };

	return start(&f->helper, OPEN, &r, e);
}

bool rootfs_write(struct inplace *f, struct err *e)
{
	return helper_ask(&f->helper, WRITE, e);
}

bool rootfs_check(const struct pod_netns *netns, const char *text, struct err *e)
{
	struct rootfs r = { netns, NULL, text, INPLACE_NONE, -1, false };
	struct helper helper = HELPER_NONE;
	bool same = start(&helper, CHECK, &r, e);

	helper_end(&helper);
	return same;
}
