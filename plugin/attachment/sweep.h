/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.h: releases attachments of namespaces that are gone: no DEL comes for them. */
#ifndef POD_DNS_SWEEP_H
#define POD_DNS_SWEEP_H

#include "state/record.h"
#include "warn.h"

/* Whether the last sweep began over a minute ago. */
bool sweep_is_due(const struct rundir *r);

/*
 * Whether the attachment is to be released: its network namespace no longer exists, or its path
 * leads to another one. A pod on the host's network: the runtime has removed its file.
 */
bool sweep_is_for(const struct record *record);

/*
 * Stamps the time first, so that calls which come meanwhile need not sweep too. ERR_IO: the lock,
 * the stamp or a test file could not be had; an ADD would fail there as well.
 */
bool sweep(struct rundir *r, struct warnings *w, struct err *e);

/* Fails where sweep() would, and an ADD. */
bool sweep_is_possible(struct rundir *r, struct err *e);

#endif
