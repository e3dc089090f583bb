/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rundir.h: the run folder /run/pod-dns, mode 0700, in which all state is kept.
 *
 *   NETWORK/CONTAINERID@IFNAME.json   the record of an attachment (record.h)
 *   .netns/NAME/resolv.conf           what /etc/netns/NAME/resolv.conf links to (netnsfile.h)
 *   .netns/NAME/HASH, .sandbox/ID/HASH  who claims a file that attachments share (claim.h)
 *   .steer/ID/HASH                    who claims the table of a pod's namespace
 *   .health/ID/HASH                   who claims the tables that measure a pod
 *   .node/HASH                        who is steered by the node's table (steer_node.h)
 *   .told-NETWORK                     a link: a hash of what STATUS said of the configuration
 *   .steer-off                        steering is switched off on this node (steer_disable.h)
 *   .lock, .swept, .new-HASH          the lock, the last sweep, a file before its rename
 *   .nri                              a pod-dns-nri runs (nri_lock.h)
 *
 * No network's name begins with a dot. A reboot removes all of it, as it does the namespaces.
 */
#ifndef POD_DNS_RUNDIR_H
#define POD_DNS_RUNDIR_H

#include "arena.h"
#include "err.h"

#define RUNDIR "/run/pod-dns"

#define RUNDIR_LOCK RUNDIR "/.lock"
#define RUNDIR_TOLD ".told-" /* and the network's name */

enum { RUNDIR_TEMP = 32 }; /* bytes of a temporary name */

struct rundir {
	int fd;		/* -1: it does not exist */
	int lock;	/* the lock's file, once it was taken; -1 */
	unsigned turns; /* for rundir_rest() */
};

#define RUNDIR_NONE ((struct rundir){ -1, -1, 0 })

/* Opens it, and with `create` makes it first. ERR_IO: it is a link, not ours, or open to others. */
bool rundir_open(struct rundir *r, bool create, struct err *e);

/*
 * One lock for all that attachments share. Only rundir_lock() makes this token; what needs the lock
 * takes it as an argument.
 */
struct rundir_lock {
	const struct rundir *run; /* NULL: not held */
};

/* Waits. */
bool rundir_lock(struct rundir_lock *held, struct rundir *r, struct err *e);

/* Does not wait. False: another process holds it, or it cannot be had. */
bool rundir_try_lock(struct rundir_lock *held, struct rundir *r);
void rundir_unlock(struct rundir_lock *held);

/*
 * For who takes the lock again and again, between two turns: rests now and then, or else others
 * would be woken each time too late to get it.
 */
void rundir_rest(struct rundir *r);

/* Whether anybody holds it right now. */
bool rundir_is_locked(void);
#define RUNDIR_UNLOCKED	 ((struct rundir_lock){ NULL })
#define auto_rundir_lock __attribute__((cleanup(rundir_unlock))) struct rundir_lock

/* Makes a folder below it, with its parents. It may exist. */
bool rundir_mkdir(const struct rundir_lock *held, const char *path, struct err *e);

/* Names in a folder, or paths below the run folder: in an arena. */
struct rundir_list {
	const char **at;
	size_t n, room;
};

/* The names in a folder, sorted; none if it does not exist. False: it cannot be read whole. */
bool rundir_list(struct rundir_list *out, const struct rundir *r, const char *folder,
		 struct arena *a);

/* Adds a string that lives as long as the arena; nothing once memory has ended. */
void rundir_list_add(struct rundir_list *list, const char *name, struct arena *a);

/* The temporary name for `path`. It is always the same, so that the next process finds it. */
void rundir_temp(char out[static RUNDIR_TEMP], const char *path);

/* Removes the temporary file of `path`, or all, that killed processes left. */
void rundir_remove_temp(const struct rundir_lock *held, const char *path);
void rundir_remove_temps(const struct rundir_lock *held);

/* Forgets what STATUS said, of all networks. */
void rundir_remove_told(const struct rundir *r);

void rundir_close(struct rundir *r);
#define auto_rundir __attribute__((cleanup(rundir_close))) struct rundir

#endif
