/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c: tests whether caches answer. */
#include "pod-dnsctl/probe.h"
#include "netns.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { PATIENCE = 1000 /* ms */, AT_ONCE = 256 };

const char *const probe_names[] = { "none", "answers", "silent", "refused", "unreachable" };

/* ". NS IN", recursion desired. The ID may be fixed: the socket is connected. */
static const unsigned char query[] = { 0x70, 0x64, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1 };

static bool open_socket(void *context, struct err *e)
{
	int *fd = context;

	*fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return *fd >= 0 || err_errno(e, ERR_IO, "socket");
}

static void end_probe(struct probe *p, enum probe_result result)
{
	if (p->fd >= 0)
		(void)close(p->fd);
	p->fd = -1;
	p->result = result;
}

/* struct addr holds IPv4 as a mapped address, which the IPv6 socket accepts. */
void probe_send(struct probe *p, int netns_fd, const struct addr *cache)
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_port = htons(53) };

	*p = PROBE_UNSENT;
	memcpy(&to.sin6_addr, cache->byte, sizeof(cache->byte));
	(void)clock_gettime(CLOCK_MONOTONIC, &p->sent);
	if (!netns_do(netns_fd, open_socket, &p->fd, NULL) ||
	    connect(p->fd, (const struct sockaddr *)&to, sizeof(to)) < 0 ||
	    send(p->fd, query, sizeof(query), 0) < 0)
		end_probe(p, errno == ECONNREFUSED ? PROBE_REFUSED : PROBE_UNREACHABLE);
}

static double ms_since(const struct timespec *then)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) * 1e3 +
	       (double)(now.tv_nsec - then->tv_nsec) / 1e6;
}

static void receive_answer(struct probe *p)
{
	unsigned char answer[512];
	ssize_t len = recv(p->fd, answer, sizeof(answer), 0);

	if (len < 0 && errno == EAGAIN)
		return;
	if (len < 0) {
		end_probe(p, errno == ECONNREFUSED ? PROBE_REFUSED : PROBE_UNREACHABLE);
		return;
	}
	if (len < 12 || memcmp(answer, query, 2) != 0 || !(answer[2] & 0x80))
		return; /* an answer to another query */
	p->ms = ms_since(&p->sent);
	end_probe(p, PROBE_ANSWERS);
}

static size_t wait_once(struct probe *probes, size_t n, int ms)
{
	struct pollfd on[AT_ONCE];
	size_t waiting = 0;

	for (size_t i = 0; i < n; i++) {
		on[i] = (struct pollfd){ .fd = probes[i].fd, .events = POLLIN };
		waiting += probes[i].fd >= 0;
	}
	if (!waiting || poll(on, n, ms) <= 0)
		return waiting;
	for (size_t i = 0; i < n; i++)
		if (on[i].revents)
			receive_answer(&probes[i]);
	return waiting;
}

/* Waits for at most AT_ONCE probes. */
static void wait_for_some(struct probe *probes, size_t n)
{
	struct timespec begun;
	double left;

	(void)clock_gettime(CLOCK_MONOTONIC, &begun);
	while ((left = PATIENCE - ms_since(&begun)) > 0 && wait_once(probes, n, (int)left + 1) > 0)
		;
	for (size_t i = 0; i < n; i++)
		if (probes[i].fd >= 0)
			end_probe(&probes[i], PROBE_SILENT);
}

void probe_wait(struct probe *probes, size_t n)
{
	for (size_t i = 0; i < n; i += AT_ONCE)
		wait_for_some(probes + i, n - i < AT_ONCE ? n - i : AT_ONCE);
}
