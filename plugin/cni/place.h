/* place.h: where a call's pod is: its namespace, its process, the runtime's files of it. */
#ifndef POD_DNS_PLACE_H
#define POD_DNS_PLACE_H

#include "cni/cni.h"
#include "file.h"

struct place {
	const char *container_id;
	const char *netns; /* the path; "" in a DEL that comes after the namespace */
	struct file_id netns_id;
	bool own_netns; /* CNI_NETNS_OVERRIDE, and it is the plugin's: no target acts on it */
	bool cri;
	const char *sandbox; /* the runtime's file of the pod; NULL: none is known */
	/* Where containerd 2.x will write it; NULL: not known, or it is there. */
	const char *expected;
	const char *node_file; /* conf's resolvConf, or NULL */
};

/*
 * Opens and checks CNI_NETNS for ADD: ERR_IO where it does not open or is no network namespace,
 * ERR_NETNS where it is the plugin's own and nothing overrides that (pkg/skel).
 */
bool place_open(struct place *p, const struct call *call, struct err *e);

/* For DEL: a path that does not open is well. */
bool place_open_if_there(struct place *p, const struct call *call, struct err *e);

#endif
