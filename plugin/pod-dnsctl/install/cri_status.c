/* SPDX-License-Identifier: Apache-2.0 */
/* cri_status.c: asks a container runtime which chain it has loaded. */
#include "pod-dnsctl/install/cri_status.h"
#include "pod-dnsctl/install/chain.h"
#include "config/conflist.h"
#include "text.h"

#include <errno.h>
#include <nghttp2/nghttp2.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

enum { CALL_MS = 2000, ANSWER_MAX = 4 << 20 /* bytes */, GRPC_HEAD = 5 /* a flag, a length */ };

/*** protocol buffers ***/

static bool read_length(struct cri_part *m, size_t *out)
{
	*out = 0;
	for (unsigned shift = 0; m->len && shift < 32; shift += 7) {
		uint8_t byte = *m->at;

		m->at++, m->len--;
		*out |= (size_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return *out <= m->len;
	}
	return false;
}

/* The next field that is a string or a message: those read here hold no others. Its number, or 0.
 */
static unsigned next_field(struct cri_part *m, struct cri_part *f)
{
	enum { BYTES = 2 };
	uint8_t tag = m->len ? *m->at : 0;

	if ((tag & 7) != BYTES || tag & 0x80)
		return 0;
	m->at++, m->len--;
	if (!read_length(m, &f->len))
		return 0;
	f->at = m->at;
	m->at += f->len, m->len -= f->len;
	return tag >> 3;
}

/* The value of an entry of a map<string, string> if its key is `key`. */
static bool map_value(struct cri_part *value, struct cri_part entry, const char *key)
{
	struct cri_part name;

	return next_field(&entry, &name) == 1 && name.len == strlen(key) &&
	       memcmp(name.at, key, name.len) == 0 && next_field(&entry, value) == 2;
}

/*** the answer ***/

static bool calls_us(const json_t *config)
{
	const json_t *plugin;
	size_t i;

	json_array_foreach (json_object_get(config, "Plugins"), i, plugin)
		if (conflist_is_ours(json_object_get(plugin, "Network")))
			return true;
	return false;
}

/* Source is the text of the loaded conflist; a runtime that does not give it is asked for less. */
static bool is_wanted_chain(const json_t *config, const char *wanted)
{
	const char *source = json_string_value(json_object_get(config, "Source"));

	return calls_us(config) && (!source || !*source || chain_is_same(source, wanted));
}

static enum cri_chain read_cni_config(const struct cri_part *text, const char *folder,
				      const char *wanted)
{
	json_auto_t *config = json_loadb((const char *)text->at, text->len, 0, NULL);
	const json_t *networks = json_object_get(config, "Networks"), *network;
	const char *from = json_string_value(json_object_get(config, "PluginConfDir"));
	bool found = false;
	size_t i;

	if (!json_is_array(networks) || !from || strcmp(from, folder) != 0)
		return CRI_UNSEEN;
	json_array_foreach (networks, i, network) {
		const json_t *chain = json_object_get(network, "Config");

		found = found || (wanted ? is_wanted_chain(chain, wanted) : calls_us(chain));
	}
	return found == (wanted != NULL) ? CRI_LOADED : CRI_NOT_LOADED;
}

enum cri_chain cri_status_read(char fault[static CRI_FAULT], struct cri_part message,
			       const char *folder, const char *wanted)
{
	enum { INFO = 2 };
	enum cri_chain seen = CRI_UNSEEN;
	struct cri_part f, value;

	*fault = '\0';
	for (unsigned number; (number = next_field(&message, &f));) {
		if (number == INFO && map_value(&value, f, "cniconfig"))
			seen = read_cni_config(&value, folder, wanted);
		if (number == INFO && map_value(&value, f, "lastCNILoadStatus") &&
		    (value.len != 2 || memcmp(value.at, "OK", 2) != 0))
			(void)snprintf(fault, CRI_FAULT, "%.*s", (int)value.len,
				       (const char *)value.at);
	}
	return seen;
}

/*** one gRPC call over HTTP/2 ***/

struct call {
	int fd;
	int64_t until; /* ms of CLOCK_MONOTONIC */
	struct text answer;
	size_t received; /* bytes, of all frames */
	bool ended;	 /* the call's stream */
};

static int64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Reads what has come, or waits for it. 0: the end, an error, or the call's time is over. */
static size_t receive_some(const struct call *c, uint8_t *out, size_t room)
{
	struct pollfd on = { .fd = c->fd, .events = POLLIN };
	int64_t left = c->until - now_ms();
	ssize_t len = left > 0 && poll(&on, 1, (int)left) > 0 ? recv(c->fd, out, room, 0) : 0;

	return len > 0 ? (size_t)len : 0;
}

static int take_data(nghttp2_session *s UNUSED, uint8_t flags UNUSED, int32_t stream UNUSED,
		     const uint8_t *data, size_t len, void *call)
{
	struct call *c = call;

	text_put(&c->answer, (const char *)data, len);
	return c->answer.failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

static int take_stream_end(nghttp2_session *s UNUSED, int32_t stream UNUSED, uint32_t why UNUSED,
			   void *call)
{
	((struct call *)call)->ended = true;
	return 0;
}

/* Gives a StatusRequest with verbose=true, which fits any frame. */
static ssize_t give_request(nghttp2_session *s UNUSED, int32_t stream UNUSED, uint8_t *out,
			    size_t room UNUSED, uint32_t *flags, nghttp2_data_source *source UNUSED,
			    void *call UNUSED)
{
	static const uint8_t request[] = { 0, 0, 0, 0, 2, 1 << 3, 1 };

	memcpy(out, request, sizeof request);
	*flags |= NGHTTP2_DATA_FLAG_EOF;
	return sizeof request;
}

#define HEADER(name, value)                                                                   \
	{                                                                                     \
		(uint8_t *)(name), (uint8_t *)(value), sizeof(name) - 1, sizeof(value) - 1, 0 \
	}

/* NULL: out of memory. */
static nghttp2_session *begin_call(struct call *c)
{
	static const nghttp2_nv headers[] = {
		HEADER(":method", "POST"),
		HEADER(":scheme", "http"),
		HEADER(":path", "/runtime.v1.RuntimeService/Status"),
		HEADER(":authority", "localhost"),
		HEADER("content-type", "application/grpc"),
		HEADER("te", "trailers"),
	};
	const nghttp2_data_provider request = { .read_callback = give_request };
	nghttp2_session_callbacks *callbacks;
	nghttp2_session *s = NULL;

	if (nghttp2_session_callbacks_new(&callbacks) != 0)
		return NULL;
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, take_data);
	nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, take_stream_end);
	(void)nghttp2_session_client_new(&s, callbacks, c);
	nghttp2_session_callbacks_del(callbacks);
	if (s && (nghttp2_submit_settings(s, NGHTTP2_FLAG_NONE, NULL, 0) != 0 ||
		  nghttp2_submit_request(s, NULL, headers, LEN(headers), &request, NULL) < 0)) {
		nghttp2_session_del(s);
		return NULL;
	}
	return s;
}

