/* SPDX-License-Identifier: Apache-2.0 */
/* cluster_dns.h: the addresses of the cluster's DNS. */
#ifndef POD_DNS_CLUSTER_DNS_H
#define POD_DNS_CLUSTER_DNS_H

#include "domain.h"

struct warnings;

/*
 * Parses c->cluster_dns_words into c->cluster_dns. An entry that is not an address is dropped with
 * a warning, as kubelet does. False: out of memory.
 */
bool cluster_dns_read(struct conf *c, struct warnings *w, struct err *e);

/* Whether the server, in any spelling, is one of clusterDNS. */
bool cluster_dns_has(const struct conf *c, const char *server);

#endif
