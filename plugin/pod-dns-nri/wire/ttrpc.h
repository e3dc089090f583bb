/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ttrpc.h: calls and answers, in the byte stream of one connection.
 *
 * A message is a header of 10 bytes (length of the data, stream, type, flags) and the data, which
 * is protobuf. An answer has the stream of its call.
 */
#ifndef POD_DNS_NRI_TTRPC_H
#define POD_DNS_NRI_TTRPC_H

#include "err.h"
#include "text.h"

enum { TTRPC_HEADER = 10, TTRPC_MAX = 4 << 20 };
enum ttrpc_type { TTRPC_REQUEST = 1, TTRPC_RESPONSE = 2 };

/* gRPC's code for a method that the callee does not have. */
enum { TTRPC_OK = 0, TTRPC_UNIMPLEMENTED = 12 };

/* The receiving side of a stream. Begins as zeros. */
struct ttrpc {
	uint8_t header[TTRPC_HEADER];
	size_t have;   /* bytes of the header */
	uint8_t *data; /* owned: the message, allocated when its length is known */
	size_t len, got;
};

/* A message, while its handler runs. */
struct ttrpc_message {
	uint32_t stream;
	uint8_t type;
	const uint8_t *data;
	size_t len;
};

/* Gets a whole message. False ends ttrpc_feed(). */
typedef bool ttrpc_handler(void *context, const struct ttrpc_message *message, struct err *e);

/* ERR_DECODE: a message is longer than TTRPC_MAX. ERR_IO: out of memory. */
bool ttrpc_feed(struct ttrpc *t, const uint8_t *bytes, size_t len, ttrpc_handler *handler,
		void *context, struct err *e);
void ttrpc_done(struct ttrpc *t);

/* The fields of a request. */
struct ttrpc_request {
	char service[64], method[64]; /* empty: longer, thus unknown */
	const uint8_t *payload;
	size_t len;
};

/* False: it is broken. */
bool ttrpc_read_request(struct ttrpc_request *request, const struct ttrpc_message *message);

/* The code of an answer, and its words in `why`. False: it is broken. */
bool ttrpc_read_response(uint64_t *code, char why[static 256], const struct ttrpc_message *message);

/* Each appends a whole message to the stream's bytes. */
void ttrpc_put_request(struct text *out, uint32_t stream, const char *service, const char *method,
		       const struct text *payload);
void ttrpc_put_answer(struct text *out, uint32_t stream, const struct text *payload);
void ttrpc_put_error(struct text *out, uint32_t stream, unsigned code, const char *why);

#endif
