/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c: whether a DNS server answers. */
#include "pod-dnsctl/inventory/probe.h"
#include "netns.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

const char *const probe_names[] = { "none", "answers", "silent", "refused", "unreachable" };

/* ". NS IN", recursion desired. The ID may be fixed: the socket is connected. */
static const unsigned char query[] = { 0x70, 0x64, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1 };

static bool open_socket(void *context, struct err *e)
{
	int *fd = context;

	*fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return *fd >= 0 || err_errno(e, ERR_IO, "socket");
}

void probe_end(struct probe *p, enum probe_result result)
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
		probe_end(p, errno == ECONNREFUSED ? PROBE_REFUSED : PROBE_UNREACHABLE);
}

double probe_ms_since(const struct timespec *then)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) * 1e3 +
	       (double)(now.tv_nsec - then->tv_nsec) / 1e6;
}

void probe_receive(struct probe *p)
{
	unsigned char answer[512];
	ssize_t len = recv(p->fd, answer, sizeof(answer), 0);

	if (len < 0 && errno == EAGAIN)
		return;
	if (len < 0) {
		probe_end(p, errno == ECONNREFUSED ? PROBE_REFUSED : PROBE_UNREACHABLE);
		return;
	}
	if (len < 12 || memcmp(answer, query, 2) != 0 || !(answer[2] & 0x80))
		return; /* an answer to another query */
	p->ms = probe_ms_since(&p->sent);
	probe_end(p, PROBE_ANSWERS);
}

enum probe_result probe_once(const struct addr *cache)
{
	struct probe p;
	double left;

	probe_send(&p, -1, cache);
	while (p.fd >= 0 && (left = PROBE_PATIENCE - probe_ms_since(&p.sent)) > 0) {
		struct pollfd on = { .fd = p.fd, .events = POLLIN };

		if (poll(&on, 1, (int)left + 1) > 0)
			probe_receive(&p);
	}
	if (p.fd >= 0)
		probe_end(&p, PROBE_SILENT);
	return p.result;
}
