/* SPDX-License-Identifier: Apache-2.0 */
/* The layers of NRI: frames, messages of ttrpc, protobuf, and the calls of the runtime. */
#include "pod-dns-nri/wire/mux.h"
#include "pod-dns-nri/wire/nri.h"
#include "pod-dns-nri/wire/protobuf.h"

#include "rows.h"

#include <stdio.h>
#include <string.h>

/*** frames ***/

struct stream {
	struct text of[3]; /* by connection; 0: all others */
};

static bool collect(void *context, uint32_t connection, const uint8_t *bytes, size_t len,
		    struct err *e UNUSED)
{
	struct stream *s = context;

	text_put(&s->of[connection < LEN(s->of) ? connection : 0], (const char *)bytes, len);
	return true;
}

static void begin_stream(struct stream *s)
{
	for (size_t i = 0; i < LEN(s->of); i++)
		s->of[i] = TEXT_UP_TO(1 << 23);
}

static void end_stream(struct stream *s)
{
	for (size_t i = 0; i < LEN(s->of); i++)
		text_done(&s->of[i]);
}

/* Frames of two connections and of an unknown one, with an empty frame between them. */
static const uint8_t frames[] = { 0, 0, 0, 1, 0, 0,   0, 2, 'a', 'b', 0, 0,   0, 2, 0,
				  0, 0, 0, 0, 0, 0,   2, 0, 0,	 0,   1, 'x', 0, 0, 0,
				  9, 0, 0, 0, 1, '?', 0, 0, 0,	 1,   0, 0,   0, 1, 'c' };

static void frames_become_streams_whatever_the_pieces(void **state UNUSED)
{
	for (size_t piece = 1; piece <= sizeof(frames); piece++) {
		struct stream s;
		struct mux m = { 0 };

		begin_stream(&s);
		for (size_t at = 0; at < sizeof(frames); at += piece) {
			size_t left = sizeof(frames) - at;

			assert_true(mux_feed(&m, frames + at, left < piece ? left : piece, collect,
					     &s, NULL));
		}
		assert_string_equal(s.of[MUX_PLUGIN].at, "abc");
		assert_string_equal(s.of[MUX_RUNTIME].at, "x");
		assert_string_equal(s.of[0].at, "?");
		end_stream(&s);
	}
}

static void long_frame_is_refused(void **state UNUSED)
{
	static const uint8_t header[] = { 0, 0, 0, 1, 0, 0x40, 0, 11 }; /* 4 MiB and 11 */
	struct mux m = { 0 };
	struct err e = { 0 };
	struct stream s;

	begin_stream(&s);
	assert_false(mux_feed(&m, header, sizeof(header), collect, &s, &e));
	assert_int_equal(e.code, ERR_DECODE);
	end_stream(&s);
}

static void long_message_is_sent_in_frames_of_4096(void **state UNUSED)
{
	auto_text message = TEXT_UP_TO(1 << 20), out = TEXT_UP_TO(1 << 20);
	static const uint8_t last[] = {
		0, 0, 0, 1, 0, 0, 0x07, 0xd0
	}; /* 10192 = 2 * 4096 + 2000 */
	static const uint8_t first[] = { 0, 0, 0, 1, 0, 0, 0x10, 0 };

	for (size_t i = 0; i < 10192; i++)
		text_put(&message, "m", 1);
	mux_frame(&out, MUX_PLUGIN, &message);
	assert_int_equal(out.len, 10192 + 3 * 8);
	assert_memory_equal(out.at, first, sizeof(first));
	assert_memory_equal(out.at + 8208, last, sizeof(last));
}

/*** ttrpc ***/

struct heard {
	char last[256];
	uint32_t stream;
	unsigned n;
};

static bool hear(void *context, const struct ttrpc_message *message, struct err *e UNUSED)
{
	struct heard *h = context;

	(void)snprintf(h->last, sizeof(h->last), "%.*s", (int)message->len,
		       (const char *)message->data);
	h->stream = message->stream;
	h->n++;
	return true;
}

