/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach.h: carries out what compute() decided: the record, the rules, the target. And undoes it.
 */
#ifndef POD_DNS_ATTACH_H
#define POD_DNS_ATTACH_H

#include "attachment/late.h"
#include "state/record.h"
#include "steer/rules/steering.h"
#include "targets/target.h"
#include "attachment/compute.h"

struct attach {
	const struct computed *computed;
	const json_t *prev_result; /* cleaned */
	struct attachment at;
	struct pod_netns netns;
	struct sandbox sandbox;
	struct plan plan;
	struct rundir run;
	char id[RECORD_PATH];
	struct record earlier; /* of an earlier ADD of this attachment */
	bool repeated;	       /* there was an earlier ADD */
	bool settles;	       /* its claim on the pod's tables was given up: steer_settle() */
	const char *trace;     /* the call's traceparent, or NULL */
	bool adopts;	       /* the pod runs already: adopt.h */
	bool keep;	       /* the record that is there is not to be changed */
	bool announced;	       /* this ADD may have written the record: there is work to undo */
	bool expected;	 /* the record says already that the rules and the first target are there */
	size_t reported; /* warnings that are in the record */
	const struct outcome *outcome; /* computed_pick() */
	bool served; /* the pod has that outcome; else prevResult is printed as it came */
	struct inplace undo;
	struct late late;
	struct steering steering;   /* as computed, less what this kernel cannot do */
	bool installed;		    /* this ADD installed the pod's rules */
	struct pod_addrs pod_addrs; /* the pod's own */
	struct warnings *w;
};

/*
 * Writes the record, installs the rules, tries the targets, and writes the record again where
 * something came otherwise than it says. The run folder is open. After a failure the caller calls
 * attach_undo().
 */
bool attach(struct attach *a, struct err *e);

/* Starts the child of target `late`, if one is to wait. From then on only it may change the record,
 * so it starts last: when the result is printed. */
void attach_start_late(struct attach *a);

/* Undoes this ADD. Puts back what an earlier ADD of the attachment made. */
void attach_undo(struct attach *a);

/* Closes what is open. attach_undo() must not follow. */
void attach_done(struct attach *a);

#endif
