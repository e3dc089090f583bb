/* SPDX-License-Identifier: Apache-2.0 */
/* server.c: one socket for both families and all addresses, so that the order of arrival is the
 * order of the queue. */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HEADER = 12, PACKET = 1024, TYPE_A = 1, TYPE_AAAA = 28 };

bool server_open(struct server *s)
{
	const struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_port = htons(53) };
	const int off = 0, on = 1;

	s->fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return s->fd >= 0 && setsockopt(s->fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off)) == 0 &&
	       setsockopt(s->fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof(on)) == 0 &&
	       bind(s->fd, (const struct sockaddr *)&any, sizeof(any)) == 0;
}

/* The question's name; its length on the wire, 0 where it is none. */
static size_t read_name(char *out, const unsigned char *at, size_t len)
{
	size_t used = 0, n = 0;

	while (used < len && at[used] && at[used] < 64 && used + at[used] + 1 < len) {
		if (n)
			out[n++] = '.';
		memcpy(out + n, at + used + 1, at[used]);
		n += at[used];
		used += at[used] + 1U;
	}
	if (used >= len || at[used])
		return 0;
	if (!n)
		out[n++] = '.';
	out[n] = '\0';
	return used + 1;
}

static void print_server(char *out, size_t room, const struct in6_addr *a)
{
	if (IN6_IS_ADDR_V4MAPPED(a))
		(void)inet_ntop(AF_INET, &a->s6_addr[12], out, (socklen_t)room);
	else
		(void)inet_ntop(AF_INET6, a, out, (socklen_t)room);
}

static size_t put_address(unsigned char *at, unsigned type)
{
	static const unsigned char v4[] = { 192, 0, 2, 1 };
	static const unsigned char v6[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 };
	size_t len = type == TYPE_A ? sizeof(v4) : sizeof(v6);
	const unsigned char record[] = { 0xc0, HEADER, 0, (unsigned char)type, 0, 1, 0, 0,
					 0,    1,      0, (unsigned char)len };

	memcpy(at, record, sizeof(record));
	memcpy(at + sizeof(record), type == TYPE_A ? v4 : v6, len);
	return sizeof(record) + len;
}

/* Turns the packet into its answer. Returns its length. */
static size_t answer(unsigned char *packet, size_t question, unsigned type, enum server_answer what)
{
	static const unsigned char rcode[] = { [SERVER_NXDOMAIN] = 3,
					       [SERVER_FOUND] = 0,
					       [SERVER_NODATA] = 0,
					       [SERVER_SERVFAIL] = 2 };
	bool has = what == SERVER_FOUND && (type == TYPE_A || type == TYPE_AAAA);
	size_t len = HEADER + question;

	packet[2] = 0x85;
	packet[3] = 0x80 | rcode[what];
	memset(packet + 6, 0, 6);
	packet[7] = has;
	return has ? len + put_address(packet + len, type) : len;
}

static void serve_one(struct server *s, unsigned char *packet, size_t len, struct msghdr *m)
{
	struct server_query *q = &s->at[s->n];
	const struct cmsghdr *info = CMSG_FIRSTHDR(m);
	struct in6_pktinfo to = { .ipi6_ifindex = 0 };
	size_t name = len > HEADER ? read_name(q->name, packet + HEADER, len - HEADER) : 0;

	if (!name || HEADER + name + 4 > len) {
		(void)fprintf(stderr, "not a query: %zu bytes\n", len);
		return;
	}
	q->type = packet[HEADER + name] << 8U | packet[HEADER + name + 1];
	if (info)
		memcpy(&to, CMSG_DATA(info), sizeof(to));
	print_server(q->server, sizeof(q->server), &to.ipi6_addr);
	s->n += s->n + 1 < SERVER_QUERIES;
	m->msg_iov->iov_len = answer(packet, name + 4, q->type, s->answers(q->name, s->context));
	/* The answer comes from where the question went. */
	(void)sendmsg(s->fd, m, 0);
}

static void serve_all(struct server *s)
{
	for (;;) {
		unsigned char packet[PACKET];
		struct sockaddr_in6 from;
		_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct in6_pktinfo))];
		struct iovec iov = { packet, sizeof(packet) - 64 };
		struct msghdr m = { .msg_name = &from,
				    .msg_namelen = sizeof(from),
				    .msg_iov = &iov,
				    .msg_iovlen = 1,
				    .msg_control = control,
				    .msg_controllen = sizeof(control) };
		ssize_t len = recvmsg(s->fd, &m, 0);

		if (len < 0)
			return;
		serve_one(s, packet, (size_t)len, &m);
	}
}

int server_until(struct server *s, pid_t child)
{
	int end = (int)syscall(SYS_pidfd_open, child, 0), status = -1;
	struct pollfd on[] = { { .fd = s->fd, .events = POLLIN }, { .fd = end, .events = POLLIN } };

	s->n = 0;
	do {
		(void)poll(on, 2, -1);
		serve_all(s);
	} while (!(on[1].revents & POLLIN));
	serve_all(s);
	(void)waitpid(child, &status, 0);
	(void)close(end);
	return status;
}