static void messages_are_cut_from_the_stream(void **state UNUSED)
{
	static const uint8_t bytes[] = { 0,   0, 0, 3, 0, 0, 0, 5, 1, 0,   'o', 'n',
					 'e', 0, 0, 0, 0, 0, 0, 0, 7, 2,   0,	0,
					 0,   0, 2, 0, 0, 1, 1, 1, 0, 'n', 'o' };

	for (size_t piece = 1; piece <= sizeof(bytes); piece++) {
		struct heard h = { .n = 0 };
		struct ttrpc t = { 0 };

		for (size_t at = 0; at < sizeof(bytes); at += piece) {
			size_t left = sizeof(bytes) - at;

			assert_true(ttrpc_feed(&t, bytes + at, left < piece ? left : piece, hear,
					       &h, NULL));
		}
		assert_int_equal(h.n, 3);
		assert_int_equal(h.stream, 257);
		assert_string_equal(h.last, "no");
		ttrpc_done(&t);
	}
}

static void long_message_is_refused(void **state UNUSED)
{
	static const uint8_t header[] = { 0, 0x40, 0, 1, 0, 0, 0, 1, 1, 0 };
	struct heard h = { .n = 0 };
	struct ttrpc t = { 0 };
	struct err e = { 0 };

	assert_false(ttrpc_feed(&t, header, sizeof(header), hear, &h, &e));
	assert_int_equal(e.code, ERR_DECODE);
	assert_null(t.data);
	ttrpc_done(&t);
}

static void error_of_an_answer_is_read(void **state UNUSED)
{
	static const char data[] = "\x0a\x08\x08\x05\x12\x04nope";
	struct ttrpc_message message = { .data = (const uint8_t *)data, .len = sizeof(data) - 1 };
	uint64_t code;
	char why[256];

	assert_true(ttrpc_read_response(&code, why, &message));
	assert_int_equal(code, 5);
	assert_string_equal(why, "nope");
	message.len = 0;
	assert_true(ttrpc_read_response(&code, why, &message));
	assert_int_equal(code, TTRPC_OK);
}

/*** protobuf ***/

