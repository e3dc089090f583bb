/* SPDX-License-Identifier: Apache-2.0 */
/* node_resolv.h: the node's own resolv.conf. */
#ifndef POD_DNS_NODEFILE_H
#define POD_DNS_NODEFILE_H

#include "arena.h"
#include "domain.h"
#include "err.h"
#include "text.h"

/* kubelet reads at most 10 MiB less one byte (pkg/kubelet/network/dns, parseResolvConf). */
enum { NODE_RESOLV_MAX = 10 * 1024 * 1024 - 1 };

/* The file in which systemd-resolved keeps the real servers. */
#define NODE_RESOLV_RESOLVED "/run/systemd/resolve/resolv.conf"

enum { NODE_RESOLV_SERVERS = 3 }; /* that kubelet hands on: validation.MaxDNSNameservers */

/* The file is read at the first request, once for all pods of a configuration. Begins as { 0 }. */
struct node_resolv {
	bool is_read;
	const char *path; /* of the file that was read last; NULL: none */
	struct err fault;
	struct resolv lists; /* marked FROM_NODE */
	struct text buffer;  /* the words of the lists */
	struct arena arena;  /* their arrays */
};

/*
 * The lists of the file that resolvConf names.
 * - Without the key: /etc/resolv.conf, but if that names only loopback addresses, the file in which
 *   systemd-resolved keeps the real servers, where it exists.
 * - With "": empty lists; nothing is read.
 * NULL with ERR_IO: the file cannot be read, or a nameserver line is empty. The lists may hold
 * entries that policy_clean() drops.
 */
const struct resolv *node_resolv_lists(struct node_resolv *n, const struct conf *c, struct err *e);

/*
 * The text that kubelet's `Default` gives a pod on this node: those lists, with at most
 * NODE_RESOLV_SERVERS nameservers (pkg/kubelet/network/dns, GetPodDNS). In the arena; NULL as
 * above.
 */
const char *node_resolv_text(struct node_resolv *n, const struct conf *c, struct arena *a,
			     struct err *e);

void node_resolv_done(struct node_resolv *n);

#endif
