/* SPDX-License-Identifier: Apache-2.0 */
/* What a runtime's Status says of the chain that it has loaded. */
#include "pod-dnsctl/install/cri_status.h"
#include "rows.h"

#include <nghttp2/nghttp2.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#define TEXT "{'plugins':[{'type':'x'},{'type':'pod-dns','mode':'off'}]}"
#define WITH                  \
	"{'PluginConfDir':'/" \
	"n','Networks':[{'Config':{'Plugins':[{'Network':{'type':'pod-dns'}}]}}]}"
#define WITHOUT \
	"{'PluginConfDir':'/n','Networks':[{'Config':{'Plugins':[{'Network':{'type':'x'}}]}}]}"
/* `source` is JSON in a string in JSON. */
#define WITH_SOURCE(source)                                                                        \
	"{'PluginConfDir':'/n','Networks':[{'Config':{'Plugins':[{'Network':{'type':'pod-dns'}}]," \
	"'Source':'" source "'}}]}"

static const struct row {
	const char *name, *key, *value, *wanted;
	enum cri_chain seen;
	const char *fault;
} rows[] = {
	{ "with us", "cniconfig", WITH, TEXT, CRI_LOADED, NULL },
	{ "without us", "cniconfig", WITHOUT, TEXT, CRI_NOT_LOADED, NULL },
	{ "with us, and must be without", "cniconfig", WITH, NULL, CRI_NOT_LOADED, NULL },
	{ "without us, as it must be", "cniconfig", WITHOUT, NULL, CRI_LOADED, NULL },
	{ "with our text, spelt another way", "cniconfig",
	  WITH_SOURCE("{ \\'plugins\\': "
		      "[{\\'type\\':\\'x\\'},{\\'mode\\':\\'off\\',\\'type\\':\\'pod-dns\\'}] }"),
	  TEXT, CRI_LOADED, NULL },
	{ "with us, but as we were before", "cniconfig",
	  WITH_SOURCE("{\\'plugins\\':[{\\'type\\':\\'x\\'},{\\'type\\':\\'pod-dns\\'}]}"), TEXT,
	  CRI_NOT_LOADED, NULL },
	{ "another folder", "cniconfig", "{'PluginConfDir':'/other','Networks':[]}", TEXT,
	  CRI_UNSEEN, NULL },
	{ "no network yet", "cniconfig", "{'PluginConfDir':'/n','Networks':[]}", TEXT,
	  CRI_NOT_LOADED, NULL },
	{ "another runtime's info", "config", WITH, TEXT, CRI_UNSEEN, NULL },
	{ "no JSON", "cniconfig", "{", TEXT, CRI_UNSEEN, NULL },
	{ "JSON of another shape", "cniconfig",
	  "{'PluginConfDir':'/"
	  "n','Networks':[7,{'Config':[]},{'Config':{'Plugins':[{'Network':{'type':5}}]}}]}",
	  TEXT, CRI_NOT_LOADED, NULL },
	{ "it could not load them", "lastCNILoadStatus", "cni config load failed: x", TEXT,
	  CRI_UNSEEN, "cni config load failed: x" },
	{ "it could load them", "lastCNILoadStatus", "OK", TEXT, CRI_UNSEEN, NULL },
};

static size_t put(uint8_t *out, uint8_t tag, const void *bytes, size_t len)
{
	size_t n = 0;

	out[n++] = tag;
	out[n++] = (uint8_t)(len & 0x7f) | 0x80;
	out[n++] = (uint8_t)(len >> 7);
	memcpy(out + n, bytes, len);
	return n + len;
}

/* A StatusResponse: field 1 the conditions, field 2 an entry of the map. */
static size_t make(uint8_t *out, const struct row *row)
{
	const char *value = rows_json(row->value);
	uint8_t entry[1024];
	size_t n = put(entry, 0x0a, row->key, strlen(row->key));

	n += put(entry + n, 0x12, value, strlen(value));
	return put(out + put(out, 0x0a, "\x0a\x00", 2), 0x12, entry, n) + 5;
}

static void reads(void **state)
{
	const struct row *row = *state;
	const char *wanted = row->wanted ? rows_json(row->wanted) : NULL;
	uint8_t message[2048];
	size_t len = make(message, row);
	char fault[CRI_FAULT];

	assert_int_equal(cri_status_read(fault, (struct cri_part){ message, len }, "/n", wanted),
			 row->seen);
	assert_string_equal(fault, row->fault ? row->fault : "");
	/* Cut anywhere it says nothing, and reads no further than it was given. */
	for (size_t cut = 0; cut < len; cut++) {
		uint8_t *part = malloc(cut + 1);

		assert_non_null(part);
		memcpy(part, message, cut);
		assert_int_equal(cri_status_read(fault, (struct cri_part){ part, cut }, "/n",
						 wanted),
				 CRI_UNSEEN);
		free(part);
	}
}

/*** the call, to a program in the runtime's place ***/

