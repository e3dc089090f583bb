/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.h: merges resolver configurations as kubelet does (appendDNSConfig and its helpers in
 * pkg/kubelet/network/dns). Pure.
 */
#ifndef POD_DNS_MERGE_H
#define POD_DNS_MERGE_H

#include "resolv.h"

struct arena;

void merge_append(struct resolv_list *list, const struct resolv_list *more, struct arena *a);

/* kubelet's omitDuplicates: of equal entries the first stays. */
void merge_unique(struct resolv_list *list, struct arena *a);

/*
 * Appends the servers and searches of `layer` and removes duplicates, also those that were there
 * before. Options of `layer` replace those of the same name; the order is that of first appearance.
 */
void merge_layer(struct resolv *r, const struct resolv *layer, struct arena *a);

#endif
