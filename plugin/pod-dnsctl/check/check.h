/* SPDX-License-Identifier: Apache-2.0 */
/* check.h: the parts of `check`. Each adds what it finds. */
#ifndef POD_DNSCTL_CHECK_H
#define POD_DNSCTL_CHECK_H

#include "config/conf_file.h"
#include "config/conflist.h"
#include "pod-dnsctl/check/findings.h"

/* All of the checks on a file. `kubelet` may be NULL. */
void check_conflist(const char *path, const char *kubelet, struct findings *f);

/* The checks of a configFile that belongs to no conflist yet, as that of the hook. */
void check_config_file(const char *path, struct findings *f);

/* The plugin's place in the chain, CNI version, capabilities. */
void check_chain(const struct conflist *list, struct findings *f);

/* The types that libcni wants, of all plugins of the chain. */
void check_types(const struct conflist *list, struct findings *f);

/* Keys of our object that pod-dns does not read, and keys that are there twice. */
void check_unread_keys(const struct conflist *list, struct findings *f);

/* Values that do nothing, or harm. */
void check_values(const struct conf *c, struct findings *f);

/* Keys that are probably not what is meant; they are decoded without a fault. */
void check_meaning(const struct conf *c, struct findings *f);

/* Computes for a pod without a name, and for one of each rule. */
void check_pods(const struct network_conf *network, struct findings *f);

/* Compares with kubelet's configuration. False, with a finding: that file cannot be read. */
bool check_kubelet(const struct conf *c, const char *path, struct findings *f);

/* The schema of the plugin's object; the caller's. */
json_t *check_schema(void);

#endif
