/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.h: where the file goes, and putting it there.
 *
 * A plan is what `targets` comes to for one pod; its targets are tried in order until one is taken.
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
	const char *path; /* the file, for people; NULL: none is known, `why` says more */
	int found;	  /* sandbox: the file, held by struct sandbox; -1: to be found yet */
	const char *why;  /* why it was not taken; NULL: it was not tried, or taken */
	bool again; /* `late`, and the file is there: for an ADD of an attachment that has it */
	bool taken;
	bool waits; /* late: for the runtime to write the file; a child of ours may wait, or a hook
		     */
};

struct plan {
	struct target at[TARGETS_MAX];
	size_t n;
	bool automatic; /* `auto` is in the list: that none is taken is a warning, not an error */
};

/* Paths that it composes lie in the arena. */
void target_plan(struct plan *plan, const struct conf *c, const struct sandbox *sandbox,
		 const struct pod_netns *netns, struct arena *a);

/*
 * Puts text there and claims the file for `record`. *undo holds what inplace_undo() needs to take
 * it back; for a netns file releasing the record does. Late targets are late.h's. ERR_TARGET or
 * ERR_IO, with nothing changed.
 */
bool target_write(const struct target *t, const struct sandbox *sandbox,
		  const struct pod_netns *netns, struct rundir *r, const char *record,
		  const char *text, struct inplace *undo, struct err *e);

/* Claims the runtime's file of the pod for `record`: whoever finds the claim finds the record. */
bool target_claim(const struct sandbox *sandbox, struct rundir *r, const char *record,
		  struct err *e);

#endif
