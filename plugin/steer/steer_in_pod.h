/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer_in_pod.h: work on the tables of a pod's network namespace, in a child.
 *
 * The workload may administer its namespace, and can make each transaction there take half a
 * minute, and each reader too. So what is done there once a workload may run is done
 * - by a child, which is given up after HELPER_PATIENCE;
 * - without the lock of the run folder, so that no other call waits.
 */
#ifndef POD_DNS_STEER_IN_POD_H
#define POD_DNS_STEER_IN_POD_H

#include "cni/pod_netns.h"
#include "nft/nl.h"
#include "state/record.h"

/* The namespace. */
struct steer_place {
	const struct pod_netns *call;	  /* the call's, open; NULL: the other two tell */
	const struct record_netns *known; /* the record's; NULL: any namespace at `path` */
	const char *path;		  /* of the call, or ""; used if the known path is gone */
};

/* Runs in the child, with a socket in the namespace. */
typedef bool steer_work(const struct nl *nl, void *data, struct err *e);

/*
 * Runs the work. The child has its own copy of everything but the `size` bytes of `data`, which the
 * caller has again after a success. *there: the namespace exists; else nothing is done. ERR_STEER:
 * the error of the work, or no answer in time.
 */
bool steer_in_pod(const struct steer_place *where, steer_work *work, void *data, size_t size,
		  bool *there, struct err *e);

/* Opens a socket in the namespace at `path` if it is the known one (NULL: any) and not the plugin's
 * own; else *there is false. ERR_STEER: it cannot be opened, and may be there. */
bool steer_pod_open(struct nl *nl, const char *path, const struct record_netns *known, bool *there,
		    struct err *e);

#endif
