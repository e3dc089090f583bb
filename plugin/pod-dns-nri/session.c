/* SPDX-License-Identifier: Apache-2.0 */
/* session.c: one connection to the runtime: registers, and answers the runtime's calls. */
#include "pod-dns-nri/session.h"
#include "pod-dns-nri/complete.h"
#include "pod-dns-nri/on_host.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

/* The order of plugins: pods' files are written after those plugins that have a lower index. */
#define PLUGIN_NAME  "pod-dns"
#define PLUGIN_INDEX "50"

enum { FRAME_MAX = 8192 };
/* Of the two seconds that the runtime gives to all parts of Synchronize. */
enum { SYNCHRONIZE_MS = 1000 };

/*** sending ***/

static bool send_all(const struct session *s, const struct text *bytes, struct err *e)
{
	for (size_t at = 0; at < bytes->len;) {
		ssize_t sent = send(s->fd, bytes->at + at, bytes->len - at, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return err_errno(e, ERR_AGAIN, "sending");
		at += (size_t)sent;
	}
	return true;
}

static bool send_message(const struct session *s, uint32_t connection, const struct text *message,
			 struct err *e)
{
	auto_text frames = TEXT_UP_TO(FRAME_MAX);

	mux_frame(&frames, connection, message);
	if (message->failed || !text_ok(&frames))
		return err_set(e, ERR_IO, "out of memory");
	return send_all(s, &frames, e);
}

/*** the runtime's calls ***/

static void count_pod(struct session *s, enum completed done)
{
	s->report->pods++;
	s->report->written += done == COMPLETED_WRITTEN;
	s->report->missed += done == COMPLETED_MISSED || done == COMPLETED_ABSENT;
	s->behind = s->behind || done == COMPLETED_LATER;
	nri_lock_report(s->lock, s->report);
}

static void print_pod(const struct nri_request *request, const char *what, const char *text)
{
	char name[512], shown[1024];

	text_escape(name, sizeof(name), request->pod.name);
	text_escape(shown, sizeof(shown), text);
	(void)fprintf(stderr, "pod-dns-nri: %s%s/%s: %s\n", what, request->pod.namespace, name,
		      shown);
}

static enum completed complete_on_host(const struct session *s, const struct nri_pod *pod,
				       struct warnings *w, struct err *e)
{
	struct ucred peer = { .pid = 0 };
	socklen_t size = sizeof(peer);

	(void)getsockopt(s->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	return on_host_complete(pod, &(struct on_host_runtime){ s->conf_dir, peer.pid }, w, e);
}

static void run_pod(struct session *s, const struct nri_request *request)
{
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	struct err fault = { 0 };
	enum completed done = complete_pod(request->pod.id, &w, &fault);

	if (done == COMPLETED_NOTHING && on_host(&request->pod))
		done = complete_on_host(s, &request->pod, &w, &fault);
	for (size_t i = 0; i < w.n; i++)
		print_pod(request, "warning: ", w.at[i].text);
	if (done == COMPLETED_ABSENT)
		(void)err_set(&fault, ERR_TARGET,
			      "the runtime's resolv.conf of the pod is not found");
	if (fault.code)
		print_pod(request, "", fault.text);
	count_pod(s, done);
}

static void configure(struct session *s, const struct nri_request *request)
{
	char peer[sizeof(s->peer)];

	(void)snprintf(peer, sizeof(peer), "%s %s", request->runtime, request->version);
	text_escape(s->peer, sizeof(s->peer), peer);
}

/*
 * The runtime starts no container while it synchronizes. So what was missed while no pod-dns-nri
 * ran is completed before the answer.
 */
static void synchronize(struct session *s, const struct nri_request *request)
{
	size_t written;

	if (request->more)
		return;
	s->behind = complete_all(SYNCHRONIZE_MS, &written);
	s->serves = true;
	s->report->written += written;
	s->report->runtime = s->peer;
	s->report->connections++;
	nri_lock_report(s->lock, s->report);
	nri_lock_stamp(s->lock);
	(void)fprintf(stderr, "pod-dns-nri: connected to %s, %zu files written\n", s->peer,
		      written);
}

static void act_on(struct session *s, const struct nri_request *request)
{
	switch (request->call) {
	case NRI_CONFIGURE:
		configure(s, request);
		break;
	case NRI_SYNCHRONIZE:
		synchronize(s, request);
		break;
	case NRI_RUN_POD:
		run_pod(s, request);
		break;
	case NRI_UNKNOWN:
	case NRI_OTHER_EVENT:
		break;
	}
}

static bool answer_call(void *context, const struct ttrpc_message *message, struct err *e)
{
	struct session *s = context;
	auto_text answer = TEXT_UP_TO(FRAME_MAX);
	struct ttrpc_request call;
	struct nri_request request;

	if (message->type != TTRPC_REQUEST)
		return true;
	if (!ttrpc_read_request(&call, message))
		return err_set(e, ERR_DECODE, "a call of the runtime is broken");
	if (!nri_read(&request, &call, e))
		return false;
	act_on(s, &request);
	nri_put_answer(&answer, message->stream, &request);
	return send_message(s, MUX_PLUGIN, &answer, e);
}

/* The only call of ours is RegisterPlugin. Configure may come before this answer. */
static bool read_answer(void *context UNUSED, const struct ttrpc_message *message, struct err *e)
{
	char why[256], shown[512];
	uint64_t code;

	if (!ttrpc_read_response(&code, why, message))
		return err_set(e, ERR_DECODE, "an answer of the runtime is broken");
	text_escape(shown, sizeof(shown), why);
	return code == TTRPC_OK ||
	       err_set(e, ERR_CONFIG, "the runtime refuses to register: %s (code %" PRIu64 ")",
		       shown, code);
}

static bool feed_stream(void *context, uint32_t connection, const uint8_t *bytes, size_t len,
			struct err *e)
{
	struct session *s = context;

	if (connection == MUX_PLUGIN)
		return ttrpc_feed(&s->plugin, bytes, len, answer_call, s, e);
	if (connection == MUX_RUNTIME)
		return ttrpc_feed(&s->runtime, bytes, len, read_answer, s, e);
	return true;
}

/*** the connection ***/

/* A runtime that takes no bytes for a second is as good as gone. */
static bool connect_socket(struct session *s, const char *path, struct err *e)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	const struct timeval patience = { .tv_sec = 1 };

	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->fd < 0 ||
	    setsockopt(s->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) < 0)
		return err_errno(e, ERR_AGAIN, "socket");
	return connect(s->fd, (struct sockaddr *)&at, sizeof(at)) == 0 ||
	       err_errno(e, ERR_AGAIN, "%s", path);
}

