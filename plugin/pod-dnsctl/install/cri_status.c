/* SPDX-License-Identifier: Apache-2.0 */
/* cri_status.c: asks a container runtime which plugins it has loaded. */
#include "pod-dnsctl/install/cri_status.h"
#include "pod-dnsctl/install/chain.h"
#include "text.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

enum { WINDOW = 4 << 20, WAIT_SECONDS = 2 };

/*** protocol buffers: the fields of a message, one after the other ***/

struct field {
	unsigned number;
	const uint8_t *at; /* of a length-delimited field; NULL: another kind */
	size_t len;
};

struct message {
	const uint8_t *at;
	size_t left;
};

static bool read_varint(struct message *m, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; m->left && shift < 64; shift += 7) {
		uint8_t byte = *m->at;

		m->at++, m->left--;
		*out |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The next field; false: the end, or no message. */
static bool next_field(struct message *m, struct field *f)
{
	enum { VARINT, FIXED64, BYTES, FIXED32 = 5 };
	uint64_t tag, len;

	if (!read_varint(m, &tag))
		return false;
	*f = (struct field){ .number = (unsigned)(tag >> 3) };
	switch (tag & 7) {
	case VARINT:
		return read_varint(m, &len);
	case FIXED64:
		len = 8;
		break;
	case FIXED32:
		len = 4;
		break;
	case BYTES:
		if (!read_varint(m, &len))
			return false;
		f->at = m->at;
		break;
	default:
		return false;
	}
	if (len > m->left)
		return false;
	f->len = (size_t)len;
	m->at += len;
	m->left -= len;
	return true;
}

/*** the answer ***/

/* The value of an entry of a map<string, string> if its key is `key`. */
static bool map_value(struct field *value, const struct field *entry, const char *key)
{
	struct message m = { entry->at, entry->len };
	struct field f;
	bool found = false;

	*value = (struct field){ 0 };
	while (next_field(&m, &f)) {
		if (f.number == 1 && f.at)
			found = f.len == strlen(key) && memcmp(f.at, key, f.len) == 0;
		if (f.number == 2 && f.at)
			*value = f;
	}
	return found && value->at;
}

static bool calls_us(const json_t *networks)
{
	const json_t *network, *plugin;
	size_t i, j;

	json_array_foreach (networks, i, network)
		json_array_foreach (json_object_get(json_object_get(network, "Config"), "Plugins"),
				    j, plugin)
			if (chain_is_ours(json_object_get(plugin, "Network")))
				return true;
	return false;
}

static enum cri_chain read_cni_config(const struct field *text, const char *folder)
{
	json_auto_t *config = json_loadb((const char *)text->at, text->len, 0, NULL);
	const json_t *networks = json_object_get(config, "Networks");
	const char *from = json_string_value(json_object_get(config, "PluginConfDir"));

	if (!json_is_array(networks) || !from || strcmp(from, folder) != 0)
		return CRI_UNSEEN;
	return calls_us(networks) ? CRI_WITH_US : CRI_WITHOUT_US;
}

enum cri_chain cri_status_read(const uint8_t *message, size_t len, const char *folder)
{
	enum { INFO = 2 };
	struct message m = { message, len };
	struct field f, value;

	while (next_field(&m, &f))
		if (f.number == INFO && f.at && map_value(&value, &f, "cniconfig"))
			return read_cni_config(&value, folder);
	return CRI_UNSEEN;
}

/*** one gRPC call over HTTP/2 ***/

enum {
	FRAME_HEAD = 9,
	DATA = 0,
	HEADERS = 1,
	SETTINGS = 4,
	PING = 6,
	GOAWAY = 7,
	WINDOW_UPDATE = 8
};
enum { ACK = 1, END_STREAM = 1, END_HEADERS = 4 };

static void put_frame(struct text *out, uint8_t type, uint8_t flags, uint8_t stream,
		      const void *payload, size_t len)
{
	const uint8_t head[FRAME_HEAD] = { (uint8_t)(len >> 16),
					   (uint8_t)(len >> 8),
					   (uint8_t)len,
					   type,
					   flags,
					   0,
					   0,
					   0,
					   stream };

	text_put(out, (const char *)head, sizeof head);
	text_put(out, payload, len);
}

/* Header fields as literals; the numbers are those of HPACK's static table. */
static void put_headers(struct text *out)
{
	static const char fields[] = "\x83"					 /* :method POST */
				     "\x86"					 /* :scheme http */
				     "\x04\x21/runtime.v1.RuntimeService/Status" /* :path */
				     "\x01\x09localhost"			 /* :authority */
				     "\x0f\x10\x10"
				     "application/grpc" /* content-type */
				     "\x00\x02"
				     "te"
				     "\x08"
				     "trailers";

	put_frame(out, HEADERS, END_HEADERS, 1, fields, sizeof fields - 1);
}

static void put_request(struct text *out)
{
	static const uint8_t windows[] = { 0, 4, 0, WINDOW >> 16, 0, 0 }; /* INITIAL_WINDOW_SIZE */
	static const uint8_t more[] = { 0, WINDOW >> 16, 0, 0 };
	static const uint8_t status[] = { 0, 0, 0, 0, 2, 1 << 3, 1 }; /* StatusRequest: verbose */

	text_print(out, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
	put_frame(out, SETTINGS, 0, 0, windows, sizeof windows);
	put_frame(out, WINDOW_UPDATE, 0, 0, more, sizeof more);
	put_headers(out);
	put_frame(out, DATA, END_STREAM, 1, status, sizeof status);
}

static bool send_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t sent = send(fd, p, len, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		p += sent;
		len -= (size_t)sent;
	}
	return true;
}

static bool receive_bytes(int fd, void *out, size_t len)
{
	return len == 0 || recv(fd, out, len, MSG_WAITALL) == (ssize_t)len;
}

/* Answers frames that need it: settings and pings. */
static bool answer_frame(int fd, const uint8_t head[static FRAME_HEAD], const char *payload,
			 size_t len)
{
	auto_text out = TEXT_UP_TO(64);

	if ((head[3] != SETTINGS && head[3] != PING) || head[4] & ACK)
		return true;
	put_frame(&out, head[3], ACK, 0, payload, head[3] == PING ? len : 0);
	return text_ok(&out) && send_all(fd, out.at, out.len);
}

/* Appends the call's DATA to `out` until its stream ends. */
static bool read_answer(int fd, struct text *out)
{
	uint8_t head[FRAME_HEAD];

	while (receive_bytes(fd, head, sizeof head)) {
		size_t len = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
		auto_mem char *payload = malloc(len + 1);

		if (!payload || !receive_bytes(fd, payload, len) || head[3] == GOAWAY ||
		    !answer_frame(fd, head, payload, len))
			return false; /* NOLINT: auto_mem frees it */
		if (head[3] == DATA)
			text_put(out, payload, len);
		if ((head[3] == DATA || head[3] == HEADERS) && head[4] & END_STREAM)
			return text_ok(out);
	}
	return false;
}

static int connect_to(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct timeval wait = { .tv_sec = WAIT_SECONDS };
	auto_fd fd = -1;

	if (strlen(path) >= sizeof to.sun_path)
		return -1;
	memcpy(to.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait) < 0 ||
	    connect(fd, (const struct sockaddr *)&to, sizeof to) < 0)
		return -1;
	return take_fd(&fd);
}

enum cri_chain cri_status_chain(const char *path, const char *folder)
{
	enum { GRPC_HEAD = 5 }; /* a flag, and the message's length */
	auto_text request = TEXT_UP_TO(4096), answer = TEXT_UP_TO(WINDOW);
	auto_fd fd = connect_to(path);

	if (fd < 0)
		return CRI_NO_RUNTIME;
	put_request(&request);
	if (!text_ok(&request) || !send_all(fd, request.at, request.len) ||
	    !read_answer(fd, &answer) || answer.len < GRPC_HEAD)
		return CRI_UNSEEN;
	return cri_status_read((const uint8_t *)answer.at + GRPC_HEAD, answer.len - GRPC_HEAD,
			       folder);
}
