/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending.h: completes a record that awaits the runtime's file once the runtime has written its
 * file.
 *
 * The late child, the OCI hook, pod-dns-nri and the sweep all come here, and one of them is first.
 * `late` of the record is read and changed under the lock. To pod-dns-nri applies what applies to
 * the hook:
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
 * "Still": nobody has written the file for two seconds. "The runtime's text" is the one that ADD
 * knew. If ADD did not know it, then to the child it is what came while it watched, and to the
 * others a text that was not changed since the file was made.
 */
#ifndef POD_DNS_PENDING_H
#define POD_DNS_PENDING_H

#include "state/record.h"
#include "targets/sandbox.h"
#include "warn.h"

enum pending_by {
	BY_CHILD, /* has watched the file come */
	BY_SWEEP, /* also tries records that say missed; does not report their failure again */
	BY_HOOK,  /* or pod-dns-nri: tries these too, and does not wait: the runtime has written */
};

enum pending_result {
	PENDING_DONE,	 /* nothing is left to do */
	PENDING_SKIPPED, /* the file does not hold the runtime's text: the record says missed */
	PENDING_LATER,	 /* the runtime has not finished writing the file */
	PENDING_FAILED,	 /* *e says why, and the record, if it can be locked and written: missed */
};

/*
 * Writes the record's text, or that of its deferred decision, into the runtime's file, by the table
 * above. A text of the workload is never overwritten. `file` was opened by the caller; NULL: the
 * file that the record names, or that is under a usual root, is opened before the lock is taken. *e
 * says why it failed.
 */
enum pending_result pending_complete(struct rundir *r, const char *id,
				     const struct sandbox_file *file, enum pending_by by,
				     struct warnings *w, struct err *e);

/* The same for a caller that holds the lock already. `file` may not be NULL. */
enum pending_result pending_complete_locked(const struct rundir_lock *held, const char *id,
					    const struct sandbox_file *file, enum pending_by by,
					    struct warnings *w, struct err *e);

/* Whether the sweep should try the record; looks without the lock. */
bool pending_is_due(const struct record *id);

/* Whether the record's decision is deferred. */
bool pending_is_undecided(const struct record *record);

/*
 * Makes the deferred decision with that text, and puts it into the record. ERR_IO, and the errors
 * of compute_for_record().
 */
bool pending_decide(struct record *record, const char *runtime_text, struct warnings *w,
		    struct err *e);

/* Notes in the record that the file holds its text. */
void pending_set_written(struct record *record);

/* Gives up: `late` of the record becomes missed, with the reason. */
void pending_miss(struct rundir *r, const char *id, const char *why);

#endif
