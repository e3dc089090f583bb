/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending.h: a PENDING record and the runtime's file that has come since.
 *
 * The late child, the OCI hook and the sweep all end here, one of them first: the record says
 * `late`: pending, written or missed, and is looked at and changed under the lock.
 */
#ifndef POD_DNS_PENDING_H
#define POD_DNS_PENDING_H

#include "state/record.h"
#include "targets/sandbox.h"
#include "warn.h"

enum pending_by {
	BY_CHILD, /* has watched the file come */
	BY_SWEEP, /* tries a record that says missed too; that it was in vain is not told again */
	BY_HOOK,  /* tries it too; and the runtime is done by then: nothing is waited for */
};

enum pending_result {
	PENDING_DONE,  /* nothing is left to be done */
	PENDING_LEFT,  /* the file is not as the runtime wrote it: the record says missed */
	PENDING_LATER, /* the runtime has not written the file, is writing it, or may be about to */
	PENDING_FAILED, /* *e says why, and the record, if it can be locked and written: missed */
};

/*
 * Writes the record's text, or what its deferred decision comes to, into the runtime's file, where
 * that still is the runtime's text: a workload's own words are never overwritten. An empty file
 * counts as the runtime's; filled soon after it is written again. `file` is what the caller has
 * found and holds; NULL: the one that the record names, or that is under a known root, is opened
 * before the lock is taken. *e says why it failed.
 */
enum pending_result pending_complete(struct rundir *r, const char *record,
				     const struct sandbox_file *file, enum pending_by by,
				     struct warnings *w, struct err *e);

/* Whether the sweep has to try the record: a look without the lock. */
bool pending_is_due(const struct rundir *r, const char *record);

/* Whether the record waits for the runtime's text to decide by. */
bool pending_is_undecided(const struct record *record);

/*
 * Decides by that text, with what the record keeps of the call, and says so in it. ERR_IO and what
 * compute_for_record() has.
 */
bool pending_decide(struct record *record, const char *runtime_text, struct warnings *w,
		    struct err *e);

/* Says in the record that the file holds its text. */
void pending_say_written(struct record *record);

/* Gives up: the record says missed, and why. */
void pending_miss(struct rundir *r, const char *record, const char *why);

#endif
