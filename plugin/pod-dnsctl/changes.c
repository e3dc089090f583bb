/* SPDX-License-Identifier: Apache-2.0 */
/* changes.c: waits until a record of the node is made, changed or removed. */
#include "pod-dnsctl/changes.h"
#include "state/record.h"

#include <errno.h>
#include <poll.h>
#include <sys/inotify.h>

enum { QUIET = 200 /* ms */ };

static const uint32_t what = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE;

/* Watches the folders of networks; those that are watched stay so. */
static bool watch_paths(const struct changes *c, struct err *e)
{
	auto_rundir r = RUNDIR_NONE;
	struct rundir_list names;
	struct arena a = { 0 };

	if (!rundir_open(&r, true, e))
		return false;
	if (inotify_add_watch(c->fd, RUNDIR, what | IN_ONLYDIR) < 0)
		return err_errno(e, ERR_IO, RUNDIR);
	(void)rundir_list(&names, &r, ".", &a);
	for (size_t i = 0; i < names.n; i++)
		if (*names.at[i] != '.')
			(void)inotify_add_watch(c->fd, arena_print(&a, RUNDIR "/%s", names.at[i]),
						what | IN_ONLYDIR);
	arena_done(&a);
	return true;
}

bool changes_begin(struct changes *c, struct err *e)
{
	c->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (c->fd < 0)
		return err_errno(e, ERR_IO, "inotify");
	return watch_paths(c, e);
}

/* Whether a record changed. The lock and the stamp of a sweep, whose names begin with a dot, do not
 * count. */
static bool read_changes(const struct changes *c)
{
	_Alignas(struct inotify_event) char buffer[4096];
	bool news = false;
	ssize_t len;

	while ((len = read(c->fd, buffer, sizeof(buffer))) > 0)
		for (const char *at = buffer; at < buffer + len;) {
			const struct inotify_event *event = (const void *)at;

			news |= !event->len || *event->name != '.';
			at += sizeof(*event) + event->len;
		}
	return news;
}

bool changes_wait(struct changes *c, struct err *e)
{
	struct pollfd on = { .fd = c->fd, .events = POLLIN };
	bool news = false;
	int n;

	do {
		n = poll(&on, 1, news ? QUIET : -1);
		if (n < 0 && errno != EINTR)
			return err_errno(e, ERR_IO, "poll");
		if (n > 0)
			news |= read_changes(c);
	} while (!news || n > 0);
	return watch_paths(c, e); /* there may be a new network */
}

void changes_done(struct changes *c)
{
	if (c->fd >= 0)
		(void)close(c->fd);
	*c = CHANGES_NONE;
}
