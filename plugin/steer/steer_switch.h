/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_switch.h: the kill switch of steering: tables made dormant, and woken again.
 *
 * The kernel runs no chain of a dormant table: queries go to the cluster's DNS as if there were no
 * rules. The file .steer-off in the run folder holds for pods to come, until it is removed or the
 * node boots: their tables are made, and made dormant.
 */
#ifndef POD_DNS_STEER_SWITCH_H
#define POD_DNS_STEER_SWITCH_H

#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/steering.h"
#include "warn.h"

/* The table of one pod's namespace. *there: the namespace still is. ERR_STEER. */
bool steer_switch_pod(const struct record *content, bool on, bool *there, struct err *e);

/*
 * The node's table. `on` removes the file; with `keep`, off makes it. Takes the lock. ERR_STEER,
 * ERR_IO.
 */
bool steer_switch_node(struct rundir *r, bool on, bool keep, struct err *e);

/* For an ADD that has installed: makes it dormant where the node is switched off. */
bool steer_switch_keep(const struct rundir_lock *held, const struct pod_netns *netns,
		       const struct steering *s, struct warnings *w, struct err *e);

#endif
