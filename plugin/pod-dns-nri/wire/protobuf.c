/* SPDX-License-Identifier: Apache-2.0 */
/* protobuf.c: reads and writes the fields of a protobuf message, one after the other. */
#include "pod-dns-nri/wire/protobuf.h"

#include <string.h>

enum { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES, WIRE_FIXED32 = 5 };

static bool break_off(struct protobuf *p)
{
	p->broken = true;
	p->left = 0;
	return false;
}

/* At most ten bytes; the tenth holds one bit. */
static bool read_varint(struct protobuf *p, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64 && p->left; shift += 7) {
		uint8_t byte = *p->at++;

		p->left--;
		if (shift == 63 && byte > 1)
			break;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return break_off(p);
}

static bool read_fixed(struct protobuf *p, uint64_t *value, size_t size)
{
	if (p->left < size)
		return break_off(p);
	*value = 0;
	for (size_t i = size; i; i--)
		*value = *value << 8 | p->at[i - 1];
	p->at += size;
	p->left -= size;
	return true;
}

static bool read_bytes(struct protobuf *p, struct protobuf_field *field)
{
	uint64_t len;

	if (!read_varint(p, &len))
		return false;
	if (len > p->left)
		return break_off(p);
	field->has_bytes = true;
	field->bytes = p->at;
	field->len = (size_t)len;
	p->at += len;
	p->left -= (size_t)len;
	return true;
}

bool protobuf_next(struct protobuf *p, struct protobuf_field *field)
{
	uint64_t key;

	*field = (struct protobuf_field){ 0 };
	if (!p->left || !read_varint(p, &key))
		return false;
	field->number = key >> 3;
	switch (key & 7) {
	case WIRE_VARINT:
		return field->number ? read_varint(p, &field->value) : break_off(p);
	case WIRE_FIXED64:
		return field->number ? read_fixed(p, &field->value, 8) : break_off(p);
	case WIRE_BYTES:
		return field->number ? read_bytes(p, field) : break_off(p);
	case WIRE_FIXED32:
		return field->number ? read_fixed(p, &field->value, 4) : break_off(p);
	default: /* groups, which nothing uses since long ago */
		return break_off(p);
	}
}

struct protobuf protobuf_in(const struct protobuf_field *field)
{
	return (struct protobuf){ .at = field->bytes, .left = field->len };
}

void protobuf_copy(char *out, size_t room, const struct protobuf_field *field)
{
	bool fits = field->has_bytes && field->len && field->len < room &&
		    !memchr(field->bytes, '\0', field->len);

	*out = '\0';
	if (!fits)
		return;
	memcpy(out, field->bytes, field->len);
	out[field->len] = '\0';
}

bool protobuf_is(const struct protobuf_field *field, const char *word)
{
	return field->has_bytes && field->len == strlen(word) &&
	       (!field->len || memcmp(field->bytes, word, field->len) == 0);
}

static void put_varint(struct text *out, uint64_t value)
{
	do {
		char byte = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));

		text_put(out, &byte, 1);
		value >>= 7;
	} while (value);
}

void protobuf_put_number(struct text *out, unsigned number, uint64_t value)
{
	put_varint(out, (uint64_t)number << 3 | WIRE_VARINT);
	put_varint(out, value);
}

void protobuf_put_bytes(struct text *out, unsigned number, const char *bytes, size_t len)
{
	put_varint(out, (uint64_t)number << 3 | WIRE_BYTES);
	put_varint(out, len);
	if (len)
		text_put(out, bytes, len);
}
