/*
 * verdict.h: all that ADD finds out and decides before it acts. It reads files and changes none.
 */
#ifndef POD_DNS_VERDICT_H
#define POD_DNS_VERDICT_H

#include "ask.h"
#include "conf_file.h"
#include "finished.h"
#include "place.h"
#include "policy.h"
#include "text.h"

struct verdict {
	struct network_conf network;
	struct args args;
	struct pod pod;
	enum mode mode;
	struct ask ask;
	struct ask_sources sources;
	struct decision decision;
	struct resolv resolv; /* of a COMPUTED or LEFT pod: with limits and guards */
	const char *text;     /* resolv as a file; NULL: there is nothing to write */
	struct finished finished;
	/* What the lists borrow from. */
	struct resolv prev, node;
	json_t *kept; /* owned: the record that this goes on from, or annotations */
	struct text node_text;
	struct arena *arena;
};

/*
 * Reaches one, or fails as design and pod-dns(8) say ADD fails; under `observe` what would fail is
 * a warning and the pod passes. Cleans the call's prevResult, and completes `place` with the
 * runtime's file of the pod. The caller calls verdict_done() in either case.
 */
bool verdict_reach(struct verdict *v, const struct call *call, struct place *place,
		   struct warnings *w, struct err *e);

/*
 * For a PENDING record: what the runtime's text, now that it is there, comes to with what the
 * record keeps of the call. v holds on to the record.
 */
bool verdict_resume(struct verdict *v, json_t *record, const char *runtime_text, struct warnings *w,
		    struct err *e);

/*
 * For a container that no CNI is called for: `path` is a file with the keys of a configFile, the
 * annotations are its channel. A wrong file is a warning and no text.
 */
bool verdict_without_cni(struct verdict *v, const char *path, const json_t *annotations,
			 struct warnings *w, struct err *e);

void verdict_done(struct verdict *v);

#endif
