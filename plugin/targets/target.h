/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.h: plans where a pod's file goes, and writes it.
 *
 * A plan lists what `targets` means for one pod. Its targets are tried in order until one is taken.
 */
#ifndef POD_DNS_TARGET_H
#define POD_DNS_TARGET_H

#include "domain.h"
#include "targets/inplace.h"
#include "cni/pod_netns.h"
#include "state/rundir.h"
#include "targets/sandbox.h"

struct target {
	enum target_kind kind;
	const char *path; /* for messages and the record; NULL: no file is known, see `why` */
	int found;	  /* TARGET_SANDBOX: the descriptor in struct sandbox; -1: not opened yet */
	const char *why;  /* why it was not taken; NULL: it was, or was not tried */
	bool again; /* from `late`, and the file is there: only for an attachment that claimed it */
	bool taken;
	bool waits; /* the runtime's file is still to come: the child or a hook writes it */
};

struct plan {
	struct target at[TARGETS_MAX];
	size_t n;
	bool automatic; /* `auto` is in the list: it is not an error if every target fails */
};

/* Pure. Points into the arguments and the arena. */
void target_plan(struct plan *plan, const struct conf *c, const struct sandbox *sandbox,
		 const struct pod_netns *netns, struct arena *a);

/* Whether a target of that kind is in it. */
bool plan_has(const struct plan *plan, enum target_kind kind);

/*
 * Writes the text and claims the file for `record`. inplace_undo(undo) takes it back; the file of a
 * namespace goes with the release of the record. Not for TARGET_LATE (late.h). ERR_TARGET or
 * ERR_IO: nothing has changed.
 */
bool target_write(const struct target *t, const struct sandbox *sandbox,
		  const struct pod_netns *netns, struct rundir *r, const char *id, const char *text,
		  struct inplace *undo, struct err *e);

/* Claims the runtime's file of the pod for `record`, which is found by that claim. */
bool target_claim(const struct sandbox *sandbox, struct rundir *r, const char *id, struct err *e);

#endif
