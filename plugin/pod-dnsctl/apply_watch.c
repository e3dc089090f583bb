/* SPDX-License-Identifier: Apache-2.0 */
/* apply_watch.c: waits until something that pods are computed from may have changed. */
#include "pod-dnsctl/apply_watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Events come in groups. Other files of /etc may change all the time: so not for ever. */
enum { QUIET_MS = 100, PATIENCE = 3, TICK_MS = 60 * 1000, LINKS_MAX = 16 };

static const uint32_t what = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE |
			     IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

bool apply_watch_begin(struct apply_watch *watch, struct err *e)
{
	watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	return watch->fd >= 0 || err_errno(e, ERR_IO, "inotify");
}

/* Watches the folder, or the nearest folder above it that exists. */
static void follow_folder(const struct apply_watch *watch, const char *path)
{
	char folder[PATH_MAX];
	char *slash;

	(void)snprintf(folder, sizeof(folder), "%s", path);
	while ((slash = strrchr(folder, '/'))) {
		slash[slash == folder] = '\0';
		if (inotify_add_watch(watch->fd, folder, what) >= 0 || slash == folder)
			return;
	}
}

/* Replaces `path` by where that link leads; false: it is no link. */
static bool read_link(char path[static PATH_MAX])
{
	char to[PATH_MAX], next[2 * PATH_MAX];
	ssize_t len = readlink(path, to, sizeof(to) - 1);
	int folder = (int)(strrchr(path, '/') - path) + 1;

	if (len <= 0)
		return false;
	to[len] = '\0';
	(void)snprintf(next, sizeof(next), "%.*s%s", *to == '/' ? 0 : folder, path, to);
	if (strlen(next) >= PATH_MAX)
		return false;
	memcpy(path, next, strlen(next) + 1);
	return true;
}

static void follow_file(const struct apply_watch *watch, const char *file)
{
	char path[PATH_MAX], real[PATH_MAX];

	if (*file != '/')
		return;
	(void)snprintf(path, sizeof(path), "%s", file);
	follow_folder(watch, path);
	for (int i = 0; i < LINKS_MAX && read_link(path); i++)
		follow_folder(watch, path);
	/* Folders may be links too, as in a mounted ConfigMap. */
	if (realpath(file, real))
		follow_folder(watch, real);
}

static void follow_network(const struct apply_watch *watch, const struct network *n)
{
	const struct conf *c = &n->conf.conf;

	if (c->config_file)
		follow_file(watch, c->config_file);
	if (c->resolv_conf) {
		follow_file(watch, c->resolv_conf);
		return;
	}
	follow_file(watch, "/etc/resolv.conf");
	follow_file(watch, "/run/systemd/resolve/resolv.conf");
}

bool apply_watch_follow(const struct apply_watch *watch, const struct networks *all, struct err *e)
{
	if (inotify_add_watch(watch->fd, all->folder, what) < 0)
		return err_errno(e, ERR_IO, "%s", all->folder);
	for (size_t i = 0; i < all->n; i++)
		follow_network(watch, &all->at[i]);
	return true;
}

static void drain_events(int fd)
{
	char events[4096];

	while (read(fd, events, sizeof(events)) > 0)
		;
}

bool apply_watch_wait(const struct apply_watch *watch, struct err *e)
{
	struct pollfd on = { .fd = watch->fd, .events = POLLIN };
	int n = poll(&on, 1, TICK_MS);

	for (int i = 0; n > 0 && i < PATIENCE; i++) {
		drain_events(watch->fd);
		n = poll(&on, 1, QUIET_MS);
	}
	return n >= 0 || errno == EINTR || err_errno(e, ERR_IO, "poll");
}

void apply_watch_done(struct apply_watch *watch)
{
	if (watch->fd >= 0)
		(void)close(watch->fd);
	*watch = APPLY_WATCH_NONE;
}
