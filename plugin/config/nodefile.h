/* SPDX-License-Identifier: Apache-2.0 */
/* nodefile.h: the node's own resolv.conf. */
#ifndef POD_DNS_NODEFILE_H
#define POD_DNS_NODEFILE_H

#include "domain.h"
#include "err.h"
#include "text.h"

/* kubelet reads at most 10 MiB less one byte (pkg/kubelet/network/dns, parseResolvConf). */
enum { NODEFILE_MAX = 10 * 1024 * 1024 - 1 };

/* Read when it is first asked for, once for all pods of one configuration. { 0 }: not read yet. */
struct nodefile {
	bool is_read;
	struct err fault;
	struct resolv lists; /* marked FROM_NODE */
	struct text buffer;  /* what the lists borrow from */
};

/*
 * What conf's resolvConf says. Where the key is absent and /etc/resolv.conf names only loopback
 * addresses, the file that systemd-resolved keeps of the real servers is read instead, if there is
 * one. With "" nothing is read and the lists are empty. NULL: ERR_IO names the file, and the line
 * of a nameserver without a value. Entries that may not stand in a file are still there.
 */
const struct resolv *nodefile_lists(struct nodefile *n, const struct conf *c, struct err *e);

void nodefile_done(struct nodefile *n);

#endif
