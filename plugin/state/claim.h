/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claim.h: who owns a file or table that several attachments of one pod share.
 *
 * Each attachment that writes it makes a claim: a link to its record, stamped with the time of its
 * ADD. The newest claim that has a record owns the file. When that attachment ends, the next newest
 * does. A claim without a record was left by a killed process and does not count. If the lock is
 * not held, one may see a change half done.
 */
#ifndef POD_DNS_CLAIM_H
#define POD_DNS_CLAIM_H

#include "state/record.h"

#include <time.h>

/* The folder of a file's claims, below the run folder. */
enum { CLAIM_FOLDER = RECORD_NAME + 16 };

void claim_sandbox(char out[static CLAIM_FOLDER], const char *container_id); /* .sandbox/ID */
void claim_netns(char out[static CLAIM_FOLDER], const char *name);	     /* .netns/NAME */

/* Makes `record` (a path below the run folder) the newest claim. */
bool claim_add(const struct rundir_lock *held, const char *folder, const char *id, struct err *e);

/* Whether the record has made its claim. */
bool claim_is_made(const struct rundir *r, const char *folder, const char *id);

/* Removes a claim, and its folder if that is empty then. */
bool claim_remove(const struct rundir_lock *held, const char *folder, const char *id,
		  struct err *e);

enum claim_found {
	CLAIM_NOBODYS,
	CLAIM_OWNED,
	CLAIM_UNKNOWN, /* a claim cannot be read: it may be the owner's */
};

/* The owner. If CLAIM_OWNED, `out` is the path of its record. */
enum claim_found claim_owner(char out[static RECORD_PATH], const struct rundir *r,
			     const char *folder);

/* Whether a record other than `record` owns it, or may own it (CLAIM_UNKNOWN). */
bool claim_is_anothers(const struct rundir *r, const char *folder, const char *id);

/* The same for the runtime's file of the record's pod. */
bool claim_sandbox_is_anothers(const struct rundir *r, const char *id);

struct claim {
	const char *id;
	struct timespec since; /* its ADD, by CLOCK_BOOTTIME */
};

struct claim_list {
	struct claim *at;
	size_t n;
};

/* The claims that have a record, newest first. False: some cannot be read. */
bool claim_list(struct claim_list *out, const struct rundir *r, const char *folder,
		struct arena *a);

/* The newest claim that has a record which is accepted, if there is one. */
bool claim_find(const struct rundir *r, const char *folder,
		bool accept(const char *id, void *context), void *context);

/* Whether claim_tidy() would find nothing to do. If the lock is not held, a change of this moment
 * may be missed. */
bool claim_is_tidy(const struct rundir *r, const char *folder);

/* Removes claims without a record. Those that cannot be read stay. */
void claim_tidy(const struct rundir_lock *held, const char *folder);

#endif
