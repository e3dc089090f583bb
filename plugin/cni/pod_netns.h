/* SPDX-License-Identifier: Apache-2.0 */
/* pod_netns.h: the network namespace that a call is about. */
#ifndef POD_DNS_POD_NETNS_H
#define POD_DNS_POD_NETNS_H

#include "cni/cni.h"
#include "file.h"

struct pod_netns {
	const char *path; /* CNI_NETNS; "" in a DEL that comes after the namespace */
	int fd;		  /* -1: it is not open */
	struct file_id id;
	uint64_t cookie; /* of a pod_netns_open() */
	bool own;	 /* the plugin's own: nothing ever acts on it, CNI_NETNS_OVERRIDE or not */
	bool runs;	 /* a workload may run in it: a child works there, with a deadline */
};

#define POD_NETNS_NONE ((struct pod_netns){ .path = "", .fd = -1 })

/*
 * Opens and checks CNI_NETNS for ADD, which acts on what was checked, wherever the path leads then:
 * ERR_IO if it does not open or is not a network namespace, ERR_NETNS if it is the plugin's own and
 * nothing overrides that (pkg/skel).
 */
bool pod_netns_open(struct pod_netns *n, const struct call *call, struct err *e);

/* For DEL: what can be seen of it. A path that leads nowhere leaves `id` zero. */
void pod_netns_look(struct pod_netns *n, const struct call *call);

/* ERR_NETNS where it is the plugin's own and nothing overrides that. */
bool pod_netns_check(const struct pod_netns *n, const struct call *call, struct err *e);

void pod_netns_close(struct pod_netns *n);
#define auto_pod_netns __attribute__((cleanup(pod_netns_close))) struct pod_netns

#endif
