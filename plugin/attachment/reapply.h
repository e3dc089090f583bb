/* SPDX-License-Identifier: Apache-2.0 */
/* reapply.h: gives a running pod, in place, what was computed for it anew. */
#ifndef POD_DNS_REAPPLY_H
#define POD_DNS_REAPPLY_H

#include "attachment/compute.h"
#include "state/record.h"

enum reapply_result {
	REAPPLY_SAME,	 /* it has that already, or it is not ours to give */
	REAPPLY_CHANGED, /* it has it now; of a dry run: it would */
	REAPPLY_LEFT,	 /* *e says why it stays as it is */
	REAPPLY_FAILED,	 /* *e says what went wrong */
};

struct reapply {
	struct rundir *run;
	const char *path;	     /* the record's, below the run folder */
	const struct record *record; /* as it was computed with */
	const struct computed *computed;
	bool dry;		    /* nothing is changed, and the lock is not taken */
	const char *before, *after; /* the file's text, where it changes; in w's arena */
};

/*
 * Writes the text into the runtime's file, or the namespace's, and says so in the record. A file
 * that holds neither a text of ours nor the runtime's is its workload's: left. The pod's rules stay
 * as ADD made them; a record whose rules would be others keeps its hash, and so stays stale.
 */
enum reapply_result reapply(struct reapply *p, struct warnings *w, struct err *e);

#endif
