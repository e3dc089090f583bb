/* SPDX-License-Identifier: Apache-2.0 */
/* late.c: the child that waits for a file which the runtime writes after ADD. */
#include "attachment/late.h"
#include "netns.h"
#include "state/rundir.h"
#include "attachment/pending.h"
#include "targets/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>

enum { PATIENCE = 240000 }; /* ms */

/*
 * Milliseconds between two looks. A watch wakes the child; without one it looks often at first, and
 * then each time that an eighth of its time has passed.
 */
enum { LOOK_EVERY = 1000, LOOK_OFTEN = 20, LOOK_PART = 8 };

/*** the watch ***/

/* Watches the deepest folder of the file's path that exists. Later looks may find a deeper one. */
static bool watch_deepest(const struct late *late)
{
	char folder[PATH_MAX];
	char *slash;

	(void)snprintf(folder, sizeof(folder), "%s", late->file);
	while ((slash = strrchr(folder, '/')) && slash > folder) {
		*slash = '\0';
		if (inotify_add_watch(late->fds[LATE_WATCH], folder,
				      IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR) >= 0)
			return true;
	}
	return false;
}

/* Takes one of the node's watches. The end of whoever holds it gives it back. */
static bool take_watch(struct late *late)
{
	struct flock turn = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };

	late->fds[LATE_TURN] = open(RUNDIR_LOCK, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	for (; turn.l_start < LATE_WATCHES; turn.l_start++)
		if (fcntl(late->fds[LATE_TURN], F_OFD_SETLK, &turn) == 0)
			return true;
	late_close(late);
	return false;
}

bool late_watch(struct late *late, struct err *e)
{
	if (!take_watch(late))
		return true;
	late->fds[LATE_WATCH] = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (late->fds[LATE_WATCH] >= 0 && watch_deepest(late))
		return true;
	(void)err_errno(e, ERR_TARGET, "%s: inotify", late->file);
	late_close(late);
	return false;
}

void late_close(struct late *late)
{
	for (size_t i = 0; i < LATE_FDS; i++) {
		if (late->fds[i] >= 0)
			(void)close(late->fds[i]);
		late->fds[i] = -1;
	}
}

/*** the child ***/

static void drain(int watch)
{
	char events[4096];

	while (read(watch, events, sizeof(events)) > 0)
		;
}

/* A folder may get entries between its creation and its watch: so look again after watching. */
static bool is_there(const struct late *late)
{
	(void)watch_deepest(late);
	return access(late->file, F_OK) == 0;
}

static bool is_over(const struct rundir *r, const struct late *late)
{
	return faccessat(r->fd, late->id, F_OK, 0) < 0 || !netns_is(late->netns, late->netns_id, 0);
}

/* CLOCK_MONOTONIC, in milliseconds. */
static int64_t now(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* How long to wait for the next look; `waited`: since the first. */
static int pause_of(const struct late *late, int64_t waited)
{
	int64_t pause = waited / LOOK_PART;

	if (late->fds[LATE_WATCH] >= 0 || pause > LOOK_EVERY)
		return LOOK_EVERY;
	return pause < LOOK_OFTEN ? LOOK_OFTEN : (int)pause;
}

static enum pending_result complete(struct rundir *r, const struct late *late, struct warnings *w)
{
	auto_sandbox_file file = sandbox_open_timeout(late->file, NULL, NULL, w->arena);
	struct err fault = { 0 };

	return pending_complete(r, late->id, &file, BY_CHILD, w, &fault);
}

static void wait_and_settle(struct rundir *r, const struct late *late)
{
	auto_arena arena = { 0 };
	struct warnings ignored = { .arena = &arena };
	const int watch = late->fds[LATE_WATCH];
	struct pollfd poll_watch = { .fd = watch, .events = POLLIN };
	const int64_t begin = now(), end = begin + PATIENCE;
	char id[PATH_MAX];

	(void)snprintf(id, sizeof(id), RUNDIR "/%s", late->id);
	while (!is_over(r, late)) {
		/* DEL removes the record, which wakes the child. A replaced one is watched anew. */
		(void)inotify_add_watch(watch, id, IN_DELETE_SELF);
		if (is_there(late) && complete(r, late, &ignored) != PENDING_LATER)
			break;
		if (now() >= end) {
			pending_miss(r, late->id, "the runtime wrote no file in four minutes");
			break;
		}
		(void)poll(&poll_watch, 1, pause_of(late, now() - begin));
		drain(watch);
	}
}

static void live(struct late late)
{
	auto_rundir run = RUNDIR_NONE;

	(void)signal(SIGHUP, SIG_IGN);
	if (helper_detach(late.fds, LATE_FDS, "pod-dns-late") && rundir_open(&run, false, NULL) &&
	    run.fd >= 0)
		wait_and_settle(&run, &late);
}

bool late_start(const struct late *late, struct err *e)
{
	pid_t child = fork();

	if (child < 0)
		return err_errno(e, ERR_TARGET, "fork");
	if (child == 0) {
		live(*late);
		_exit(EXIT_SUCCESS); /* exit() would flush the parent's buffers again */
	}
	return true;
}