enum how { ANSWERS, ANSWERS_FOR_EVER, EMPTY_FRAMES, SILENT, NO_HTTP2, CLOSES, NOT_THERE };

static const struct call {
	const char *name;
	enum how how;
	enum cri_chain seen;
} calls[] = {
	{ "it answers", ANSWERS, CRI_LOADED },
	{ "its answer has no end", ANSWERS_FOR_EVER, CRI_UNSEEN },
	{ "an empty frame now and then", EMPTY_FRAMES, CRI_UNSEEN },
	{ "it accepts the call, and says nothing", SILENT, CRI_UNSEEN },
	{ "it speaks another protocol", NO_HTTP2, CRI_UNSEEN },
	{ "it closes the call", CLOSES, CRI_UNSEEN },
	{ "nothing listens", NOT_THERE, CRI_NO_RUNTIME },
};

struct server {
	enum how how;
	uint8_t bytes[2048];
	size_t len;
};

static ssize_t give_answer(nghttp2_session *s UNUSED, int32_t stream UNUSED, uint8_t *out,
			   size_t room, uint32_t *flags, nghttp2_data_source *source UNUSED,
			   void *server)
{
	const struct server *is = server;

	if (is->how == ANSWERS_FOR_EVER) {
		memset(out, 0, room);
		return (ssize_t)room;
	}
	assert_true(is->len <= room);
	memcpy(out, is->bytes, is->len);
	*flags |= NGHTTP2_DATA_FLAG_EOF;
	return (ssize_t)is->len;
}

static int take_frame(nghttp2_session *s, const nghttp2_frame *frame, void *server UNUSED)
{
	static uint8_t name[] = ":status", value[] = "200";
	const nghttp2_nv status = { name, value, sizeof(name) - 1, sizeof(value) - 1, 0 };
	const nghttp2_data_provider answer = { .read_callback = give_answer };

	if (frame->hd.type != NGHTTP2_DATA || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM))
		return 0;
	return nghttp2_submit_response(s, frame->hd.stream_id, &status, 1, &answer);
}

/* Until the other side has had enough. */
static void serve_http2(int fd, struct server *is)
{
	nghttp2_session_callbacks *callbacks;
	nghttp2_session *s;
	uint8_t in[4096];
	const uint8_t *out;
	ssize_t len;

	assert_int_equal(nghttp2_session_callbacks_new(&callbacks), 0);
	nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, take_frame);
	assert_int_equal(nghttp2_session_server_new(&s, callbacks, is), 0);
	(void)nghttp2_submit_settings(s, 0, NULL, 0);
	do
		while ((len = nghttp2_session_mem_send(s, &out)) > 0)
			if (send(fd, out, (size_t)len, MSG_NOSIGNAL) != len)
				return;
	while ((len = recv(fd, in, sizeof(in), 0)) > 0 &&
	       nghttp2_session_mem_recv(s, in, (size_t)len) == len);
}

static void serve(int fd, struct server *is)
{
	static const char settings[] = "\0\0\0\4\0\0\0\0";
	const struct timespec tenth = { .tv_nsec = 100000000 };

	switch (is->how) {
	case ANSWERS:
	case ANSWERS_FOR_EVER:
		serve_http2(fd, is);
		break;
	case EMPTY_FRAMES:
		while (send(fd, settings, sizeof(settings), MSG_NOSIGNAL) > 0) {
			(void)nanosleep(&tenth, NULL);
			(void)recv(fd, is->bytes, sizeof(is->bytes), MSG_DONTWAIT);
		}
		break;
	case NO_HTTP2:
		(void)send(fd, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, MSG_NOSIGNAL);
		break;
	case SILENT:
		(void)pause();
		break;
	case CLOSES:
	case NOT_THERE:
		break;
	}
}

/* The process of a runtime, which ends with the test. */
static pid_t start_runtime(const char *path, const struct call *call)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct server is = { .how = call->how };
	int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), fd;
	pid_t pid;

	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	assert_int_equal(bind(listening, (const struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(listening, 8), 0);
	is.len = 5 + make(is.bytes + 5, &rows[0]); /* gRPC's head: what it says is not looked at */
	pid = fork();
	if (pid == 0) {
		(void)alarm(60);
		fd = accept(listening, NULL, NULL);
		serve(fd, &is);
		_exit(0);
	}
	(void)close(listening);
	return pid;
}

/* That it returns at all is what counts: none of these ends the call by itself. */
static void asks(void **state)
{
	const struct call *call = *state;
	char folder[] = "/tmp/pdt-cri-XXXXXX", path[64], fault[CRI_FAULT];
	pid_t pid = -1;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/socket", folder);
	if (call->how != NOT_THERE)
		pid = start_runtime(path, call);
	(void)alarm(60);
	assert_int_equal(cri_status_chain(fault, path, "/n", rows_json(TEXT)), call->seen);
	(void)alarm(0);
	if (pid > 0) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	return RUN_ROWS("cri_status", rows, reads) + RUN_ROWS("cri_status: the call", calls, asks);
}
