/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "dns.h"
#include "lookups.h"
#include "socket.h"
#include "transport.h"

enum { AT_ONCE = 64 };

static int poller;

void transport_begin(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
	poller = epoll_create1(0);
	if (poller < 0)
		die("epoll_create1");
}

static void watch(int operation, int fd, uint32_t events, size_t token)
{
	struct epoll_event event = { .events = events, .data.u64 = token };

	if (epoll_ctl(poller, operation, fd, &event) < 0)
		die("epoll_ctl");
}

int transport_open(size_t token)
{
	const int type = plan.tcp ? SOCK_STREAM : SOCK_DGRAM, on = 1, buffer = 4 << 20;
	const int fd = socket(plan.server.ss_family, type | SOCK_NONBLOCK, 0);
	struct sockaddr_storage from;

	if (fd < 0)
		die("socket");
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
	if (plan.port) {
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
		(void)read_address(plan.server.ss_family == AF_INET ? "0.0.0.0" : "::",
				   (uint16_t)plan.port, &from);
		if (bind(fd, (struct sockaddr *)&from, plan.server_length) < 0)
			die("bind");
	}
	if (!plan.unconnected)
		(void)connect(fd, (struct sockaddr *)&plan.server, plan.server_length);
	watch(EPOLL_CTL_ADD, fd, plan.tcp ? EPOLLOUT : EPOLLIN, token);
	return fd;
}

void transport_listen(int fd, size_t token)
{
	watch(EPOLL_CTL_MOD, fd, EPOLLIN, token);
}

int transport_send(int fd, const uint8_t *query, size_t length)
{
	uint8_t framed[2 + PLAIN_UDP];
	int refused = 0;

	if (plan.tcp) {
		memcpy(put16(framed, (unsigned)length), query, length);
		(void)send(fd, framed, 2 + length, MSG_NOSIGNAL);
	} else if (plan.unconnected) {
		(void)sendto(fd, query, length, 0, (const struct sockaddr *)&plan.server,
			     plan.server_length);
	} else {
		while (send(fd, query, length, 0) < 0 && errno == ECONNREFUSED)
			refused++;
	}
	return refused;
}

size_t transport_wait(size_t *ready, size_t max, int ms)
{
	struct epoll_event events[AT_ONCE];
	const int n = epoll_wait(poller, events, max < AT_ONCE ? (int)max : AT_ONCE, ms);

	for (int i = 0; i < n; i++)
		ready[i] = events[i].data.u64;
	return n > 0 ? (size_t)n : 0;
}
