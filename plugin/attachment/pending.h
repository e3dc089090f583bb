/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending.h: a PENDING record and the runtime's file that has come since.
 *
 * The late child, the OCI hook and the sweep all end here, one of them first. What the record says
 * of `late` is looked at and changed under the lock:
 *
 *   the record says   the child   the sweep                 the hook
 *   pending           tries       tries                     tries
 *   missed            is done     tries; in vain: silently  tries
 *   anything else     is done     is done                   is done
 *
 *   the file is                   the child      the sweep      the hook
 *   not there, open for writing   later          later          later
 *   another attachment's          missed         missed         missed
 *   no runtime's (safepath.h)     missed         missed         missed
 *   empty, to be written          written, later written, later written
 *   empty, to decide by           later; still: decides         decides
 *   the runtime's text            written        written        written
 *   ours                          later; still: written         written
 *   anything else                 later; still: missed          missed
 *
 * "Still" is a file that nobody has written for two seconds. What the runtime writes is what ADD
 * was told. Where it was not told, it is for the child whatever it has seen come, and for the
 * others what nobody has changed since the file was made.
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
 * Writes the record's text, or what its deferred decision comes to, into the runtime's file, as the
 * table says: a workload's own words are never overwritten. `file` is what the caller has found and
 * holds; NULL: the one that the record names, or that is under a known root, is found before the
 * lock is taken. *e says why it failed.
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
