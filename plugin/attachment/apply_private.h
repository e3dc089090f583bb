/* SPDX-License-Identifier: Apache-2.0 */
/* apply_private.h: what the parts of apply.c share. */
#ifndef POD_DNS_APPLY_PRIVATE_H
#define POD_DNS_APPLY_PRIVATE_H

#include "attachment/apply.h"

/*
 * Tries the targets, and notes in the plan what became of each. NULL, or why none was taken of
 * those that the conflist names (not where `auto` is among them, or the pod is left or undecided).
 */
const char *apply_try_targets(struct apply *a);

/*
 * Writes the record, unless what is there is to be left. `over`: the targets have been tried;
 * before, the runtime's file may come to hold the new text or keep the old.
 */
bool apply_write_record(struct apply *a, const struct rundir_lock *held, bool over, struct err *e);

#endif
