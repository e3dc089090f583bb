/* SPDX-License-Identifier: Apache-2.0 */
/* json_encode.c: JSON written by the tables that read it. */
#include "json_encode.h"

#include <string.h>

static int put_dumped(const char *s, size_t len, void *out)
{
	text_put(out, s, len);
	return text_ok(out) ? 0 : -1;
}

static void put_value(struct text *out, const json_t *value)
{
	if (json_dump_callback(value, put_dumped, out, JSON_COMPACT | JSON_ENCODE_ANY) < 0)
		out->failed = true;
}

static bool needs_no_escape(const char *s)
{
	for (; *s; s++)
		if (*s < ' ' || *s > '~' || *s == '"' || *s == '\\')
			return false;
	return true;
}

static void put_plain(struct text *out, const char *s)
{
	text_put(out, "\"", 1);
	text_put(out, s, strlen(s));
	text_put(out, "\"", 1);
}

void json_put_string(struct text *out, const char *s)
{
	json_auto_t *value = NULL;

	if (needs_no_escape(s)) {
		put_plain(out, s);
		return;
	}
	value = json_string_nocheck(s); /* the dump checks it */
	put_value(out, value);
}

static void put_null_if_absent(struct text *out, size_t value)
{
	if (out->len == value)
		text_put(out, "null", strlen("null"));
}

static void put_member(struct text *out, const struct json_row *row, const void *in)
{
	size_t before = out->len, value;

	if (out->at[before - 1] != '{')
		text_put(out, ",", 1);
	put_plain(out, row->key);
	text_put(out, ":", 1);
	value = out->len;
	row->write(out, row, (const char *)in + row->at);
	if (row->nullable)
		put_null_if_absent(out, value);
	else if (out->len == value)
		text_cut(out, before);
}

void json_encode(struct text *out, const struct json_table *table, const void *in)
{
	text_put(out, "{", 1);
	for (size_t i = 0; text_ok(out) && i < table->n; i++)
		if (table->row[i].write)
			put_member(out, &table->row[i], in);
	text_put(out, "}", 1);
}

void json_write_text(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	const char *text = *(const char *const *)in;

	if (text)
		json_put_string(out, text);
}

void json_write_bool(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	const char *word = *(const bool *)in ? "true" : "false";

	text_put(out, word, strlen(word));
}

void json_write_uint(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	text_print(out, "%u", *(const unsigned *)in);
}

void json_write_word(struct text *out, const struct json_row *row, const void *in)
{
	int word = *(const int *)in;

	if (word >= 0)
		json_put_string(out, row->words[word]);
}

void json_write_any(struct text *out, const struct json_row *row UNUSED, const void *in)
{
	const json_t *value = *(const json_t *const *)in;

	if (value)
		put_value(out, value);
}

void json_write_object(struct text *out, const struct json_row *row, const void *in)
{
	json_encode(out, row->table, in);
}

void json_put_list(struct text *out, const struct json_row *row, const void *items, size_t n)
{
	text_put(out, "[", 1);
	for (size_t i = 0; i < n; i++) {
		size_t item;

		if (i)
			text_put(out, ",", 1);
		item = out->len;
		row->write_item(out, row, (const char *)items + i * row->size);
		put_null_if_absent(out, item);
	}
	text_put(out, "]", 1);
}

void json_write_list(struct text *out, const struct json_row *row, const void *in)
{
	const size_t *n = in; /* JSON_LIST: the items follow */

	json_put_list(out, row, n + 1, *n);
}
