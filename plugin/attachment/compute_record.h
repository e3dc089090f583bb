/* SPDX-License-Identifier: Apache-2.0 */
/* compute_record.h: what was computed for a pod, as its record says it. */
#ifndef POD_DNS_COMPUTE_RECORD_H
#define POD_DNS_COMPUTE_RECORD_H

#include "attachment/compute.h"
#include "state/record.h"

/*
 * All that follows from the computation, which it borrows from; not what is done with it. `o` is
 * the outcome that the pod has, or will have.
 */
void compute_record(struct record *record, const struct computed *c, const struct outcome *o);

/* The same in a record that was PENDING: what was decided since. */
void compute_record_decision(struct record *record, const struct computed *c,
			     const struct outcome *o);

#endif
