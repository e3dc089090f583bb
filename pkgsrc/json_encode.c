/* SPDX-License-Identifier: Apache-2.0 */
/* json_encode.c: JSON written by the tables that read it. */
#include "json_encode.h"

json_t *json_encode(const struct json_table *table, const void *in)
{
	json_t *object = json_object();

	for (size_t i = 0; object && i < table->n; i++) {
		const struct json_row *row = &table->row[i];
		json_t *value;

		if (!row->write)
			continue;
		value = row->write(row, (const char *)in + row->at);
		if ((json_is_null(value) && !row->nullable) ||
		    json_object_set_new(object, row->key, value) == 0)
			continue;
		json_decref(object);
		object = NULL;
	}
	return object;
}

json_t *json_write_text(const struct json_row *row UNUSED, const void *in)
{
	const char *text = *(const char *const *)in;

	return text ? json_string(text) : json_null();
}

json_t *json_write_bool(const struct json_row *row UNUSED, const void *in)
{
	return json_boolean(*(const bool *)in);
}

json_t *json_write_uint(const struct json_row *row UNUSED, const void *in)
{
	return json_integer(*(const unsigned *)in);
}

json_t *json_write_word(const struct json_row *row, const void *in)
{
	int word = *(const int *)in;

	return word < 0 ? json_null() : json_string(row->words[word]);
}

json_t *json_write_any(const struct json_row *row UNUSED, const void *in)
{
	const json_t *value = *(const json_t *const *)in;

	return value ? json_incref((json_t *)value) : json_null();
}

json_t *json_write_object(const struct json_row *row, const void *in)
{
	return json_encode(row->table, in);
}

json_t *json_write_list(const struct json_row *row, const void *in)
{
	const char *items = (const char *)in + sizeof(size_t); /* JSON_LIST */
	json_t *list = json_array();

	for (size_t i = 0; list && i < *(const size_t *)in; i++)
		if (json_array_append_new(list, row->write_item(row, items + i * row->size)) < 0) {
			json_decref(list);
			list = NULL;
		}
	return list;
}
