/* SPDX-License-Identifier: Apache-2.0 */
/* apply_private.h: what the apply_*.c files share. */
#ifndef POD_DNS_APPLY_PRIVATE_H
#define POD_DNS_APPLY_PRIVATE_H

#include "attachment/apply.h"

/* Whether targets are to be tried. */
bool apply_has_targets(const struct apply *a);

/* Marks the first target as taken, where nothing speaks against it yet. False: something does. */
bool apply_expect_target(struct apply *a);

/*
 * Tries the targets in order until one is taken, and notes in the plan what became of each.
 * Returns why the last one was not taken, or NULL where one was taken or need not be:
 * `auto` is in the list, or the pod is LEFT or PENDING.
 */
const char *apply_try_targets(struct apply *a);

/*
 * Writes the record, unless a->keep. `over`: the targets have been tried. Before that, the record
 * says that the runtime's file may hold the old or the new text.
 */
bool apply_write_record(struct apply *a, const struct rundir_lock *held, bool over, struct err *e);

#endif
