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
	const struct call *call;
	struct attachment at;
	struct pod_netns netns;
	struct sandbox sandbox;
	struct computed *verdict;
	struct plan plan;
	struct rundir run;
	char record[RECORD_PATH];
	json_t *earlier; /* this attachment's record, by an earlier ADD */
	bool keep;	 /* …or another's record in its place, which is left as it is */
	bool announced;	 /* the record may be this ADD's: there is something to undo */
	json_t *result;
	struct inplace undo;
	struct late late;
	struct steering steering;
	bool steers;		    /* the pod gets rules, as steering says */
	bool installed;		    /* …and has them */
	struct addresses addresses; /* the pod's own */
	struct warnings *w;
};

/* The result to print: ours where the pod gets a configuration of ours, else prevResult. */
bool apply_make_result(struct apply *d, struct err *e);

/*
 * Announces in the record, installs the rules, tries the targets and tells in the record what
 * became of it. The run folder is open. After a failure apply_undo() is to be called.
 */
bool apply(struct apply *d, struct err *e);

/* Takes back what was done: an ADD that fails leaves what an earlier one made, or nothing. */
void apply_undo(struct apply *d);

#endif
