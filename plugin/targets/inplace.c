/* inplace.c: a resolv.conf that is somebody else's file, opened with care and rewritten in place.
 */
#include "targets/inplace.h"
#include "targets/hostfile.h"
#include "targets/safepath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/*** what may be written ***/

static bool check_kind(struct stat *st, int fd, const char *path, struct err *e)
{
	if (fstat(fd, st) < 0)
		return err_errno(e, ERR_TARGET, "%s", path);
	if (!S_ISREG(st->st_mode))
		return err_set(e, ERR_TARGET, "%s: not a regular file", path);
	if (st->st_nlink != 1)
		return err_set(e, ERR_TARGET, "%s: has %lu names", path,
			       (unsigned long)st->st_nlink);
	if (st->st_size > INPLACE_MAX)
		return err_set(e, ERR_TARGET, "%s: longer than %d bytes", path, INPLACE_MAX);
	return true;
}

static bool check_file(int fd, const char *path, const char *node, struct err *e)
{
	struct stat st;

	if (!check_kind(&st, fd, path, e))
		return false;
	if (hostfile_is(file_id(&st), node))
		return err_set(e, ERR_TARGET, "%s: is the host's own resolver file", path);
	return true;
}

static bool adopt(struct inplace *f, int *fd, const char *path, struct err *e)
{
	f->old = TEXT_UP_TO(INPLACE_MAX);
	if (!file_read_fd(&f->old, *fd, path, e)) {
		text_done(&f->old);
		return false;
	}
	f->fd = take_fd(fd);
	return true;
}

/*
 * Opens what an O_PATH descriptor has found, for writing (O_RDWR) or for a look (O_RDONLY): the
 * opening of a device or a FIFO has effects of its own, and a container's root may have any in the
 * file's place.
 */
static bool reopen(struct inplace *f, int found, int access, const char *path, struct err *e)
{
	auto_fd fd = -1;
	struct stat st;
	char self[64];

	if (!check_kind(&st, found, path, e))
		return false;
	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", found);
	fd = open(self, access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(e, ERR_TARGET, "%s", path);
	return adopt(f, &fd, path, e);
}

int inplace_find(const char *path, const char *node, struct err *e)
{
	auto_fd found = safepath_open(path, e);

	return found >= 0 && check_file(found, path, node, e) ? take_fd(&found) : -1;
}

bool inplace_open(struct inplace *f, int found, const char *path, struct err *e)
{
	return reopen(f, found, O_RDWR, path, e);
}

bool inplace_look(struct inplace *f, int found, const char *path, struct err *e)
{
	return reopen(f, found, O_RDONLY, path, e);
}

/*** a container's root ***/

bool inplace_is_proc(const char *path)
{
	size_t digits;

	if (strncmp(path, "/proc/", 6) != 0)
		return false;
	digits = strspn(path + 6, "0123456789");
	return digits && strcmp(path + 6 + digits, "/ns/net") == 0;
}

/* Whether /proc/PID/WHAT of the process leads where the plugin's own does. */
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

/* Pins the process: from here on a recycled PID cannot mislead. The caller closes. */
static int open_process(const char *netns_path, const struct file_id *netns, struct err *e)
{
	char path[32];
	auto_fd process = -1;
	struct stat st;

	(void)snprintf(path, sizeof(path), "%.*s", (int)(strlen(netns_path) - strlen("/ns/net")),
		       netns_path);
	process = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (process < 0 || fstatat(process, "ns/net", &st, 0) < 0) {
		(void)err_errno(e, ERR_TARGET, "%s", path);
		return -1;
	}
	if (!file_same(file_id(&st), *netns)) {
		(void)err_set(e, ERR_TARGET, "%s: another process by now", path);
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

/* glibc 2.36 has no wrapper. */
static int open_inside(int root, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

/* A link may lead to another file of the container's: only one of this name is a resolver file. */
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

static bool create_inside(struct inplace *f, int root, struct err *e)
{
	auto_fd folder = open_inside(root, "etc", O_PATH | O_DIRECTORY), fd = -1;
	struct stat st;

	if (folder < 0 || fstat(folder, &st) < 0)
		return err_errno(e, ERR_TARGET, "rootfs: /etc");
	if (hostfile_is_folder(file_id(&st)))
		return err_set(e, ERR_TARGET, "rootfs: /etc is the host's own");
	fd = openat(folder, "resolv.conf", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0644);
	if (fd < 0)
		return err_errno(e, ERR_TARGET, "rootfs: /etc/resolv.conf");
	f->folder = take_fd(&folder);
	f->old = TEXT_UP_TO(INPLACE_MAX);
	f->fd = take_fd(&fd);
	if (fchmod(f->fd, 0644) == 0)
		return true;
	(void)err_errno(e, ERR_TARGET, "rootfs: /etc/resolv.conf");
	inplace_undo(f);
	return false;
}

/* With O_CREAT in `flags` it is made where it is absent. */
static bool open_in_root(struct inplace *f, int flags, const char *netns_path,
			 const struct file_id *netns, const char *node, struct err *e)
{
	static const char path[] = "rootfs: /etc/resolv.conf";
	auto_fd process = open_process(netns_path, netns, e), root = -1, found = -1;

	if (process < 0)
		return false;
	root = open_root(process, e);
	if (root < 0)
		return false;
	found = open_inside(root, "etc/resolv.conf", O_PATH);
	if (found < 0 && errno == ENOENT && (flags & O_CREAT))
		return create_inside(f, root, e);
	if (found < 0)
		return err_errno(e, ERR_TARGET, "%s", path);
	if (!is_named_resolv_conf(found))
		return err_set(e, ERR_TARGET, "%s: a link to a file of another name", path);
	return check_file(found, path, node, e) && reopen(f, found, flags & O_ACCMODE, path, e);
}

bool inplace_open_rootfs(struct inplace *f, const char *netns_path, const struct file_id *netns,
			 const char *node, bool create, struct err *e)
{
	return open_in_root(f, O_RDWR | (create ? O_CREAT : 0), netns_path, netns, node, e);
}

bool inplace_look_rootfs(struct inplace *f, const char *netns_path, const struct file_id *netns,
			 struct err *e)
{
	return open_in_root(f, O_RDONLY, netns_path, netns, NULL, e);
}

/*** writing ***/

bool inplace_write(struct inplace *f, const char *text, bool readers, struct err *e)
{
	struct text wanted = { .at = (char *)text, .len = strlen(text) };

	if (wanted.len == f->old.len && memcmp(f->old.at ? f->old.at : "", text, wanted.len) == 0)
		return true;
	f->written = true;
	if (file_rewrite(f->fd, &f->old, &wanted, readers, e))
		return true;
	f->written = false; /* the old text is back */
	if (f->folder >= 0)
		inplace_undo(f);
	return false;
}

void inplace_undo(struct inplace *f)
{
	struct text now = TEXT_UP_TO(INPLACE_MAX);
	struct err ignored = { 0 };

	if (f->folder >= 0)
		(void)unlinkat(f->folder, "resolv.conf", 0);
	else if (f->written && lseek(f->fd, 0, SEEK_SET) == 0 &&
		 file_read_fd(&now, f->fd, "", &ignored))
		(void)file_rewrite(f->fd, &now, &f->old, false, &ignored);
	f->written = false;
	text_done(&now);
}

void inplace_close(struct inplace *f)
{
	if (f->fd >= 0)
		(void)close(f->fd);
	if (f->folder >= 0)
		(void)close(f->folder);
	text_done(&f->old);
	*f = INPLACE_NONE;
}
