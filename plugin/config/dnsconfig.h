/* SPDX-License-Identifier: Apache-2.0 */
/* dnsconfig.h: dnsConfig as an operator or a pod writes it (KEP-504's PodDNSConfig). */
#ifndef POD_DNS_DNSCONFIG_H
#define POD_DNS_DNSCONFIG_H

#include "domain.h"

struct arena;

/*
 * Reads {nameservers, searches (or search), options: [{name, value}]} into a struct dns_config;
 * unknown keys are errors. Each entry is validated as Kubernetes does (pkg/apis/core/validation,
 * validatePodDNSConfig, v1.34: relaxed searches, lenient addresses). In addition an option's name
 * and value may hold no white space and no control character: these would add words to the file.
 */
json_reader dnsconfig_read;
extern const struct json_table dnsconfig_table;

/* The same for CNI_ARGS. The object's keys are DNS_NAMESERVERS, DNS_SEARCHES and DNS_OPTIONS. */
bool dnsconfig_read_args(const json_t *v, struct dns_config *d, struct err *e);

/*
 * Whether Kubernetes would admit it: 3 servers, 32 searches of 2048 characters in all. `of_args`:
 * the error names the keys of CNI_ARGS.
 */
bool dnsconfig_fits_pod(const struct dns_config *d, bool of_args, struct err *e);

/* The inverse of dnsconfig_read(); the caller's. */
json_t *dnsconfig_json(const struct dns_config *d);

/* Makes lists of it, with each entry marked `from`. Option tokens lie in the arena. */
void dnsconfig_lists(struct resolv *r, const struct dns_config *d, int from, struct arena *a);

#endif
