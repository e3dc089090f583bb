/* SPDX-License-Identifier: Apache-2.0 */
/* netns.c: which network namespace a path leads to. */
#include "netns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71 /* asm-generic/socket.h */
#endif

bool netns_own(struct file_id *id, struct err *e)
{
	struct stat st;

	if (stat("/proc/self/ns/net", &st) < 0)
		return err_errno(e, ERR_IO, "/proc/self/ns/net");
	*id = file_id(&st);
	return true;
}

bool netns_is_nodes(struct file_id id)
{
	struct file_id own = { 0 };
	struct stat st;

	if (!netns_own(&own, NULL) || file_same(own, id))
		return true;
	return stat("/proc/1/ns/net", &st) == 0 && file_same(file_id(&st), id);
}

static bool identify(struct file_id *id, int fd, const char *path, struct err *e)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(e, ERR_IO, "%s", path);
	if (ioctl(fd, NS_GET_NSTYPE) != CLONE_NEWNET)
		return err_set(e, ERR_IO, "%s: not a network namespace", path);
	*id = file_id(&st);
	return true;
}

int netns_open(struct file_id *id, const char *path, struct err *e)
{
	/* O_NONBLOCK: the path may be a FIFO by mistake. */
	auto_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return identify(id, fd, path, e) ? take_fd(&fd) : -1;
}

/* False for a plain file, on which the namespace may be mounted in another mount namespace. */
static bool is_on_nsfs(const char *path)
{
	struct statfs fs;

	return statfs(path, &fs) == 0 && fs.f_type == NSFS_MAGIC;
}

static bool read_cookie(void *context, struct err *e UNUSED)
{
	auto_fd fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	uint64_t *cookie = context;
	socklen_t len = sizeof(*cookie);

	return fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, cookie, &len) == 0;
}

uint64_t netns_cookie(int fd)
{
	uint64_t cookie = 0;

	return fd >= 0 && netns_do(fd, read_cookie, &cookie, NULL) ? cookie : 0;
}

static bool has_cookie(const char *path, uint64_t cookie)
{
	auto_fd fd = cookie ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	uint64_t now = netns_cookie(fd);

	return !now || now == cookie;
}

bool netns_is(const char *path, struct file_id id, uint64_t cookie)
{
	struct stat st;

	if (stat(path, &st) < 0) /* a path that cannot be looked at may exist */
		return errno != ENOENT && errno != ENOTDIR && errno != ESRCH;
	return file_same(file_id(&st), id) ? has_cookie(path, cookie) : !is_on_nsfs(path);
}

bool netns_do(int netns_fd, netns_action *act, void *context, struct err *e)
{
	static bool astray;
	auto_fd own = -1;
	bool done;

	if (astray)
		return err_set(e, ERR_NETNS, "still in the network namespace of a pod");
	if (netns_fd < 0)
		return act(context, e);
	own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (own < 0)
		return err_errno(e, ERR_NETNS, "/proc/self/ns/net");
	if (setns(netns_fd, CLONE_NEWNET) < 0)
		return err_errno(e, ERR_NETNS, "entering the network namespace");
	done = act(context, e);
	astray = setns(own, CLONE_NEWNET) < 0;
	return astray ? err_errno(e, ERR_NETNS, "leaving the network namespace") : done;
}
