/*
 * deed.h: what ADD does once it has decided: the record, the rules, the target; and taking it back.
 */
#ifndef POD_DNS_DEED_H
#define POD_DNS_DEED_H

#include "late.h"
#include "record.h"
#include "steering.h"
#include "target.h"
#include "verdict.h"

struct deed {
	const struct call *call;
	struct attachment at;
	struct place place;
	struct verdict *verdict;
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
bool deed_make_result(struct deed *d, struct err *e);

/*
 * Announces in the record, installs the rules, tries the targets and tells in the record what
 * became of it. The run folder is open. After a failure deed_undo() is to be called.
 */
bool deed_do(struct deed *d, struct err *e);

/* Takes back what was done: an ADD that fails leaves what an earlier one made, or nothing. */
void deed_undo(struct deed *d);

#endif
