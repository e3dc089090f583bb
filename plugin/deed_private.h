/* deed_private.h: what the parts of deed.c share. */
#ifndef POD_DNS_DEED_PRIVATE_H
#define POD_DNS_DEED_PRIVATE_H

#include "deed.h"

/*
 * Tries the targets, and notes in the plan what became of each. NULL, or why none was taken of
 * those that the conflist names (not where `auto` is among them, or the pod is left or undecided).
 */
const char *deed_try_targets(struct deed *d);

#endif
