/* SPDX-License-Identifier: Apache-2.0 */
/* Pod objects out of a file: one, or a List. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "rows.h"
#include "pod-dnsctl/inventory/pods.h"

static const struct row {
	const char *name, *in;
	const char *names; /* of the items; NULL: an error, after those before it */
	bool list;
	const char *error;
} rows[] = {
	{ "one", "{'kind':'Pod','metadata':{'name':'a'}}", "a ", false, NULL },
	{ "a list", "{'items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}],'kind':'List'}",
	  "a b ", true, NULL },
	{ "an empty list", "{'items': [ ] }", "", true, NULL },
	{ "brackets and quotes in a string",
	  "{'items':[{'x':'}]{[\\\\\\'','metadata':{'name':'a'}} , {'metadata':{'name':'b'}}]}",
	  "a b ", true, NULL },
	{ "items deeper are no items",
	  "{'kind':'Pod','metadata':{'name':'a','items':[{'metadata':{'name':'b'}}]}}", "a ", false,
	  NULL },
	{ "a value called items",
	  "{'kind':'items','x':[{'metadata':{'name':'b'}}],'metadata':{'name':'a'}}", "a ", false,
	  NULL },
	{ "a number in a list", "{'items':[{'metadata':{'name':'a'}},1]}", "a ", true,
	  "items[1]: expected an object" },
	{ "a list that is cut", "{'items':[{'metadata':{'name':'a'}},", "", false, "near" },
	{ "nothing", "", "", false, "near" },
};

static void reads(void **state)
{
	const struct row *row = *state;
	char path[] = "/tmp/pdt-pods-XXXXXX", got[64] = "";
	int fd = mkstemp(path);
	const char *in = rows_json(row->in);
	struct err e = { 0 };
	struct pods pods;
	json_t *pod;

	assert_int_equal(write(fd, in, strlen(in)), strlen(in));
	(void)close(fd);
	(void)pods_open(&pods, path, &e);
	(void)unlink(path);
	while (!e.code && (pod = pods_next(&pods, &e))) {
		const json_t *name = json_object_get(json_object_get(pod, "metadata"), "name");

		(void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s ",
			       json_string_value(name));
	}
	assert_string_equal(got, row->names);
	assert_int_equal(pods.list, row->list);
	if (row->error)
		assert_non_null(strstr(e.text, row->error));
	else
		assert_string_equal(e.text, "");
	pods_close(&pods);
}

int main(void)
{
	return RUN_ROWS("pods", rows, reads);
}
