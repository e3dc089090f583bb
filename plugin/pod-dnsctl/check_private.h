/* SPDX-License-Identifier: Apache-2.0 */
/* check_private.h: the parts of `check`. Each adds what it finds. */
#ifndef POD_DNSCTL_CHECK_PRIVATE_H
#define POD_DNSCTL_CHECK_PRIVATE_H

#include "config/conf_file.h"
#include "pod-dnsctl/conflist.h"
#include "pod-dnsctl/findings.h"

/* Where the plugin stands in the chain, and what the runtime makes of it. */
void check_chain(const struct conflist *list, struct findings *f);

/* Whether the keys say what they seem to: once they are decoded without a fault. */
void check_meaning(const struct conf *c, struct findings *f);

/* What a pod of no name, and one of each rule, would get. */
void check_pods(const struct network_conf *network, struct findings *f);

/* Whether kubelet is configured the same. False, with a finding, where the file cannot be read. */
bool check_kubelet(const struct conf *c, const char *path, struct findings *f);

/* The schema of the plugin's object; the caller's. */
json_t *check_schema(void);

#endif
