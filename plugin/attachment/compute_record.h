/* SPDX-License-Identifier: Apache-2.0 */
/* compute_record.h: what was computed for a pod, put into its record. */
#ifndef POD_DNS_COMPUTE_RECORD_H
#define POD_DNS_COMPUTE_RECORD_H

#include "attachment/compute.h"
#include "state/record.h"

/*
 * Fills all members that follow from the computation; those that follow from carrying it out stay.
 * `o` is the pod's outcome. The record points into *c.
 */
void compute_record(struct record *record, const struct computed *c, const struct outcome *o);

/* Fills only the members that a later decision for a DEFERRED pod changes. */
void compute_record_decision(struct record *record, const struct computed *c,
			     const struct outcome *o);

#endif
