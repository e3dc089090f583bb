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

/* Watches the folder, or the nearest folder above it that exists. */
static void follow_folder(int inotify, const char *path)
{
	char folder[PATH_MAX];
	char *slash;

	(void)snprintf(folder, sizeof(folder), "%s", path);
	while ((slash = strrchr(folder, '/'))) {
		slash[slash == folder] = '\0';
		if (inotify_add_watch(inotify, folder, what) >= 0 || slash == folder)
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

static void follow_file(int inotify, const char *file)
{
	char path[PATH_MAX], real[PATH_MAX];

	if (*file != '/')
		return;
	(void)snprintf(path, sizeof(path), "%s", file);
	follow_folder(inotify, path);
	for (int i = 0; i < LINKS_MAX && read_link(path); i++)
		follow_folder(inotify, path);
	/* Folders may be links too, as in a mounted ConfigMap. */
	if (realpath(file, real))
		follow_folder(inotify, real);
}

static void follow_network(int inotify, const struct network *n)
{
	const struct conf *c = &n->conf.conf;

	if (c->config_file)
		follow_file(inotify, c->config_file);
	if (c->resolv_conf) {
		follow_file(inotify, c->resolv_conf);
		return;
	}
	follow_file(inotify, "/etc/resolv.conf");
	follow_file(inotify, "/run/systemd/resolve/resolv.conf");
}

bool apply_watch_follow(int inotify, const struct networks *all, struct err *e)
{
	if (inotify_add_watch(inotify, all->folder, what) < 0)
		return err_errno(e, ERR_IO, "%s", all->folder);
	for (size_t i = 0; i < all->n; i++)
		follow_network(inotify, &all->at[i]);
	return true;
}

static void drain_events(int fd)
{
	char events[4096];

	while (read(fd, events, sizeof(events)) > 0)
		;
}

bool apply_watch_wait(int inotify, struct err *e)
{
	struct pollfd on = { .fd = inotify, .events = POLLIN };
	int n = poll(&on, 1, TICK_MS);

	for (int i = 0; n > 0 && i < PATIENCE; i++) {
		drain_events(inotify);
		n = poll(&on, 1, QUIET_MS);
	}
	return n >= 0 || errno == EINTR || err_errno(e, ERR_IO, "poll");
}
