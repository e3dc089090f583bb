/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_encode.h: JSON written by the tables that read it.
 *
 * A row with .write (for a list .write_item too) is written from the member that its reader fills;
 * other rows are skipped. So json_decode() reads back what json_encode() writes. The text is made
 * without a tree of jansson's, which for a record takes several times as long.
 */
#ifndef PKG_JSON_ENCODE_H
#define PKG_JSON_ENCODE_H

#include "json.h"
#include "text.h"

/* Puts the struct at `in` as an object. The text fails if a string is not UTF-8. */
void json_encode(struct text *out, const struct json_table *table, const void *in);

/* Writers, each beside the reader that it inverts. A NULL text and a word below 0 are absent. */
json_writer json_write_text;   /* json_read_string, json_read_text */
json_writer json_write_bool;   /* json_read_bool */
json_writer json_write_uint;   /* json_read_uint */
json_writer json_write_word;   /* json_read_word */
json_writer json_write_any;    /* json_read_any */
json_writer json_write_object; /* json_read_object */
json_writer json_write_list;   /* json_read_list */

/* For writers of one's own: puts a string; n items of a list, row->size apart, by
 * row->write_item. */
void json_put_string(struct text *out, const char *s);
void json_put_list(struct text *out, const struct json_row *row, const void *items, size_t n);

#endif
