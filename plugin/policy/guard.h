/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.h: repairs configurations that Kubernetes allows and that break a C library. Pure.
 *
 * Each fault was seen with glibc 2.36 or musl 1.2.3, or read in their sources (resolv/res_init.c,
 * src/network/resolvconf.c). pod-dns.conf(5), GUARDS, says what each does.
 */
#ifndef POD_DNS_GUARD_H
#define POD_DNS_GUARD_H

#include "domain.h"
#include "warn.h"

/* GUARDS_FIX: repairs the lists and warns of each repair. GUARDS_WARN: only warns. */
void guard(struct resolv *r, enum guards guards, struct warnings *w);

/* The same for servers on the node's loopback. For pods with a network of their own. */
void guard_loopback(struct resolv *r, enum guards guards, struct warnings *w);

/* Whether every lookup of glibc aborts with these searches; *which is the search to blame. */
bool guard_aborts_glibc(const struct resolv_list *searches, size_t *which);

#endif
