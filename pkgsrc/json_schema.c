/* SPDX-License-Identifier: Apache-2.0 */
/* json_schema.c: a decode table as a JSON Schema (2020-12). */
#include "json_schema.h"

#include <string.h>

/* Coarser than addr_parse(): only what the regular expressions of all validators can do. */
#define V4	"[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+"
#define ADDRESS "^(" V4 "|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*(" V4 ")?)$"

static json_t *schema_of_string(const struct json_row *row, const char *pattern, int shortest)
{
	if (row->pattern)
		pattern = row->pattern;
	return json_pack("{s:s, s:s*, s:o*}", "type", "string", "pattern", pattern, "minLength",
			 shortest && !pattern ? json_integer(shortest) : NULL);
}

static json_t *schema_of_word(const struct json_row *row)
{
	json_t *words = json_array();

	for (size_t i = 0; row->words[i]; i++)
		(void)json_array_append_new(words, json_string(row->words[i]));
	return json_pack("{s:o}", "enum", words);
}

static json_t *schema_of_uint(const struct json_row *row)
{
	return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)row->min,
			 "maximum", (json_int_t)row->max);
}

static json_t *schema_of(json_reader *read, json_reader *like, const struct json_row *row);

static json_t *schema_of_list(const struct json_row *row)
{
	json_t *item = schema_of(row->item, row->item_like, row);

	return item ? json_pack("{s:s, s:I, s:I, s:o}", "type", "array", "minItems",
				(json_int_t)row->min, "maxItems", (json_int_t)row->max, "items",
				item)
		    : NULL;
}

static json_t *schema_of(json_reader *read, json_reader *like, const struct json_row *row)
{
	if (read == json_read_string)
		return schema_of_string(row, NULL, 1);
	if (read == json_read_text)
		return schema_of_string(row, NULL, 0);
	if (read == json_read_addr)
		return schema_of_string(row, ADDRESS, 1);
	if (read == json_read_bool || read == json_read_tri)
		return json_pack("{s:s}", "type", "boolean");
	if (read == json_read_uint)
		return schema_of_uint(row);
	if (read == json_read_word)
		return schema_of_word(row);
	if (read == json_read_any)
		return json_object();
	if (read == json_read_object)
		return json_schema(row->table);
	if (read == json_read_list || read == json_read_items)
		return schema_of_list(row);
	return like ? schema_of(like, NULL, row) : NULL;
}

/* "One sentence. Another." has the title "One sentence". */
static json_t *title_of(const char *about)
{
	const char *stop = strstr(about, ". ");
	size_t len = stop ? (size_t)(stop - about) : strlen(about);

	if (len && about[len - 1] == '.')
		len--;
	return json_stringn(about, len);
}

/* Lets the schema accept another type too. */
static void schema_allow(json_t *schema, const char *type)
{
	json_t *types = json_object_get(schema, "type"), *words = json_object_get(schema, "enum");

	if (json_is_string(types)) {
		types = json_pack("[O]", types);
		(void)json_object_set_new(schema, "type", types);
	}
	if (types)
		(void)json_array_append_new(types, json_string(type));
	if (words && strcmp(type, "null") == 0)
		(void)json_array_append_new(words, json_null());
	if (words && strcmp(type, "boolean") == 0) {
		(void)json_array_append_new(words, json_true());
		(void)json_array_append_new(words, json_false());
	}
}

static json_t *property_of(const struct json_row *row)
{
	json_t *schema = schema_of(row->read, row->like, row);

	if (schema && row->also)
		schema_allow(schema, row->also);
	if (schema && !row->required)
		schema_allow(schema, "null");
	if (schema && row->about) {
		(void)json_object_set_new(schema, "title", title_of(row->about));
		(void)json_object_set_new(schema, "description", json_string(row->about));
	}
	return schema;
}

/* Both spellings at once are an error, unless one is null; so may the object be that has them. */
static json_t *not_both(const struct json_row *row)
{
	return json_pack("{s:{s:s, s:[s, s], s:{s:{s:{s:s}}, s:{s:{s:s}}}}}", "not", "type",
			 "object", "required", row->key, row->alias, "properties", row->key, "not",
			 "type", "null", row->alias, "not", "type", "null");
}

static bool add_row(json_t *properties, json_t *required, json_t *all, const struct json_row *row)
{
	json_t *property = property_of(row);

	if (!property || json_object_set_new(properties, row->key, property) < 0)
		return false;
	if (row->required && !row->alias)
		(void)json_array_append_new(required, json_string(row->key));
	if (!row->alias)
		return true;
	(void)json_array_append_new(all, not_both(row));
	property = json_copy(property);
	(void)json_object_set_new(property, "description",
				  json_sprintf("Another spelling of %s.", row->key));
	return json_object_set_new(properties, row->alias, property) == 0;
}

json_t *json_schema(const struct json_table *t)
{
	json_t *properties = json_object(), *required = json_array(), *all = json_array();
	json_t *schema = json_pack("{s:s, s:o, s:o, s:o}", "type", "object", "properties",
				   properties, "required", required, "allOf", all);

	for (size_t i = 0; i < t->n; i++)
		if (!add_row(properties, required, all, &t->row[i])) {
			json_decref(schema);
			return NULL;
		}
	if (!(t->flags & JSON_OPEN))
		(void)json_object_set_new(schema, "additionalProperties",
					  json_pack("{s:s}", "type", "null"));
	if (!json_array_size(all))
		(void)json_object_del(schema, "allOf");
	if (!json_array_size(required))
		(void)json_object_del(schema, "required");
	return schema;
}