/*
 * Sends what the session has to send, and hands it what comes in, until the stream ends. The
 * socket has room for the few bytes that are sent.
 */
static bool perform_call(struct call *c, nghttp2_session *s)
{
	while (!c->ended) {
		uint8_t in[16384];
		const uint8_t *out;
		ssize_t len;
		size_t got;

		while ((len = nghttp2_session_mem_send(s, &out)) > 0)
			if (send(c->fd, out, (size_t)len, MSG_NOSIGNAL) != len)
				return false;
		got = len == 0 ? receive_some(c, in, sizeof in) : 0;
		c->received += got;
		if (!got || c->received > ANSWER_MAX ||
		    nghttp2_session_mem_recv(s, in, got) != (ssize_t)got)
			return false;
	}
	return c->answer.len >= GRPC_HEAD;
}

/* CRI_LOADED: it is connected. A runtime that accepts no call is there, and does not tell. */
static enum cri_chain connect_to(struct call *c, const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof to.sun_path)
		return CRI_NO_RUNTIME;
	memcpy(to.sun_path, path, strlen(path) + 1);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (c->fd < 0)
		return CRI_NO_RUNTIME;
	if (connect(c->fd, (const struct sockaddr *)&to, sizeof to) == 0)
		return CRI_LOADED;
	return errno == EAGAIN ? CRI_UNSEEN : CRI_NO_RUNTIME;
}

enum cri_chain cri_status_chain(char fault[static CRI_FAULT], const char *path, const char *folder,
				const char *wanted)
{
	struct call c = { .answer = TEXT_UP_TO(ANSWER_MAX), .until = now_ms() + CALL_MS };
	enum cri_chain seen = connect_to(&c, path);
	nghttp2_session *s = seen == CRI_LOADED ? begin_call(&c) : NULL;

	*fault = '\0';
	if (seen == CRI_LOADED)
		seen = CRI_UNSEEN;
	if (s && perform_call(&c, s))
		seen = cri_status_read(fault,
				       (struct cri_part){ (const uint8_t *)c.answer.at + GRPC_HEAD,
							  c.answer.len - GRPC_HEAD },
				       folder, wanted);
	nghttp2_session_del(s);
	text_done(&c.answer);
	close_auto_fd(&c.fd);
	return seen;
}
