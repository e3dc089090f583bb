/* SPDX-License-Identifier: Apache-2.0 */
/* apply_watch.h: waits until something that pods are computed from may have changed. */
#ifndef POD_DNSCTL_APPLY_WATCH_H
#define POD_DNSCTL_APPLY_WATCH_H

#include "pod-dnsctl/networks.h"

struct apply_watch {
	int fd; /* inotify; -1: none */
};

#define APPLY_WATCH_NONE ((struct apply_watch){ -1 })

bool apply_watch_begin(struct apply_watch *watch, struct err *e);

/*
 * Watches the folders of the conflists, of each configFile and of each node's file and, where these
 * are links, the folders on their way: so a file that replaces another is noticed. Called before
 * the files are read and after each change, since folders come and go. ERR_IO: the folder of
 * conflists does not exist.
 */
bool apply_watch_follow(const struct apply_watch *watch, const struct networks *all, struct err *e);

/* Waits until something has changed and then nothing more, or for a minute: some folders cannot be
 * watched. */
bool apply_watch_wait(const struct apply_watch *watch, struct err *e);

void apply_watch_done(struct apply_watch *watch);

static inline void done_auto_apply_watch(struct apply_watch *watch)
{
	apply_watch_done(watch);
}
#define auto_apply_watch __attribute__((cleanup(done_auto_apply_watch))) struct apply_watch

#endif
