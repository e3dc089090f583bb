/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer WHO ADDRESS…: a DNS server on port 53 of the addresses, UDP and TCP, that names itself and
 * does what the names order (dns.h). SIGUSR1: SERVFAIL to everything from now on. SIGUSR2: no more.
 * Prints `ready` once it listens.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dns.h"
#include "socket.h"

enum { ADDRESSES = 8, FLOWS = 256, LATER = 4096, AT_ONCE = 64, LONGEST_DELAY = 5000 };

/* A query over UDP, kept where its answer is due later. */
struct query {
	long due;
	size_t length;
	struct sockaddr_storage from;
	socklen_t from_length;
	int fd;
	uint8_t bytes[PLAIN_UDP];
};

static struct {
	size_t got;
	uint8_t bytes[2 + PLAIN_UDP];
} flows[FLOWS];

/* First a UDP and a TCP socket for each address, in turn, then the flows. */
static struct pollfd sockets[2 * ADDRESSES + FLOWS];
static size_t n_listening;
static struct query later[LATER];
static size_t n_later;
static unsigned who;
static volatile sig_atomic_t failing;

static void on_signal(int number)
{
	failing = number == SIGUSR1;
}

static void answer_udp(const struct query *q)
{
	static uint8_t answer[ANSWER];
	const size_t length = make_answer(answer, q->bytes, q->length, who, failing, false);

	if (length)
		(void)sendto(q->fd, answer, length, 0, (const struct sockaddr *)&q->from,
			     q->from_length);
}

static void serve_udp(int fd)
{
	struct query q = { .fd = fd };

	for (int i = 0; i < AT_ONCE; i++) {
		ssize_t got;
		long delay;

		q.from_length = sizeof q.from;
		got = recvfrom(fd, q.bytes, sizeof q.bytes, MSG_DONTWAIT,
			       (struct sockaddr *)&q.from, &q.from_length);
		if (got <= 0)
			return;
		q.length = (size_t)got;
		delay = ordered(q.bytes, q.length, "delay");
		if (delay <= 0) {
			answer_udp(&q);
		} else if (n_later < LATER) {
			q.due = now_ms() + (delay > LONGEST_DELAY ? LONGEST_DELAY : delay);
			later[n_later++] = q;
		}
	}
}

/* Answers what is due; the ms until the next is, -1 where none is. */
static int serve_later(void)
{
	const long now = n_later ? now_ms() : 0;
	long next = -1;

	for (size_t i = n_later; i-- > 0;) {
		if (later[i].due <= now) {
			answer_udp(&later[i]);
			later[i] = later[--n_later];
		} else if (next < 0 || later[i].due - now < next) {
			next = later[i].due - now;
		}
	}
	return (int)next;
}

static void answer_tcp(int fd, const uint8_t *query, size_t length)
{
	static uint8_t answer[2 + ANSWER];
	const size_t size = make_answer(answer + 2, query, length, who, failing, true);

	(void)put16(answer, (unsigned)size);
	if (size)
		(void)send(fd, answer, size + 2, MSG_NOSIGNAL);
}

/* One query a flow at a time is enough. False: the flow is over. */
static bool serve_tcp(int fd, size_t i)
{
	const ssize_t got = recv(fd, flows[i].bytes + flows[i].got,
				 sizeof flows[i].bytes - flows[i].got, MSG_DONTWAIT);

	if (got <= 0)
		return false;
	flows[i].got += (size_t)got;
	if (flows[i].got < 2 || flows[i].got < 2u + get16(flows[i].bytes))
		return flows[i].got < sizeof flows[i].bytes;
	answer_tcp(fd, flows[i].bytes + 2, get16(flows[i].bytes));
	flows[i].got = 0;
	return true;
}

static void take_flow(int listening)
{
	const struct timeval patience = { .tv_sec = 1 };
	const int fd = accept(listening, NULL, NULL);

	for (size_t i = 0; fd >= 0 && i < FLOWS; i++) {
		if (sockets[n_listening + i].fd < 0) {
			(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
			sockets[n_listening + i].fd = fd;
			flows[i].got = 0;
			return;
		}
	}
	(void)close(fd);
}

static void listen_on(const char *address, int type)
{
	struct sockaddr_storage to;
	const socklen_t length = read_address(address, PORT, &to);
	const int fd = socket(to.ss_family, type | SOCK_NONBLOCK, 0), on = 1, buffer = 4 << 20;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
	    bind(fd, (struct sockaddr *)&to, length) < 0 ||
	    (type == SOCK_STREAM && listen(fd, FLOWS) < 0))
		die(address);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
	sockets[n_listening++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static void serve(void)
{
	const int found = poll(sockets, n_listening + FLOWS, serve_later());

	for (size_t i = 0; found > 0 && i < n_listening + FLOWS; i++) {
		if (!sockets[i].revents)
			continue;
		if (i < n_listening) {
			(i % 2 ? take_flow : serve_udp)(sockets[i].fd);
		} else if (!serve_tcp(sockets[i].fd, i - n_listening)) {
			(void)close(sockets[i].fd);
			sockets[i].fd = -1;
		}
	}
}

int main(int argc, char *argv[])
{
	who = argc > 1 && strcmp(argv[1], "cache") == 0 ? WHO_CACHE : WHO_CLUSTER;
	if (argc < 3 || argc > 2 + ADDRESSES ||
	    (who != WHO_CACHE && strcmp(argv[1], "cluster") != 0)) {
		(void)fputs("usage: answer cache|cluster ADDRESS…\n", stderr);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		listen_on(argv[i], SOCK_DGRAM);
		listen_on(argv[i], SOCK_STREAM);
	}
	for (size_t i = 0; i < FLOWS; i++)
		sockets[n_listening + i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	(void)signal(SIGUSR1, on_signal);
	(void)signal(SIGUSR2, on_signal);
	(void)puts("ready");
	(void)fflush(stdout);
	for (;;)
		serve();
}
