/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turn.h: who may change a folder of networks, and whether pod-dns is installed there.
 *
 * Both are one file in the folder, which only root can open: TURN_FILE. Its lock (flock) is held by
 * the process that changes networks: a container that sees the folder sees the lock too. It holds a
 * line while pod-dns is installed, so that an install --watch knows whether to chain again. It is
 * removed with the installation.
 */
#ifndef POD_DNSCTL_TURN_H
#define POD_DNSCTL_TURN_H

#include "err.h"
#include "pod-dnsctl/cli/ctl.h"

#include <limits.h>

#define TURN_FILE ".pod-dns"

enum turn_state { TURN_UNINSTALLED, TURN_INSTALLED };

struct turn {
	int fd; /* -1: not held */
	enum turn_state state;
	char path[PATH_MAX];
};
#define TURN_NONE ((struct turn){ .fd = -1 })

/*
 * Takes the lock; waits for it a minute at most, after a second with a note. In a folder that is
 * missing or read-only there is nothing to lock: *t stays TURN_NONE. ERR_AGAIN: another process
 * still holds the lock. ERR_IO.
 */
bool turn_take(struct turn *t, const char *folder, struct ctl *ctl, struct err *e);

/* The same for a process that only wants to know whether pod-dns is installed: where it is not,
 * no file is made, and *t stays TURN_NONE. */
bool turn_take_installed(struct turn *t, const char *folder, struct ctl *ctl, struct err *e);

/* Notes whether pod-dns is installed. The lock must be from turn_take(). ERR_IO. */
bool turn_mark(struct turn *t, enum turn_state state, struct err *e);

/* Releases the lock. */
void turn_end(struct turn *t);
#define auto_turn __attribute__((cleanup(turn_end))) struct turn

/*** watching the folder ***/

struct folder_watch {
	const char *folder;
	int fd; /* inotify's */
};

/* Begins. `folder` must live as long as *w. ERR_IO: the folder is missing. */
bool folder_watch_begin(struct folder_watch *w, const char *folder, struct err *e);

/* Waits until the folder changes, and then until it is quiet. ERR_IO: it is gone. */
bool folder_watch_wait(const struct folder_watch *w, struct err *e);

static inline void done_auto_folder_watch(const struct folder_watch *w)
{
	close_auto_fd(&w->fd);
}
#define auto_folder_watch __attribute__((cleanup(done_auto_folder_watch))) struct folder_watch

#endif
