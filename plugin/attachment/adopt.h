/* SPDX-License-Identifier: Apache-2.0 */
/*
 * adopt.h: gives a running pod without a record what an ADD would give it now.
 *
 * The call is that of the pod's ADD, with today's configuration. Two things differ from ADD. The
 * workload runs already, so its namespace is only written to by a child with a deadline. And it
 * may have changed the runtime's file: the file is written only if it still holds the runtime's
 * text.
 */
#ifndef POD_DNS_ADOPT_H
#define POD_DNS_ADOPT_H

#include "attachment/compute_for.h"

struct adoption {
	const struct call *call;
	bool dry;		  /* nothing is changed */
	enum state state;	  /* of the decision */
	const char *before;	  /* the text of the file that changes; NULL: no file does */
	const char *after;	  /* the new text */
	struct steering steering; /* the rules that the pod gets; mode STEER_OFF: none */
};

/*
 * Writes the record, the file and the rules. The texts lie in w's arena. A failure leaves nothing
 * behind: the errors of an ADD.
 */
bool adopt_pod(struct adoption *p, struct warnings *w, struct err *e);

/* Gives the runtime's file of an adopted pod its old text back, if it holds ours. Takes the lock.
 * Does nothing for other pods. */
void adopt_restore(struct rundir *r, const char *id, struct warnings *w);

#endif
