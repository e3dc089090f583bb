/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcni_cache.h: what libcni keeps of each attachment (containernetworking/cni, libcni/api.go,
 * cachedInfo): the call's arguments, what the runtime gave, and the chain's result.
 */
#ifndef POD_DNSCTL_LIBCNI_CACHE_H
#define POD_DNSCTL_LIBCNI_CACHE_H

#include "arena.h"
#include "state/record.h"

#include <jansson.h>

/* The usual folder, and the option of a verb that names another. */
#define LIBCNI_CACHE "/var/lib/cni/results"
#define LIBCNI_CACHE_OPTION                                          \
	{                                                            \
		.name = "cache-dir", .value = "DIR",                 \
		.help = "libcni's cache\n(default " LIBCNI_CACHE ")" \
	}

/* The entry in file `name` of an open folder; the caller's. NULL: it cannot be read. */
json_t *libcni_cache_open(int folder, const char *name);

/* The entry of an attachment; the caller's. NULL: it cannot be read. */
json_t *libcni_cache_read(const char *folder, const struct attachment *at, struct arena *a);

/* The value of an argument in CNI_ARGS; NULL: it is missing. Lies in the entry. */
const char *libcni_cache_arg(const json_t *entry, const char *name);

/* CNI_ARGS, "K=V;K=V", in the arena. NULL: too long, or out of memory. */
const char *libcni_cache_args(const json_t *entry, struct arena *a);

/* The path of the pod's network namespace; NULL: unknown. Lies in the entry. */
const char *libcni_cache_netns(const json_t *entry);

/* The plugin's object as libcni hands it down: a copy, with runtimeConfig by its capabilities. The
 * caller's; NULL: out of memory. */
json_t *libcni_cache_network(const json_t *entry, const json_t *object);

#endif
