/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.h: what Kubernetes allows and yet breaks a libc, and its repair. Pure.
 *
 * Each was seen on glibc 2.36 or musl 1.2.3, or read in their sources (resolv/res_init.c,
 * src/network/resolvconf.c); pod-dns.conf(5), GUARDS, says what happens without.
 */
#ifndef POD_DNS_GUARD_H
#define POD_DNS_GUARD_H

#include "domain.h"
#include "warn.h"

/* With GUARDS_FIX the lists are repaired, with a warning each; with GUARDS_WARN there is only that.
 */
void guard(struct resolv *r, enum guards guards, struct warnings *w);

/* Whether every lookup of glibc aborts with these searches: *which is the one that makes it so. */
bool guard_aborts_glibc(const struct resolv_list *searches, size_t *which);

#endif
