/* SPDX-License-Identifier: Apache-2.0 */
/* apply_watch.h: waits until something that pods are computed from may have changed. */
#ifndef POD_DNSCTL_APPLY_WATCH_H
#define POD_DNSCTL_APPLY_WATCH_H

#include "pod-dnsctl/apply_networks.h"

struct apply_watch {
	int fd; /* inotify; -1: none */
};

#define APPLY_WATCH_NONE ((struct apply_watch){ -1 })

bool apply_watch_begin(struct apply_watch *watch, struct err *e);

/*
 * Follows the folders of the conflists, of each configFile and of each node's file, and where those
 * are links the folders that they lead through: a file that takes another's place is seen. Called
 * before these are read, and again: folders come and go. ERR_IO where the conflists' folder is not.
 */
bool apply_watch_follow(const struct apply_watch *watch, const struct apply_networks *all,
			struct err *e);

/* Until something has changed and it is quiet, or for a minute: not all folders can be watched. */
bool apply_watch_wait(const struct apply_watch *watch, struct err *e);

void apply_watch_done(struct apply_watch *watch);

static inline void done_auto_apply_watch(struct apply_watch *watch)
{
	apply_watch_done(watch);
}
#define auto_apply_watch __attribute__((cleanup(done_auto_apply_watch))) struct apply_watch

#endif
