/* SPDX-License-Identifier: Apache-2.0 */
/*
 * complete.h: completes the records that ADD left awaiting the runtime's file.
 *
 * The runtime waits for the answer, and so do all other pods of the node: nothing here waits for
 * a lock for longer than COMPLETE_PATIENCE, forks, or uses the network.
 */
#ifndef POD_DNS_NRI_COMPLETE_H
#define POD_DNS_NRI_COMPLETE_H

#include "err.h"
#include "warn.h"

enum { COMPLETE_PATIENCE = 60 }; /* ms */

enum completed {
	COMPLETED_NOTHING, /* nothing awaited the file */
	COMPLETED_WRITTEN,
	COMPLETED_MISSED, /* *e says why */
	COMPLETED_ABSENT, /* the runtime has no file of that pod, or keeps it at an unknown place */
	COMPLETED_LATER,  /* another process holds the lock or has the file open for writing */
};

/* Milliseconds of a clock that nothing sets. */
int64_t complete_clock(void);

/* The record of that sandbox, the runtime's file of which is complete. */
enum completed complete_pod(const char *sandbox, struct warnings *w, struct err *e);

/* All records; at most for `ms`. Returns whether some were left for later. */
bool complete_all(int ms, size_t *written);

#endif
