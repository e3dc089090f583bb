/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.h: what nobody will call DEL for: now and then, records whose namespace is gone. */
#ifndef POD_DNS_SWEEP_H
#define POD_DNS_SWEEP_H

#include "state/rundir.h"
#include "warn.h"

/* Whether nobody has swept for a minute. */
bool sweep_is_due(const struct rundir *r);

/*
 * Says that it sweeps, by its stamp, then does: the calls that come meanwhile need not. ERR_IO
 * where it cannot say so: ADD could not lock either, or not write a record.
 */
bool sweep(struct rundir *r, struct warnings *w, struct err *e);

#endif
