/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rundir.h: /run/pod-dns, where the plugin keeps what it must remember: folder 0700, root's.
 *
 *   NETWORK/CONTAINERID@IFNAME.json   a record an attachment (record.h)
 *   .netns/NAME/resolv.conf           what /etc/netns/NAME/resolv.conf links to (netnsfile.h)
 *   .netns/NAME/HASH, .sandbox/ID/HASH  who claims a file that attachments share (claim.h)
 *   .steer/ID/HASH                    who claims the table of a pod's namespace
 *   .node/HASH                        who is steered by the node's table (steer_node.h)
 *   .told-NETWORK                     a link: a hash of what STATUS said of the configuration
 *   .steer-off                        steering is switched off on this node (steer_switch.h)
 *   .lock, .swept, .new-HASH          the lock, the last sweep, a file on its way (renamed or gone)
 *
 * No network's name begins with a dot. All of it is gone after a reboot, and so are the namespaces.
 */
#ifndef POD_DNS_RUNDIR_H
#define POD_DNS_RUNDIR_H

#include "err.h"

#define RUNDIR "/run/pod-dns"

#define RUNDIR_TOLD ".told-" /* and the network's name */

enum { RUNDIR_TEMP = 32 }; /* bytes of a temporary name */

struct rundir {
	int fd;	  /* -1: it does not exist */
	int lock; /* -1: not held */
};

#define RUNDIR_NONE ((struct rundir){ -1, -1 })

/* Opens it; with `create` makes it first. ERR_IO where it is a link, another's, or open to others.
 */
bool rundir_open(struct rundir *r, bool create, struct err *e);

/*
 * One lock for all that attachments share. Waits. ADD does not hold it while it writes a pod's
 * file; who writes one from a record does, since the record must not change meanwhile.
 */
bool rundir_lock(struct rundir *r, struct err *e);
void rundir_unlock(struct rundir *r);

/* Makes a folder below it, and those above it; one that is there is well. */
bool rundir_mkdir(const struct rundir *r, const char *path, struct err *e);

/* The temporary name that belongs to `path`: the same for the next process that tries. */
void rundir_temp(char out[static RUNDIR_TEMP], const char *path);

/* Removes the temporary file of `path`, or all, that killed processes left. The lock is held. */
void rundir_remove_temp(const struct rundir *r, const char *path);
void rundir_remove_temps(const struct rundir *r);

/* Forgets what STATUS said, of all networks. */
void rundir_remove_told(const struct rundir *r);

void rundir_close(struct rundir *r);

static inline void close_auto_rundir(struct rundir *r)
{
	rundir_close(r);
}
#define auto_rundir __attribute__((cleanup(close_auto_rundir))) struct rundir

#endif
