/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what comes from NRI's socket: frames, messages, calls, and the answers to them. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "pod-dns-nri/wire/mux.h"
#include "pod-dns-nri/wire/nri.h"

static bool handle(void *context, const struct ttrpc_message *message, struct err *e)
{
	auto_text answer = TEXT_UP_TO(1 << 16), frame = TEXT_UP_TO(1 << 16);
	struct ttrpc_request call;
	struct nri_request request;
	uint64_t code;
	char why[256];

	(void)context;
	(void)ttrpc_read_response(&code, why, message);
	if (strlen(why) >= sizeof(why))
		abort();
	if (!ttrpc_read_request(&call, message) || !nri_read(&request, &call, e))
		return false;
	nri_put_answer(&answer, message->stream, &request);
	mux_frame(&frame, MUX_PLUGIN, &answer);
	if (!text_ok(&answer) || !text_ok(&frame))
		abort();
	return true;
}

static bool sink(void *context, uint32_t connection, const uint8_t *bytes, size_t len,
		 struct err *e)
{
	struct ttrpc *streams = context;

	return connection != MUX_PLUGIN || ttrpc_feed(streams, bytes, len, handle, NULL, e);
}

/* The first byte says in pieces of how many bytes the others come. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mux m = { 0 };
	struct ttrpc stream = { 0 };
	size_t piece = size ? data[0] + 1u : 1;

	for (size_t at = 1; at < size; at += piece) {
		size_t left = size - at;

		if (!mux_feed(&m, data + at, left < piece ? left : piece, sink, &stream, NULL))
			break;
	}
	ttrpc_done(&stream);
	return 0;
}
