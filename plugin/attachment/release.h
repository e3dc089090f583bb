/* SPDX-License-Identifier: Apache-2.0 */
/*
 * release.h: the end of an attachment: what is ours of it goes, the runtime's stays.
 *
 * What attachments of one pod share goes to the newest that remains (claim.h). It works from the
 * record, and without one from the names alone. Each step may be repeated: a killed process is
 * finished by the next DEL, GC or sweep. What cannot be removed is a warning; the record stays
 * then.
 */
#ifndef POD_DNS_RELEASE_H
#define POD_DNS_RELEASE_H

#include "state/rundir.h"
#include "warn.h"

/*
 * `record` is the path of its record, `netns` CNI_NETNS or "". Returns whether nothing of it is
 * left.
 */
bool release(const struct rundir_lock *held, const char *record, const char *netns,
	     struct warnings *w);

/* Gives up the file of the namespace NAME alone: an ADD that writes none now. */
bool release_netns(const struct rundir_lock *held, const char *record, const char *name,
		   struct warnings *w);

/*
 * Removes what no record stands for: claims and netns files of killed processes. Returns whether
 * all could be looked at.
 */
bool release_leftovers(const struct rundir_lock *held, struct warnings *w);

/*
 * Releases an attachment whose namespace is gone, or whose path another has by now: containerd
 * calls no DEL for what it was killed over. Takes the lock if it is so.
 */
void release_if_due(struct rundir *r, const char *record, struct warnings *w);

#endif
