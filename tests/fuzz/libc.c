/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a resolv.conf and, behind the last line, the name: both libcs foretold. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "pod-dnsctl/lookup/queries.h"

static struct libc_lookup lookup;
static struct libc_conf conf;

static void look_up(const struct queries *q, enum libc libc)
{
	queries_look_up(&lookup, &conf, q, libc);
	if (conf.n == 0 || conf.n > LIBC_SERVERS || lookup.n > LIBC_QUERIES)
		abort();
	for (size_t i = 0; i < lookup.n; i++)
		if (!*lookup.at[i].name || strlen(lookup.at[i].name) > 253)
			abort();
}

static void look_up_all(const struct queries *q)
{
	look_up(q, LIBC_GLIBC);
	look_up(q, LIBC_MUSL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	char *line = strrchr(text, '\n');
	const struct queries_known known = { "www.example.com", LIBC_FOUND };
	struct arena arena = { 0 };
	struct queries q = {
		.text = text, .autopath_zone = "ap.k8s.io", .known = &known, .n = 1, .arena = &arena
	};

	struct queries with;

	q.name = line ? arena_print(&arena, "%s", line + 1) : "www.example.com";
	look_up_all(&q);
	with = queries_with_ndots(&q);
	look_up_all(&with);
	if (queries_with_autopath(&with, &q))
		look_up_all(&with);
	arena_done(&arena);
	free(text);
	return 0;
}