static const struct broken {
	const char *name, *bytes;
	size_t len;
} broken[] = {
	{ "key ends too early", "\x80", 1 },
	{ "number ends too early", "\x08\xff", 2 },
	{ "number of eleven bytes", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12 },
	{ "number over 64 bits", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11 },
	{ "string longer than the message",
	  "\x0a\x05"
	  "four",
	  6 },
	{ "length of 2^63", "\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11 },
	{ "fixed64 ends too early",
	  "\x09"
	  "1234567",
	  8 },
	{ "fixed32 ends too early",
	  "\x0d"
	  "123",
	  4 },
	{ "group", "\x0b\x0c", 2 },
	{ "field 0", "\x02\x00", 2 },
};

static void is_broken(void **state)
{
	const struct broken *row = *state;
	auto_mem uint8_t *exact = malloc(row->len); /* a read behind it is seen by ASan */
	struct protobuf p = { .at = exact, .left = row->len };
	struct protobuf_field field;

	assert_non_null(exact);
	memcpy(exact, row->bytes, row->len);
	while (protobuf_next(&p, &field))
		;
	assert_true(p.broken);
	assert_int_equal(p.left, 0);
}

static void fields_of_all_kinds_are_read(void **state UNUSED)
{
	static const char bytes[] = "\x08\xac\x02\x11\x01\x00\x00\x00\x00\x00\x00\x00\x1a\x02hi\x25"
				    "\x02\x00\x00\x00";
	struct protobuf p = { .at = (const uint8_t *)bytes, .left = sizeof(bytes) - 1 };
	struct protobuf_field f;

	assert_true(protobuf_next(&p, &f));
	assert_int_equal(f.number, 1);
	assert_int_equal(f.value, 300);
	assert_true(protobuf_next(&p, &f));
	assert_int_equal(f.value, 1);
	assert_true(protobuf_next(&p, &f));
	assert_true(protobuf_is(&f, "hi"));
	assert_false(protobuf_is(&f, "high"));
	assert_true(protobuf_next(&p, &f));
	assert_int_equal(f.number, 4);
	assert_int_equal(f.value, 2);
	assert_false(protobuf_next(&p, &f));
	assert_false(p.broken);
}

/*** the runtime's calls ***/

static struct ttrpc_request call_of(const char *method, const char *payload, size_t len)
{
	struct ttrpc_request call = { .payload = (const uint8_t *)payload, .len = len };

	(void)snprintf(call.service, sizeof(call.service), NRI_PLUGIN);
	(void)snprintf(call.method, sizeof(call.method), "%s", method);
	return call;
}

#define POD        \
	"\x0a\x03" \
	"abc"      \
	"\x12\x03" \
	"web"      \
	"\x22\x04" \
	"shop"
#define BYTES(literal) literal, sizeof(literal) - 1

static const struct row {
	const char *name, *method, *payload;
	size_t len;
	enum nri_call call;
	bool more;
} rows[] = {
	{ "pod starts, NRI 0.12", "RunPodSandbox", BYTES("\x0a\x10" POD), NRI_RUN_POD, false },
	{ "pod starts, NRI 0.11", "StateChange", BYTES("\x08\x01\x12\x10" POD), NRI_RUN_POD,
	  false },
	{ "pod stops, NRI 0.11", "StateChange", BYTES("\x08\x02\x12\x10" POD), NRI_OTHER_EVENT,
	  false },
	{ "event without a number", "StateChange", BYTES("\x12\x10" POD), NRI_OTHER_EVENT, false },
	{ "last part", "Synchronize", BYTES("\x0a\x10" POD), NRI_SYNCHRONIZE, false },
	{ "part, more follows", "Synchronize", BYTES("\x0a\x10" POD "\x18\x01"), NRI_SYNCHRONIZE,
	  true },
	{ "unknown method", "PostCreateContainer", BYTES(""), NRI_UNKNOWN, false },
};

static void call_is_read(void **state)
{
	const struct row *row = *state;
	struct ttrpc_request call = call_of(row->method, row->payload, row->len);
	struct nri_request request;

	assert_true(nri_read(&request, &call, NULL));
	assert_int_equal(request.call, row->call);
	assert_int_equal(request.more, row->more);
	if (row->call != NRI_RUN_POD)
		return;
	assert_string_equal(request.pod.id, "abc");
	assert_string_equal(request.pod.name, "web");
	assert_string_equal(request.pod.namespace, "shop");
}

#define SPACES "\x42\x1e\x2a\x0a\x0a\x05mount\x12\x01/\x2a\x10\x0a\x07network\x12\x05/n/ns"

static void namespace_is_read(void **state UNUSED)
{
	struct ttrpc_request call = call_of("RunPodSandbox", BYTES("\x0a\x25\x0a\x03"
								   "abc" SPACES));
	struct nri_request request;

	assert_true(nri_read(&request, &call, NULL));
	assert_true(request.pod.has_netns);
	assert_string_equal(request.pod.netns, "/n/ns");
	call = call_of("RunPodSandbox", BYTES("\x0a\x10" POD));
	assert_true(nri_read(&request, &call, NULL));
	assert_false(request.pod.has_netns);
}

static void broken_namespace_is_an_error(void **state UNUSED)
{
	struct ttrpc_request call = call_of("RunPodSandbox", BYTES("\x0a\x05\x42\x03\x2a\x01\x0a"));
	struct nri_request request;
	struct err e = { 0 };

	assert_false(nri_read(&request, &call, &e));
	assert_int_equal(e.code, ERR_DECODE);
}

static void long_id_is_not_cut_to_another_pods(void **state UNUSED)
{
	char payload[6 + 300] = "\x0a\xaf\x02\x0a\xac\x02"; /* a pod of 303 bytes, an ID of 300 */
	struct ttrpc_request call = call_of("RunPodSandbox", payload, sizeof(payload));
	struct nri_request request;

	memset(payload + 6, 'a', 300);
	assert_true(nri_read(&request, &call, NULL));
	assert_string_equal(request.pod.id, "");
}

static void broken_pod_is_an_error(void **state UNUSED)
{
	struct ttrpc_request call = call_of("RunPodSandbox", BYTES("\x0a\x03\x0a\x09x"));
	struct nri_request request;
	struct err e = { 0 };

	assert_false(nri_read(&request, &call, &e));
	assert_int_equal(e.code, ERR_DECODE);
}

static void answers_are_these_bytes(void **state UNUSED)
{
	static const struct {
		struct nri_request request;
		const char *bytes;
		size_t len;
	} answers[] = {
		{ { .call = NRI_RUN_POD }, BYTES("\0\0\0\0\0\0\0\x03\x02\0") },
		{ { .call = NRI_CONFIGURE }, BYTES("\0\0\0\x04\0\0\0\x03\x02\0\x12\x02\x10\x01") },
		{ { .call = NRI_SYNCHRONIZE }, BYTES("\0\0\0\0\0\0\0\x03\x02\0") },
		{ { .call = NRI_SYNCHRONIZE, .more = true },
		  BYTES("\0\0\0\x04\0\0\0\x03\x02\0\x12\x02\x10\x01") },
	};

	for (size_t i = 0; i < LEN(answers); i++) {
		auto_text out = TEXT_UP_TO(4096);

		nri_put_answer(&out, 3, &answers[i].request);
		assert_int_equal(out.len, answers[i].len);
		assert_memory_equal(out.at, answers[i].bytes, out.len);
	}
}

static void unknown_call_is_answered_unimplemented(void **state UNUSED)
{
	auto_text out = TEXT_UP_TO(4096);

	nri_put_answer(&out, 3, &(struct nri_request){ .call = NRI_UNKNOWN });
	assert_memory_equal(out.at + 4, "\0\0\0\x03\x02\0\x0a", 7);
	assert_memory_equal(out.at + 12, "\x08\x0c\x12", 3); /* code 12, and words */
}

static void registration_is_these_bytes(void **state UNUSED)
{
	static const char want[] = "\0\0\0\x40\0\0\0\x01\x01\0"
				   "\x0a\x1c"
				   "nri.pkg.api.v1alpha1.Runtime"
				   "\x12\x0e"
				   "RegisterPlugin"
				   "\x1a\x0d"
				   "\x0a\x07"
				   "pod-dns"
				   "\x12\x02"
				   "50";
	auto_text out = TEXT_UP_TO(4096);

	nri_put_register(&out, 1, "pod-dns", "50");
	assert_int_equal(out.len, sizeof(want) - 1);
	assert_memory_equal(out.at + 4, want + 4, sizeof(want) - 5);
	assert_int_equal((unsigned char)out.at[3], out.len - TTRPC_HEADER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_become_streams_whatever_the_pieces),
		cmocka_unit_test(long_frame_is_refused),
		cmocka_unit_test(long_message_is_sent_in_frames_of_4096),
		cmocka_unit_test(messages_are_cut_from_the_stream),
		cmocka_unit_test(long_message_is_refused),
		cmocka_unit_test(error_of_an_answer_is_read),
		cmocka_unit_test(fields_of_all_kinds_are_read),
		cmocka_unit_test(long_id_is_not_cut_to_another_pods),
		cmocka_unit_test(broken_pod_is_an_error),
		cmocka_unit_test(namespace_is_read),
		cmocka_unit_test(broken_namespace_is_an_error),
		cmocka_unit_test(answers_are_these_bytes),
		cmocka_unit_test(unknown_call_is_answered_unimplemented),
		cmocka_unit_test(registration_is_these_bytes),
	};

	return RUN_ROWS("broken", broken, is_broken) + RUN_ROWS("calls", rows, call_is_read) +
	       RUN_TESTS("wire", tests);
}
