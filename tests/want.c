/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "want.h"

enum { WANT_ANY = JSON_DECODE_ANY | JSON_ALLOW_NUL };

json_t *want_one(const struct blob *b)
{
	return b->size ? json_loadb(b->data, b->size, WANT_ANY, NULL) : NULL;
}

bool want_subset(const json_t *got, const json_t *want)
{
	const char *key;
	json_t *value;

	if (json_is_object(want)) {
		json_object_foreach ((json_t *)(uintptr_t)want, key, value) {
			const json_t *there = json_object_get(got, key);

			if (!there || !want_subset(there, value))
				return false;
		}
		return json_is_object(got);
	}
	if (!json_is_array(want))
		return json_equal(got, want);
	if (json_array_size(got) != json_array_size(want))
		return false;
	for (size_t i = 0; i < json_array_size(want); i++)
		if (!want_subset(json_array_get(got, i), json_array_get(want, i)))
			return false;
	return json_is_array(got);
}

json_t *want_at(const json_t *doc, const char *pointer)
{
	json_t *at = (json_t *)(uintptr_t)doc;
	char part[128];

	while (at && *pointer == '/') {
		size_t n = strcspn(++pointer, "/");

		(void)snprintf(part, sizeof part, "%.*s", (int)n, pointer);
		at = json_is_array(at) ? json_array_get(at, strtoul(part, NULL, 10))
				       : json_object_get(at, part);
		pointer += n;
	}
	return at;
}

const char *want_text(const json_t *doc)
{
	static char ring[4][4096];
	static unsigned turn;
	char *out = ring[turn++ % 4];
	size_t n = 0;

	if (doc)
		n = json_dumpb(doc, out, sizeof ring[0] - 1, JSON_ENCODE_ANY | JSON_SORT_KEYS);
	if (!n)
		return "(nothing)";
	out[n < sizeof ring[0] ? n : sizeof ring[0] - 1] = '\0';
	return out;
}

bool want_is_error(const json_t *doc)
{
	const json_t *details = json_object_get(doc, "details");

	return json_is_string(json_object_get(doc, "cniVersion")) &&
	       json_integer_value(json_object_get(doc, "code")) > 0 &&
	       json_is_string(json_object_get(doc, "msg")) && (!details || json_is_string(details));
}

bool want_says(const json_t *error, const char *part)
{
	const char *msg = json_string_value(json_object_get(error, "msg"));
	const char *details = json_string_value(json_object_get(error, "details"));

	return (msg && strstr(msg, part)) || (details && strstr(details, part));
}

json_t *want_load(const char *text, const char *where)
{
	json_error_t e;
	json_t *doc = json_loads(text, WANT_ANY | JSON_REJECT_DUPLICATES, &e);

	if (!doc)
		stage_broken("%s:%d:%d: %s", where, e.line, e.column, e.text);
	return doc;
}

json_t *want_load_file(const char *path)
{
	struct blob b;
	json_t *doc;

	if (!blob_read(path, &b))
		stage_broken("read %s", path);
	doc = want_load(b.data, path);
	free(b.data);
	return doc;
}

char *want_replace(char *text, const char *word, const char *by)
{
	const char *from = text, *at;
	char *out = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		stage_broken("memory");
	for (; (at = strstr(from, word)); from = at + strlen(word))
		if (fwrite(from, 1, (size_t)(at - from), f) != (size_t)(at - from) ||
		    fputs(by, f) < 0)
			stage_broken("memory");
	if (fputs(from, f) < 0 || fclose(f) != 0)
		stage_broken("memory");
	free(text);
	return out;
}
