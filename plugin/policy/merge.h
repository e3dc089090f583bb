/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.h: one resolver configuration over another, as kubelet merges them (appendDNSConfig and its
 * helpers in pkg/kubelet/network/dns). Pure.
 */
#ifndef POD_DNS_MERGE_H
#define POD_DNS_MERGE_H

#include "resolv.h"

struct arena;

void merge_append(struct resolv_list *list, const struct resolv_list *more);

/* kubelet's omitDuplicates: the first of equal bytes stays. */
void merge_unique(struct resolv_list *list);

/*
 * Servers and searches of `layer` are appended, each once; its options override by name, in the
 * order of first appearance. Also what was there is made unique: as kubelet does.
 */
void merge_layer(struct resolv *r, const struct resolv *layer, struct arena *a);

#endif
