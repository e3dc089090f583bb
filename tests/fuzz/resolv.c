/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a node's or a runtime's resolv.conf: what is left of it renders and reads back. */
#include "fuzz.h"

#include <stdlib.h>

#include "arena.h"
#include "policy/policy.h"
#include "warn.h"

static void read_as(const uint8_t *data, size_t size, enum resolv_dialect dialect)
{
	static struct resolv r;
	static struct warnings warnings;
	struct arena arena = { 0 };
	char *text = fuzz_copy(data, size);

	warnings = (struct warnings){ .arena = &arena };
	(void)resolv_parse(&r, text, size, dialect, 0, &arena);
	policy_clean(&r, "file", &warnings);
	fuzz_check(&r);
	arena_done(&arena);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_as(data, size, RESOLV_NODE);
	read_as(data, size, RESOLV_VERBATIM);
	return 0;
}
