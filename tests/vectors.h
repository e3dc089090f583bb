/* SPDX-License-Identifier: Apache-2.0 */
/* Cases that are data: each object of a JSON list is a test, reported by its "id". */
#ifndef VECTORS_H
#define VECTORS_H

#include <jansson.h>
#include "rows.h"

/* The test finds its object in *state. Returns how many failed, and 1 where the list is empty. */
static inline int run_vectors(const char *group, const json_t *list, CMUnitTestFunction test,
			      struct around around)
{
	size_t n = json_array_size(list);
	struct CMUnitTest *all = calloc(n + 1, sizeof(*all));
	int failed;

	if (!all)
		abort();
	for (size_t i = 0; i < n; i++) {
		json_t *one = json_array_get(list, i);

		all[i] = (struct CMUnitTest){
			.name = json_string_value(json_object_get(one, "id")),
			.test_func = test,
			.initial_state = one,
		};
	}
	failed = run_group(group, all, n, around);
	free(all);
	return n ? failed : 1;
}

#endif
