/* SPDX-License-Identifier: Apache-2.0 */
/* mux.c: the lowest layer of NRI: two connections on one socket. */
#include "pod-dns-nri/wire/mux.h"
#include "pod-dns-nri/wire/bytes.h"

#include <string.h>

static bool begin_frame(struct mux *m, struct err *e)
{
	m->connection = bytes_read32(m->header);
	m->left = bytes_read32(m->header + 4);
	return m->left <= MUX_RECEIVE ||
	       err_set(e, ERR_DECODE, "a frame of %zu bytes, %d at most", m->left, MUX_RECEIVE);
}

bool mux_feed(struct mux *m, const uint8_t *bytes, size_t len, mux_sink *sink, void *context,
	      struct err *e)
{
	while (len) {
		bool header = m->have < MUX_HEADER;
		size_t want = header ? MUX_HEADER - m->have : m->left;
		size_t part = len < want ? len : want;

		if (header) {
			memcpy(m->header + m->have, bytes, part);
			m->have += part;
			if (m->have == MUX_HEADER && !begin_frame(m, e))
				return false;
		} else {
			if (!sink(context, m->connection, bytes, part, e))
				return false;
			m->left -= part;
		}
		if (m->have == MUX_HEADER && !m->left)
			m->have = 0;
		bytes += part;
		len -= part;
	}
	return true;
}

void mux_frame(struct text *out, uint32_t connection, const struct text *bytes)
{
	for (size_t at = 0; at < bytes->len; at += MUX_SEND) {
		size_t left = bytes->len - at;
		size_t part = left < MUX_SEND ? left : MUX_SEND;

		bytes_put32(out, connection);
		bytes_put32(out, (uint32_t)part);
		text_put(out, bytes->at + at, part);
	}
}
