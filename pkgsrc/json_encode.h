/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_encode.h: JSON written by the tables that read it.
 *
 * A row that says .write (and a list's row .write_item) is rendered from the member that its reader
 * fills; rows without one are passed over. So the same table makes both ways of a format, and
 * what json_encode() writes json_decode() reads back.
 */
#ifndef PKG_JSON_ENCODE_H
#define PKG_JSON_ENCODE_H

#include "json.h"

/* The object of the struct at `in`; NULL: out of memory, or a string that is no UTF-8. */
json_t *json_encode(const struct json_table *table, const void *in);

/* Writers, by the reader that each reverses. Text that is NULL and a word below 0 are absent. */
json_writer json_write_text;   /* json_read_string, json_read_text */
json_writer json_write_bool;   /* json_read_bool */
json_writer json_write_uint;   /* json_read_uint */
json_writer json_write_word;   /* json_read_word */
json_writer json_write_any;    /* json_read_any */
json_writer json_write_object; /* json_read_object */
json_writer json_write_list;   /* json_read_list */

#endif
