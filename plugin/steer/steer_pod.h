/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_pod.h: steering by a table in the pod's own namespace, claimed like a file that attachments
 * share (claim.h).
 */
#ifndef POD_DNS_STEER_POD_H
#define POD_DNS_STEER_POD_H

#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/steering.h"

/* A failure leaves nothing of it. */
bool steer_pod_install(const struct rundir_lock *held, const struct pod_netns *netns,
		       const char *record, struct steering *s, struct err *e);

/*
 * Removes it, or makes it what the newest attachment that remains wants. `content` is the record,
 * or NULL; `netns` the call's CNI_NETNS, or "".
 */
bool steer_pod_release(const struct rundir_lock *held, const char *record,
		       const struct record *content, const char *netns, struct err *e);

/* A socket in the namespace `id`, or NULL: in any, if the path still leads to it; else *there is
 * false. In the plugin's own nothing is ever done. */
struct nl;
bool steer_pod_open(struct nl *nl, const char *path, const struct file_id *id, bool *there,
		    struct err *e);

bool steer_pod_check(const struct rundir_lock *held, const struct pod_netns *netns,
		     const char *record, struct steering *s, struct warnings *w, struct err *e);

#endif
