/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_disable.h: the kill switch of steering, which makes tables dormant and wakes them.
 *
 * The kernel does not run the chains of a dormant table: queries go to the cluster's DNS as if
 * there were no rules. While the file .steer-off is in the run folder, which a reboot removes,
 * tables of new pods are made dormant too.
 */
#ifndef POD_DNS_STEER_DISABLE_H
#define POD_DNS_STEER_DISABLE_H

#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/rules/steering.h"
#include "warn.h"

/* Makes the tables of one pod's namespace dormant, or wakes them (`on`). *there: it still exists.
 * ERR_STEER. */
bool steer_disable_pod(const struct record *record, bool on, bool *there, struct err *e);

/*
 * The same for the node's table. `on` removes the file; off makes it if `keep`. Takes the lock.
 * ERR_STEER, ERR_IO.
 */
bool steer_disable_node(struct rundir *r, bool on, bool keep, struct err *e);

/* Whether the file is there. */
bool steer_is_disabled(const struct rundir *r);

/* For an ADD that has installed tables: makes them dormant if the node is switched off. */
bool steer_disable_new(const struct rundir *r, const struct pod_netns *netns,
		       const struct steering *s, struct warnings *w, struct err *e);

#endif
