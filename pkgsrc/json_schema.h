/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_schema.h: a decode table as a JSON Schema (2020-12).
 *
 * A document that the table decodes is valid by the schema, and what the table alone refuses is
 * not, but for what the patterns of strings are too coarse for (the length of a name, the numbers
 * of an address). The schema does not know checks that span keys. Every key may be null, which
 * means absent.
 */
#ifndef PKG_JSON_SCHEMA_H
#define PKG_JSON_SCHEMA_H

#include "json.h"

/*
 * {"type": "object", "properties": …} of the table; the caller's. NULL: out of memory, or a row has
 * a reader of its own without .like.
 */
json_t *json_schema(const struct json_table *table);

#endif
