/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nri_lock.h: the file /run/pod-dns/.nri, by which the one pod-dns-nri of a node is known.
 *
 * That program holds a lock on the file, and stamps it each second while the runtime tells it of
 * pods. An ADD that sees both starts no child of target `late`. A program that hangs stamps
 * nothing: then ADD does as if it did not run.
 */
#ifndef POD_DNS_NRI_LOCK_H
#define POD_DNS_NRI_LOCK_H

#include "state/rundir.h"

#define NRI_LOCK ".nri"

/* How often the file is stamped, and how old a stamp may be. */
enum { NRI_LOCK_STAMP_EVERY = 1, NRI_LOCK_STAMP_MAX = 3 }; /* seconds */

struct nri_lock {
	int fd;
};

#define NRI_LOCK_NONE ((struct nri_lock){ -1 })

/* What the program has done since it began. */
struct nri_report {
	const char *runtime;  /* its name and version; "": not connected */
	uint64_t pods;	      /* that it was told of */
	uint64_t written;     /* files */
	uint64_t missed;      /* files that could not be written */
	uint64_t connections; /* to the runtime */
};

/* Makes the run folder and the file. ERR_AGAIN: another process holds it. */
bool nri_lock_take(struct nri_lock *lock, struct err *e);

/* Takes it again if the file was removed meanwhile. */
bool nri_lock_keep(struct nri_lock *lock, struct err *e);

/* Says that the program serves from now on, or that it does not. */
void nri_lock_stamp(const struct nri_lock *lock);
void nri_lock_unstamp(const struct nri_lock *lock);

/* Writes the report into the file; the stamp stays as it is. */
void nri_lock_report(const struct nri_lock *lock, const struct nri_report *report);

/* Removes the file. */
void nri_lock_release(struct nri_lock *lock);

/* Whether a pod-dns-nri serves this node right now. */
bool nri_lock_serves(const struct rundir *r);

/* Reads the report of a pod-dns-nri that runs. False: none runs. The runtime lies in the arena. */
bool nri_lock_read(struct nri_report *out, const struct rundir *r, struct arena *a);

#endif
