/* SPDX-License-Identifier: Apache-2.0 */
/* ttrpc.c: calls and answers, in the byte stream of one connection. */
#include "pod-dns-nri/wire/ttrpc.h"
#include "pod-dns-nri/wire/bytes.h"
#include "pod-dns-nri/wire/protobuf.h"

#include <string.h>

/*** receiving ***/

static bool begin_message(struct ttrpc *t, struct err *e)
{
	t->len = bytes_read32(t->header);
	t->got = 0;
	if (t->len > TTRPC_MAX)
		return err_set(e, ERR_DECODE, "a message of %zu bytes, %d at most", t->len,
			       TTRPC_MAX);
	t->data = malloc(t->len + 1);
	return t->data || err_set(e, ERR_IO, "out of memory");
}

static bool end_message(struct ttrpc *t, ttrpc_handler *handler, void *context, struct err *e)
{
	struct ttrpc_message message = { .stream = bytes_read32(t->header + 4),
					 .type = t->header[8],
					 .data = t->data,
					 .len = t->len };
	bool done = handler(context, &message, e);

	ttrpc_done(t);
	return done;
}

/* Copies bytes until *have is `want`. Returns how many. */
static size_t fill(uint8_t *out, size_t *have, size_t want, const uint8_t *bytes, size_t len)
{
	size_t part = len < want - *have ? len : want - *have;

	memcpy(out + *have, bytes, part);
	*have += part;
	return part;
}

bool ttrpc_feed(struct ttrpc *t, const uint8_t *bytes, size_t len, ttrpc_handler *handler,
		void *context, struct err *e)
{
	while (len) {
		size_t used = t->data ? fill(t->data, &t->got, t->len, bytes, len)
				      : fill(t->header, &t->have, TTRPC_HEADER, bytes, len);

		bytes += used;
		len -= used;
		if (!t->data && t->have == TTRPC_HEADER && !begin_message(t, e))
			return false;
		if (t->data && t->got == t->len && !end_message(t, handler, context, e))
			return false;
	}
	return true;
}

void ttrpc_done(struct ttrpc *t)
{
	free(t->data);
	t->data = NULL;
	t->have = t->len = t->got = 0;
}

bool ttrpc_read_request(struct ttrpc_request *request, const struct ttrpc_message *message)
{
	struct protobuf p = { .at = message->data, .left = message->len };
	struct protobuf_field field;

	*request = (struct ttrpc_request){ 0 };
	while (protobuf_next(&p, &field)) {
		if (field.number == 1)
			protobuf_copy(request->service, sizeof(request->service), &field);
		if (field.number == 2)
			protobuf_copy(request->method, sizeof(request->method), &field);
		if (field.number == 3) {
			request->payload = field.bytes;
			request->len = field.len;
		}
	}
	return !p.broken;
}

bool ttrpc_read_response(uint64_t *code, char why[static 256], const struct ttrpc_message *message)
{
	struct protobuf p = { .at = message->data, .left = message->len };
	struct protobuf_field field, part;

	*code = TTRPC_OK;
	*why = '\0';
	while (protobuf_next(&p, &field)) {
		struct protobuf status = protobuf_in(&field);

		while (field.number == 1 && protobuf_next(&status, &part)) {
			if (part.number == 1)
				*code = part.value;
			if (part.number == 2)
				protobuf_copy(why, 256, &part);
		}
		if (status.broken)
			return false;
	}
	return !p.broken;
}

/*** sending ***/

static void put_message(struct text *out, uint32_t stream, enum ttrpc_type type,
			const struct text *data)
{
	const char rest[] = { (char)type, 0 };

	bytes_put32(out, (uint32_t)data->len);
	bytes_put32(out, stream);
	text_put(out, rest, sizeof(rest));
	if (data->len)
		text_put(out, data->at, data->len);
	out->failed = out->failed || data->failed;
}

void ttrpc_put_request(struct text *out, uint32_t stream, const char *service, const char *method,
		       const struct text *payload)
{
	auto_text data = TEXT_UP_TO(TTRPC_MAX);

	protobuf_put_bytes(&data, 1, service, strlen(service));
	protobuf_put_bytes(&data, 2, method, strlen(method));
	protobuf_put_bytes(&data, 3, payload->at, payload->len);
	put_message(out, stream, TTRPC_REQUEST, &data);
}

void ttrpc_put_answer(struct text *out, uint32_t stream, const struct text *payload)
{
	auto_text data = TEXT_UP_TO(TTRPC_MAX);

	if (payload->len)
		protobuf_put_bytes(&data, 2, payload->at, payload->len);
	put_message(out, stream, TTRPC_RESPONSE, &data);
}

void ttrpc_put_error(struct text *out, uint32_t stream, unsigned code, const char *why)
{
	auto_text data = TEXT_UP_TO(TTRPC_MAX), status = TEXT_UP_TO(TTRPC_MAX);

	protobuf_put_number(&status, 1, code);
	protobuf_put_bytes(&status, 2, why, strlen(why));
	protobuf_put_bytes(&data, 1, status.at, status.len);
	put_message(out, stream, TTRPC_RESPONSE, &data);
}
