/* SPDX-License-Identifier: Apache-2.0 */
/* turn.c: who may change a folder of networks, and whether pod-dns is installed there. */
#include "pod-dnsctl/install/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>

enum { TRIES = 1200, TRY_MS = 50, NOTE_AFTER = 20 /* tries */, SETTLE_MS = 200 };

static const char mark[] = "pod-dns is installed here: pod-dnsctl(8)\n";

/*** the lock ***/

/* A process of another user could hold the lock of a file that it can open. */
static bool check_lock_file(const struct turn *t, const struct stat *st, struct err *e)
{
	if (!S_ISREG(st->st_mode))
		return err_set(e, ERR_IO, "%s: not a regular file: remove it", t->path);
	if (st->st_uid != geteuid() || (st->st_mode & 077))
		return err_set(e, ERR_IO, "%s: owner %u and mode %03o, must be %u and 600", t->path,
			       st->st_uid, st->st_mode & 07777, geteuid());
	return true;
}

/* Waits for the lock of the open file. */
static bool await_lock(const struct turn *t, struct ctl *ctl, struct err *e)
{
	const struct timespec pause = { .tv_nsec = TRY_MS * 1000000L };

	for (int i = 0; flock(t->fd, LOCK_EX | LOCK_NB) < 0; i++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return err_errno(e, ERR_IO, "%s: the lock", t->path);
		if (i == TRIES)
			return err_set(e, ERR_AGAIN,
				       "%s: another pod-dnsctl has held this lock for a minute",
				       t->path);
		if (i == NOTE_AFTER)
			ctl_note(ctl, "%s: another pod-dnsctl holds this lock: waiting", t->path);
		(void)nanosleep(&pause, NULL);
	}
	return true;
}

/* A file that was removed while we waited for its lock excludes no process: it is opened anew. */
static bool lock_file(struct turn *t, int flags, struct ctl *ctl, struct err *e)
{
	struct stat st = { 0 };

	while (!st.st_nlink) {
		turn_end(t);
		t->fd = open(t->path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
		if (t->fd < 0)
			return errno == ENOENT || errno == EROFS ||
			       err_errno(e, ERR_IO, "%s", t->path);
		if (fstat(t->fd, &st) < 0 || !check_lock_file(t, &st, e) ||
		    !await_lock(t, ctl, e) || fstat(t->fd, &st) < 0) {
			close_auto_fd(&t->fd);
			t->fd = -1;
			return err_errno(e, ERR_IO, "%s", t->path);
		}
		t->state = st.st_size ? TURN_INSTALLED : TURN_UNINSTALLED;
	}
	return true;
}

static bool name_turn(struct turn *t, const char *folder, struct err *e)
{
	*t = TURN_NONE;
	return snprintf(t->path, sizeof t->path, "%s/" TURN_FILE, folder) < PATH_MAX ||
	       err_set(e, ERR_IO, "%s: the path is too long", folder);
}

bool turn_take(struct turn *t, const char *folder, struct ctl *ctl, struct err *e)
{
	return name_turn(t, folder, e) && lock_file(t, O_RDWR | O_CREAT, ctl, e);
}

/* Read-only: closing a file that could be written would wake those who watch the folder. */
bool turn_take_installed(struct turn *t, const char *folder, struct ctl *ctl, struct err *e)
{
	return name_turn(t, folder, e) && lock_file(t, O_RDONLY, ctl, e);
}

bool turn_mark(struct turn *t, enum turn_state state, struct err *e)
{
	if (t->fd < 0 || state == t->state)
		return true;
	if (state == TURN_INSTALLED ? pwrite(t->fd, mark, sizeof mark - 1, 0) < 0
				    : ftruncate(t->fd, 0) < 0)
		return err_errno(e, ERR_IO, "%s", t->path);
	t->state = state;
	return true;
}

void turn_end(struct turn *t)
{
	struct stat st;

	if (t->fd >= 0 && t->state == TURN_UNINSTALLED && fstat(t->fd, &st) == 0 && st.st_nlink)
		(void)unlink(t->path);
	close_auto_fd(&t->fd);
	t->fd = -1;
}

/*** watching the folder ***/

/* Called again after lost events: the folder may have been replaced or removed. */
static bool add_watch(const struct folder_watch *w, struct err *e)
{
	static const uint32_t what =
		IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF;

	return inotify_add_watch(w->fd, w->folder, what) >= 0 ||
	       err_errno(e, ERR_IO, "%s", w->folder);
}

bool folder_watch_begin(struct folder_watch *w, const char *folder, struct err *e)
{
	w->folder = folder;
	w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	return w->fd >= 0 ? add_watch(w, e) : err_errno(e, ERR_IO, "inotify");
}

static bool read_events(const struct folder_watch *w, struct err *e)
{
	_Alignas(struct inotify_event) char buffer[4096];
	ssize_t len;

	while ((len = read(w->fd, buffer, sizeof buffer)) > 0)
		for (const char *at = buffer; at < buffer + len;) {
			const struct inotify_event *event = (const void *)at;

			if (event->mask & IN_IGNORED)
				return err_set(e, ERR_IO, "%s: the folder of networks is gone",
					       w->folder);
			if (event->mask & IN_Q_OVERFLOW && !add_watch(w, e))
				return false;
			at += sizeof *event + event->len;
		}
	return len == 0 || errno == EAGAIN || errno == EINTR || err_errno(e, ERR_IO, "inotify");
}

bool folder_watch_wait(const struct folder_watch *w, struct err *e)
{
	struct pollfd on = { .fd = w->fd, .events = POLLIN };
	int ready = poll(&on, 1, -1);

	while (ready > 0) {
		if (!read_events(w, e))
			return false;
		ready = poll(&on, 1, SETTLE_MS);
	}
	return ready == 0 || errno == EINTR || err_errno(e, ERR_IO, "inotify");
}
