/* SPDX-License-Identifier: Apache-2.0 */
/*
 * args.h: CNI_ARGS, "K=V;K=V". It is lenient, as a plugin must be that wants a few keys of many: a
 * part without "=" and unknown keys are ignored, and a value may contain "=". A key with two
 * different values is an error, because the order of containerd's is random; IgnoreUnknown is not
 * read: it may have any value.
 */
#ifndef POD_DNS_ARGS_H
#define POD_DNS_ARGS_H

#include "arena.h"
#include "err.h"

enum { ARGS_MAX = 256 };

struct args {
	size_t n;
	struct arg {
		const char *key, *value;
	} * at; /* in the arena, as the strings are */
};

/* ERR_ENV for a key with two values, and for more than ARGS_MAX keys; ERR_IO without memory. */
bool args_parse(struct args *out, const char *text, struct arena *a, struct err *e);

/* "" where the key is absent: in CNI_ARGS an empty value is an absent one. */
const char *args_get(const struct args *args, const char *key);

bool args_have_prefix(const struct args *args, const char *prefix);

#endif
