/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_schema.h: a decode table as a JSON Schema (2020-12).
 *
 * What a table decodes is valid by its schema, and what no decoding of the
 * table accepts is not. What spans keys is checked in code, and no schema knows
 * of it. null is absent to a table, so that every key may be null.
 */
#ifndef PKG_JSON_SCHEMA_H
#define PKG_JSON_SCHEMA_H

#include "json.h"

/*
 * {"type": "object", "properties": …} of the table; the caller's. NULL: out of
 * memory, or a row has a reader of its own and does not say what that is like.
 */
json_t *json_schema(const struct json_table *table);

#endif
