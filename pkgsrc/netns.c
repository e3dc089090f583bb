/* SPDX-License-Identifier: Apache-2.0 */
/* netns.c: which network namespace a path leads to. */
#include "netns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

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

bool netns_is(const char *path, struct file_id id)
{
	struct stat st;

	if (stat(path, &st) < 0) /* a path that cannot be looked at may exist */
		return errno != ENOENT && errno != ENOTDIR && errno != ESRCH;
	return file_same(file_id(&st), id) || !is_on_nsfs(path);
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
