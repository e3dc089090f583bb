/* SPDX-License-Identifier: Apache-2.0 */
/* nodecache.h: the configuration of the node's cache and of steering to it. */
#ifndef POD_DNS_NODECACHE_H
#define POD_DNS_NODECACHE_H

#include "domain.h"

extern const struct json_table nodecache_table;
json_reader nodecache_read; /* into a struct node_cache */

/* Checks it against clusterDNS, which is parsed. ERR_CONFIG, ERR_UNSUPPORTED. */
bool nodecache_check(const struct conf *c, struct err *e);

#endif
