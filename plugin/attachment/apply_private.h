/* apply_private.h: what the parts of apply.c share. */
#ifndef POD_DNS_APPLY_PRIVATE_H
#define POD_DNS_APPLY_PRIVATE_H

#include "attachment/apply.h"

/*
 * Tries the targets, and notes in the plan what became of each. NULL, or why none was taken of
 * those that the conflist names (not where `auto` is among them, or the pod is left or undecided).
 */
const char *apply_try_targets(struct apply *a);

#endif
