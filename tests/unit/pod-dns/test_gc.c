/* SPDX-License-Identifier: Apache-2.0 */
/* What GC takes for valid: no attachment ends because memory does. */
#include "pod-dns/gc.c"

#include "rows.h"

static const struct row {
	const char *name, *list;
	bool memory;
	const char *says; /* NULL: the list is good */
	size_t n;
} rows[] = {
	{ "two", "[{'containerID':'a','ifname':'eth0'},{'containerID':'b','ifname':'eth0'}]", true,
	  NULL, 2 },
	{ "none", "null", true, NULL, 0 },
	{ "without an interface", "[{'containerID':'a'}]", true, "[0]", 0 },
	{ "out of memory", "[{'containerID':'a','ifname':'eth0'}]", false, "out of memory", 0 },
};

static void is_read(void **state)
{
	const struct row *row = *state;
	json_auto_t *list = json_loads(rows_json(row->list), JSON_DECODE_ANY, NULL);
	json_auto_t *valid = row->memory ? json_object() : NULL;
	struct err e = { 0 };

	assert_int_equal(add_all_valid(valid, "net", list, &e), row->says == NULL);
	assert_int_equal(e.code != 0, row->says != NULL);
	if (row->says)
		assert_non_null(strstr(e.text, row->says));
	assert_int_equal(json_object_size(valid), row->n);
}

int main(void)
{
	return RUN_ROWS("valid attachments", rows, is_read);
}
