/* nodefile.h: the node's own resolv.conf. */
#ifndef POD_DNS_NODEFILE_H
#define POD_DNS_NODEFILE_H

#include "domain.h"
#include "err.h"
#include "text.h"

/* kubelet reads at most 10 MiB less one byte (pkg/kubelet/network/dns, parseResolvConf). */
enum { NODEFILE_MAX = 10 * 1024 * 1024 - 1 };

/*
 * Reads conf's resolvConf into `r`, whose words lie in `buffer`; entries are marked FROM_NODE.
 * Where the key is absent and /etc/resolv.conf names only loopback addresses, the file that
 * systemd-resolved keeps of the real servers is read instead, if there is one. With "" nothing is
 * read. ERR_IO names the file, and the line of a nameserver without a value.
 */
bool nodefile_read(struct resolv *r, struct text *buffer, const struct conf *c, struct err *e);

#endif
