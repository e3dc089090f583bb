/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_pod.h: steering by a table in the pod's own namespace, which its attachments share by
 * claims (claim.h).
 */
#ifndef POD_DNS_STEER_POD_H
#define POD_DNS_STEER_POD_H

#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/rules/steering.h"

/* After a failure nothing of it is left. */
bool steer_pod_install(const struct rundir_lock *held, const struct pod_netns *netns,
		       const char *id, struct steering *s, struct err *e);

/*
 * Removes the tables, or makes them as the newest remaining attachment wants them. `content` is the
 * record or NULL, `netns` the call's CNI_NETNS or "".
 */
bool steer_pod_release(const struct rundir_lock *held, const char *id, const struct record *record,
		       const char *netns, struct err *e);

/* Opens a socket in the namespace at `path` if it is `id` (NULL: any) and not the plugin's own;
 * else *there is false. ERR_STEER: it cannot be opened, and may be there. */
struct nl;
bool steer_pod_open(struct nl *nl, const char *path, const struct file_id *id, bool *there,
		    struct err *e);

bool steer_pod_check(const struct rundir_lock *held, const struct pod_netns *netns, const char *id,
		     struct steering *s, struct warnings *w, struct err *e);

#endif
