/* SPDX-License-Identifier: Apache-2.0 */
/* attach_private.h: what the apply_*.c files share. */
#ifndef POD_DNS_ATTACH_PRIVATE_H
#define POD_DNS_ATTACH_PRIVATE_H

#include "attachment/attach.h"

/* Whether targets are to be tried. */
bool attach_has_targets(const struct attach *a);

/* Marks the first target as taken, where nothing speaks against it yet. False: something does. */
bool attach_expect_target(struct attach *a);

/*
 * Tries the targets in order until one is taken, and notes in the plan what became of each.
 * Returns why the last one was not taken, or NULL where one was taken or need not be:
 * `auto` is in the list, or the pod is KEPT or DEFERRED.
 */
const char *attach_try_targets(struct attach *a);

/*
 * Writes the record, unless a->keep. `over`: the targets have been tried. Before that, the record
 * says that the runtime's file may hold the old or the new text.
 */
bool attach_write_record(struct attach *a, const struct rundir_lock *held, bool over,
			 struct err *e);

#endif
