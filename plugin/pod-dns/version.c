/* SPDX-License-Identifier: Apache-2.0 */
/* version.c: VERSION. Does not read stdin: old versions of libcni send no JSON. */
#include "pod-dns/verbs.h"

static bool version(const struct call *call UNUSED, FILE *out, struct warnings *w UNUSED,
		    struct err *e)
{
	return cni_print_versions(out, e);
}

const struct verb verb_version = { .command = "VERSION", .no_stdin = true, .run = version };
