/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply.h: what ADD does once it has decided: the record, the rules, the target; and taking it
 * back.
 */
#ifndef POD_DNS_APPLY_H
#define POD_DNS_APPLY_H

#include "attachment/late.h"
#include "state/record.h"
#include "steer/steering.h"
#include "targets/target.h"
#include "attachment/compute.h"

struct apply {
	const struct computed *computed;
	const json_t *prev_result; /* cleaned */
	struct attachment at;
	struct pod_netns netns;
	struct sandbox sandbox;
	struct plan plan;
	struct rundir run;
	char record[RECORD_PATH];
	struct record earlier; /* this attachment's record, by an earlier ADD */
	bool repeated;	       /* …and whether there is one */
	bool keep;	       /* …or another's record in its place, which is left as it is */
	bool announced;	       /* the record may be this ADD's: there is something to undo */
	const struct outcome *outcome; /* of those computed, once the rules are there or not */
	bool served; /* the pod has that outcome; else prevResult passes through */
	struct inplace undo;
	struct late late;
	struct steering steering;   /* as computed; what the kernel lacks of it is noted here */
	bool installed;		    /* the pod has its rules */
	struct addresses addresses; /* the pod's own */
	struct warnings *w;
};

/*
 * Announces in the record, installs the rules, tries the targets and tells in the record what
 * became of it. The run folder is open. After a failure apply_undo() is to be called.
 */
bool apply(struct apply *a, struct err *e);

/* Takes back what was done: an ADD that fails leaves what an earlier one made, or nothing. */
void apply_undo(struct apply *a);

/* Closes what is open; apply_undo() can do nothing then. */
void apply_done(struct apply *a);

#endif
