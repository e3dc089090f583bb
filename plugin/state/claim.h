/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claim.h: whose a file is that several attachments of one pod share.
 *
 * Each attachment that writes such a file leaves a claim beside it: a link to its record, stamped
 * with the moment of its ADD. The newest claim whose record is there owns the file; when it ends,
 * the newest that remains gets it. A claim without a record is what a killed process left:
 * nobody's. Who looks without the lock may see a change half done.
 */
#ifndef POD_DNS_CLAIM_H
#define POD_DNS_CLAIM_H

#include "state/record.h"

#include <time.h>

/* The shared file, as a folder of claims below the run folder. */
enum { CLAIM_FOLDER = RECORD_NAME + 16 };

void claim_sandbox(char out[static CLAIM_FOLDER], const char *container_id); /* .sandbox/ID */
void claim_netns(char out[static CLAIM_FOLDER], const char *name);	     /* .netns/NAME */

/* Makes `record` (a path below the run folder) the newest claim. */
bool claim_add(const struct rundir_lock *held, const char *folder, const char *record,
	       struct err *e);

/* Whether the record has made its claim. */
bool claim_is_made(const struct rundir *r, const char *folder, const char *record);

/* Gives a claim up, and the folder with it when it is empty then. */
bool claim_remove(const struct rundir_lock *held, const char *folder, const char *record,
		  struct err *e);

enum claim_found {
	CLAIM_NOBODYS,
	CLAIM_OWNED,
	CLAIM_UNKNOWN, /* not all claims can be read just now: nothing may be concluded */
};

/* Whose it is: with CLAIM_OWNED, out is the path of the owner's record. */
enum claim_found claim_owner(char out[static RECORD_PATH], const struct rundir *r,
			     const char *folder);

/* Whether it is not `record`'s to touch: it is another's, or that cannot be seen. */
bool claim_is_anothers(const struct rundir *r, const char *folder, const char *record);

/* The same of the runtime's file of the record's pod. */
bool claim_sandbox_is_anothers(const struct rundir *r, const char *record);

struct claim {
	const char *record;
	struct timespec since; /* its ADD, by CLOCK_BOOTTIME */
};

struct claim_list {
	struct claim *at;
	size_t n;
};

/* The claims whose record is there, the newest first. False: not all of them can be looked at. */
bool claim_list(struct claim_list *out, const struct rundir *r, const char *folder,
		struct arena *a);

/* Removes claims without a record. What cannot be looked at stays. */
void claim_tidy(const struct rundir_lock *held, const char *folder);

#endif
