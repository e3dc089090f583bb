/*
 * verdict.h: all that ADD finds out and decides before it acts. It reads files and changes none.
 */
#ifndef POD_DNS_VERDICT_H
#define POD_DNS_VERDICT_H

#include "ask.h"
#include "conf_file.h"
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
	struct resolv resolv;	   /* of a COMPUTED or LEFT pod: with limits and guards */
	const char *text;	   /* resolv as a file; NULL: there is nothing to write */
	const char *finished_from; /* "capability", "file", or NULL: the runtime does not say */
	const char *runtime_text; /* the runtime's file as first read; NULL: it was not the input */
	/* What the lists borrow from. */
	struct resolv finished, prev, node;
	struct text finished_text, node_text;
	struct arena *arena;
	const char *sandbox;
};

/*
 * Reaches one, or fails as design and pod-dns(8) say ADD fails; under `observe` what would fail is
 * a warning and the pod passes. Completes `place` with the runtime's file of the pod. The caller
 * calls verdict_done() in either case.
 */
bool verdict_reach(struct verdict *v, const struct call *call, struct place *place,
		   struct warnings *w, struct err *e);

void verdict_done(struct verdict *v);

#endif
