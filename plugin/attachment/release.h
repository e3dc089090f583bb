/* SPDX-License-Identifier: Apache-2.0 */
/*
 * release.h: removes what was made for an attachment: rules, claims, netns file, record. Text in a
 * runtime's file or a container's root stays.
 *
 * A file or table that attachments of one pod share goes to the newest that remains (claim.h). The
 * record says what to remove; without one the names do. Each step may be repeated, so the next DEL,
 * GC or sweep finishes what a killed process began. If something cannot be removed, there is a
 * warning and the record stays.
 */
#ifndef POD_DNS_RELEASE_H
#define POD_DNS_RELEASE_H

#include "state/rundir.h"
#include "warn.h"

/*
 * `record` is the path of its record, `netns` CNI_NETNS or "". Takes the lock. Returns whether
 * nothing of it is left.
 */
bool release(struct rundir *r, const char *id, const char *netns, struct warnings *w);

/*
 * Like release(), but only if sweep_is_for() says so. Needed because containerd sends no DEL for
 * pods that it lost while it was down.
 */
void release_if_due(struct rundir *r, const char *id, struct warnings *w);

/* Gives up only the file of the namespace `name`. */
bool release_netns(const struct rundir_lock *held, const char *id, const char *name,
		   struct warnings *w);

/*
 * Removes claims and netns files that no record stands for, which killed processes leave. Takes the
 * lock for each folder in which there is something to remove. Returns whether all could be looked
 * at.
 */
bool release_leftovers(struct rundir *r, struct warnings *w);

#endif
