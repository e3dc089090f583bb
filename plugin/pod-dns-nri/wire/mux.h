/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mux.h: the lowest layer of NRI: two connections on one socket.
 *
 * A frame is a header of 8 bytes (the connection's number and the length of the payload, both
 * big-endian) and the payload, which is a piece of that connection's byte stream. A frame is not a
 * message.
 */
#ifndef POD_DNS_NRI_MUX_H
#define POD_DNS_NRI_MUX_H

#include "err.h"
#include "text.h"

enum {
	MUX_PLUGIN = 1,	 /* the runtime calls the plugin */
	MUX_RUNTIME = 2, /* the plugin calls the runtime */
};

enum {
	MUX_HEADER = 8,
	MUX_SEND = 4096,	      /* the runtime's buffer: a longer payload breaks it */
	MUX_RECEIVE = (4 << 20) + 10, /* what the runtime's own library accepts */
};

/* The receiving side. Begins as zeros. */
struct mux {
	uint8_t header[MUX_HEADER];
	size_t have; /* bytes of the header */
	uint32_t connection;
	size_t left; /* bytes of the payload that are still to come */
};

/* Gets a piece of a connection's stream. False ends mux_feed(). */
typedef bool mux_sink(void *context, uint32_t connection, const uint8_t *bytes, size_t len,
		      struct err *e);

/* Takes bytes as they came from the socket. ERR_DECODE: a frame is longer than MUX_RECEIVE. */
bool mux_feed(struct mux *m, const uint8_t *bytes, size_t len, mux_sink *sink, void *context,
	      struct err *e);

/* Appends the stream's bytes as frames to *out. */
void mux_frame(struct text *out, uint32_t connection, const struct text *bytes);

#endif