bool session_open(struct session *s, const char *path, struct err *e)
{
	auto_text call = TEXT_UP_TO(FRAME_MAX);

	nri_put_register(&call, 1, PLUGIN_NAME, PLUGIN_INDEX);
	return connect_socket(s, path, e) && send_message(s, MUX_RUNTIME, &call, e);
}

bool session_serve(struct session *s, struct err *e)
{
	uint8_t bytes[16384];
	ssize_t got = recv(s->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (got < 0)
		return err_errno(e, ERR_AGAIN, "the connection to the runtime");
	if (got == 0)
		return err_set(e, ERR_AGAIN, "the runtime has closed the connection");
	return mux_feed(&s->mux, bytes, (size_t)got, feed_stream, s, e);
}

void session_catch_up(struct session *s)
{
	size_t written;

	if (!s->behind)
		return;
	s->behind = complete_all(COMPLETE_PATIENCE, &written);
	s->report->written += written;
	if (written)
		nri_lock_report(s->lock, s->report);
}

void session_close(struct session *s)
{
	if (s->fd >= 0)
		(void)close(s->fd);
	ttrpc_done(&s->plugin);
	ttrpc_done(&s->runtime);
	nri_lock_unstamp(s->lock);
	s->report->runtime = "";
	nri_lock_report(s->lock, s->report);
}
