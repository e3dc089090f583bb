/* SPDX-License-Identifier: Apache-2.0 */
/* What a name costs where the server walks the search list: files that name the autopath zone. */
#include "pod-dnsctl/lookup/queries.h"
#include "rows.h"

#include <string.h>

#define CLASSIC "shop.svc.cluster.local svc.cluster.local cluster.local"
#define ZONE	"search.shop.cluster.local.ap.k8s.io"
#define REST	"\nnameserver 10.96.0.10\noptions ndots:5\n"

static const struct row {
	const char *name, *text, *asked, *exists;
	size_t total;
} rows[] = {
	{ "an outside name, classic", "search " CLASSIC REST, "www.example.com", "www.example.com",
	  8 },
	{ "an outside name", "search " ZONE " " CLASSIC REST, "www.example.com", "www.example.com",
	  2 },
	{ "a service", "search " ZONE " " CLASSIC REST, "api", "api.shop.svc.cluster.local", 2 },
	{ "a service, the zone alone", "search " ZONE REST, "api", "api.shop.svc.cluster.local",
	  2 },
	{ "a service of another namespace, the zone alone", "search " ZONE REST, "api.bar",
	  "api.bar.svc.cluster.local", 2 },
	{ "a name that is nowhere", "search " ZONE " " CLASSIC REST, "www.example.com", NULL, 10 },
	{ "another zone", "search search.shop.cluster.local.ap.example " CLASSIC REST,
	  "www.example.com", "www.example.com", 10 },
};

static void costs(void **state)
{
	const struct row *row = *state;
	auto_arena a = { 0 };
	struct queries_known known = { row->exists, LIBC_FOUND };
	struct queries q = {
		.name = row->asked,
		.text = row->text,
		.autopath_zone = "ap.k8s.io",
		.n = row->exists != NULL,
		.known = &known,
		.arena = &a,
	};
	struct libc_lookup lookup = { .n = 0 };
	struct libc_conf conf;

	for (int libc = LIBC_GLIBC; libc <= LIBC_MUSL; libc++) {
		queries_look_up(&lookup, &conf, &q, (enum libc)libc);
		assert_int_equal(lookup.n, row->total);
	}
}

int main(void)
{
	return RUN_ROWS("queries", rows, costs);
}
