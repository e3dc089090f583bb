/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protobuf.h: reads and writes the fields of a protobuf message, one after the other.
 *
 * A message in a message is a field of bytes, which another struct protobuf reads: nothing here
 * recurses. The reader skips what it does not know: each version of NRI adds fields.
 */
#ifndef POD_DNS_NRI_PROTOBUF_H
#define POD_DNS_NRI_PROTOBUF_H

#include "text.h"

struct protobuf {
	const uint8_t *at;
	size_t left;
	bool broken; /* the bytes end too early, or are not fields */
};

struct protobuf_field {
	uint64_t number;
	bool has_bytes;	      /* else `value` */
	uint64_t value;	      /* of a varint or a number of fixed length */
	const uint8_t *bytes; /* of a string, bytes or a message */
	size_t len;
};

/* The next field. False: there is none, or the message is broken. */
bool protobuf_next(struct protobuf *p, struct protobuf_field *field);

/* The fields of the message that the field holds. */
struct protobuf protobuf_in(const struct protobuf_field *field);

/* Copies a string. Left empty if it does not fit or holds a NUL. */
void protobuf_copy(char *out, size_t room, const struct protobuf_field *field);

/* Whether the field holds these bytes. */
bool protobuf_is(const struct protobuf_field *field, const char *word);

/* Appends a field. */
void protobuf_put_number(struct text *out, unsigned number, uint64_t value);
void protobuf_put_bytes(struct text *out, unsigned number, const char *bytes, size_t len);

#endif
