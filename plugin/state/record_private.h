/* SPDX-License-Identifier: Apache-2.0 */
/* record_private.h: rows that read and write, and what record_*.c share. */
#ifndef POD_DNS_RECORD_PRIVATE_H
#define POD_DNS_RECORD_PRIVATE_H

#include "json_encode.h"
#include "state/record.h"

/* Bytes of a record: room for every place in it that a text of INPLACE_MAX goes to, escaped. */
enum { RECORD_MAX = 16 << 20 };

/* The rest of a row follows as `...`. */
#define TEXT(key, type, member, ...) \
	JSON_ROW(key, json_read_text, type, member, .write = json_write_text, __VA_ARGS__)
#define BOOL(key, type, member) \
	JSON_ROW(key, json_read_bool, type, member, .write = json_write_bool)
#define UINT(key, type, member) \
	JSON_ROW(key, json_read_uint, type, member, .write = json_write_uint, .max = INT32_MAX)
#define ANY(key, type, member, ...) \
	JSON_ROW(key, json_read_any, type, member, .write = json_write_any, __VA_ARGS__)
#define WORD(key, type, member, names, ...)                                                     \
	JSON_ROW(key, json_read_word, type, member, .write = json_write_word, .words = (names), \
		 __VA_ARGS__)
#define OBJECT(key, type, member, rows, ...)                                      \
	JSON_ROW(key, json_read_object, type, member, .write = json_write_object, \
		 .table = &(rows), __VA_ARGS__)
#define LIST(key, type, member, reader, writer, of, bound, ...)                                 \
	JSON_ROW(key, json_read_list, type, member, .write = json_write_list, .item = (reader), \
		 .write_item = (writer), .size = sizeof(of), .max = (bound), __VA_ARGS__)
#define OWN(key, what, type, member, ...) \
	JSON_ROW(key, read_##what, type, member, .write = write_##what, __VA_ARGS__)

/* The table of struct record_steering. */
extern const struct json_table record_steering_table;
json_writer record_write_steering;

/* Puts the record as JSON. The text fails if a string is not UTF-8. */
void record_print(struct text *out, const struct record *record);

#endif
