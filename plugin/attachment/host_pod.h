/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_pod.h: the DNS of a pod on the host's network, by a rule with hostNetwork.
 *
 * CNI is not called for such a pod. Its base is the runtime's text, and the rule's dnsConfig is
 * merged into it. It is not steered and not measured. Its record has the interface
 * RECORD_HOST_IFNAME, and is released when the runtime has removed the pod's file.
 */
#ifndef POD_DNS_HOST_POD_H
#define POD_DNS_HOST_POD_H

#include "config/conf_file.h"
#include "state/rundir.h"
#include "targets/sandbox.h"
#include "warn.h"

struct host_pod {
	const struct network_conf *network;
	const char *network_name;
	struct pod pod; /* with host_network */
	const char *container_id;
};

/* Whether a rule with hostNetwork matches the pod, and its mode is not off. */
bool host_pod_is_chosen(const struct host_pod *p);

enum host_pod_result {
	HOST_POD_LEFT, /* it has a record already, its mode is observe, or nothing is to be written
			*/
	HOST_POD_WRITTEN,
	HOST_POD_MISSED, /* *e says why; nothing is left behind */
};

/* Writes the record and the file, before a container of the pod exists. */
enum host_pod_result host_pod_write(const struct rundir_lock *held, const struct host_pod *p,
				    const struct sandbox_file *file, struct warnings *w,
				    struct err *e);

#endif
