/* SPDX-License-Identifier: Apache-2.0 */
/* update.h: writes a newly computed configuration into the file of a running pod. */
#ifndef POD_DNS_UPDATE_H
#define POD_DNS_UPDATE_H

#include "attachment/compute.h"
#include "state/record.h"

enum update_result {
	UPDATE_SAME,	/* nothing to do: it has that text, or keeps the runtime's */
	UPDATE_CHANGED, /* written, or in a dry run: would be */
	UPDATE_SKIPPED, /* *e says why it stays as it is */
	UPDATE_FAILED,	/* *e says what went wrong */
};

struct update {
	struct rundir *run;
	const char *id;		     /* the record's, below the run folder */
	const struct record *record; /* as read before the computation */
	const struct computed *computed;
	bool dry;		    /* nothing is changed, and the lock is not taken */
	bool steering_differs;	    /* only a new pod gets the steering of today */
	const char *before, *after; /* the file's text, where it changes; in w's arena */
};

/*
 * Writes the text into the runtime's file or the namespace's, and notes it in the record. A file
 * that holds neither a text of ours nor the runtime's was changed by its workload: it is left. The
 * pod's rules stay as ADD made them. If they would differ now, the record keeps the hash of its old
 * configuration, so that it still counts as stale.
 */
enum update_result update(struct update *p, struct warnings *w, struct err *e);

#endif
