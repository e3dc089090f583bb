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

enum { PATIENCE = 240 }; /* seconds */

/* Milliseconds between two looks. A watch wakes the child; without one it looks often at first. */
enum { LOOK_EVERY = 1000, LOOK_OFTEN = 20, OFTEN_FOR = 10 /* seconds */ };

/*** the watch ***/

/* Watches the deepest folder of the file's path that exists. Later looks may find a deeper one. */
static bool watch_deepest(const struct late *late)
{
	char folder[PATH_MAX];
	char *slash;

	(void)snprintf(folder, sizeof(folder), "%s", late->file);
	while ((slash = strrchr(folder, '/')) && slash > folder) {
		*slash = '\0';
		if (inotify_add_watch(late->watch, folder,
				      IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR) >= 0)
			return true;
	}
	return false;
}

bool late_watch(struct late *late, struct err *e)
{
	late->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (late->watch >= 0 && watch_deepest(late))
		return true;
	(void)err_errno(e, ERR_TARGET, "%s: inotify", late->file);
	late_close(late);
	return false;
}

void late_close(struct late *late)
{
	if (late->watch >= 0)
		(void)close(late->watch);
	late->watch = -1;
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
	return faccessat(r->fd, late->id, F_OK, 0) < 0 || !netns_is(late->netns, late->netns_id);
}

/* Seconds of a clock that nobody can set. */
static time_t now(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
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
	struct pollfd poll_watch = { .fd = late->watch, .events = POLLIN };
	const time_t begin = now(), end = begin + PATIENCE;
	char id[PATH_MAX];

	(void)snprintf(id, sizeof(id), RUNDIR "/%s", late->id);
	while (!is_over(r, late)) {
		bool often;

		/* DEL removes the record, which wakes the child. A replaced one is watched anew. */
		(void)inotify_add_watch(late->watch, id, IN_DELETE_SELF);
		if (is_there(late) && complete(r, late, &ignored) != PENDING_LATER)
			break;
		if (now() >= end) {
			pending_miss(r, late->id, "the runtime wrote no file in four minutes");
			break;
		}
		often = late->watch < 0 && now() - begin < OFTEN_FOR;
		(void)poll(&poll_watch, 1, often ? LOOK_OFTEN : LOOK_EVERY);
		drain(late->watch);
	}
}

static void live(struct late late)
{
	auto_rundir run = RUNDIR_NONE;

	(void)signal(SIGHUP, SIG_IGN);
	if (helper_detach(&late.watch, "pod-dns-late") && rundir_open(&run, false, NULL) &&
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
