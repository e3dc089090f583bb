/* SPDX-License-Identifier: Apache-2.0 */
/* apply_watch.h: waits until something that pods are computed from may have changed. */
#ifndef POD_DNSCTL_APPLY_WATCH_H
#define POD_DNSCTL_APPLY_WATCH_H

#include "pod-dnsctl/networks.h"

/*
 * Lets inotify watch the folders of the conflists, of each configFile and of each node's file and,
 * where these are links, the folders on their way: so a file that replaces another is noticed.
 * Called before the files are read and after each change, since folders come and go. ERR_IO: the
 * folder of conflists does not exist.
 */
bool apply_watch_follow(int inotify, const struct networks *all, struct err *e);

/* Waits until something has changed and then nothing more, or for a minute: some folders cannot be
 * watched. */
bool apply_watch_wait(int inotify, struct err *e);

#endif
