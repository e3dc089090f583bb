/* account.h: the record of an ADD, as JSON: its inputs, its decision, what became of it. */
#ifndef POD_DNS_ACCOUNT_H
#define POD_DNS_ACCOUNT_H

#include "state/record.h"
#include "targets/target.h"
#include "attachment/compute.h"

/*
 * `over`: the targets have been tried; before, the runtime's file may come to hold the new text or
 * keep the old. `printed` is the `dns` that ADD prints, NULL where it passes prevResult's through
 * or leaves it out. NULL: out of memory. The caller owns it.
 */
json_t *account_make(const struct attachment *at, const struct pod_netns *netns,
		     const struct computed *v, const struct plan *plan, bool over,
		     const json_t *printed, const json_t *steering, const struct warnings *w);

/*
 * Brings a PENDING record up to date with what was decided since (compute_for_record). False: out
 * of memory.
 */
bool account_settle(json_t *record, const struct computed *v, const struct warnings *w);

#endif
