/* SPDX-License-Identifier: Apache-2.0 */
/* nl.c: netlink sockets that are opened in a namespace. */
#include "nft/nl.h"
#include "nft/attr.h"
#include "netns.h"

#include <errno.h>
#include <linux/netfilter/nfnetlink.h>
#include <string.h>
#include <sys/socket.h>

enum {
	RECEIVE = 32 * 1024,  /* the largest datagram of a dump */
	SEND_DEFAULT = 65536, /* less than net.core.wmem_default */
	ANSWER = 32 * 1024,   /* most answers fit */
	ANSWER_MAX = 16 * 1024 * 1024,
	TRIES = 10,
	PHRASE = 192,
};

/* The kernel gives it an address when it sends for the first time. */
static bool open_one(struct nl *nl, int protocol, struct err *e)
{
	nl->socket = mnl_socket_open2(protocol, SOCK_CLOEXEC);
	return nl->socket || err_errno(e, ERR_STEER, "netlink socket");
}

/* May fail: then the kernel's errors come without a text and repeat the request. */
static void make_errors_brief(const struct nl *nl)
{
	int on = 1;

	(void)mnl_socket_setsockopt(nl->socket, NETLINK_EXT_ACK, &on, sizeof(on));
	(void)mnl_socket_setsockopt(nl->socket, NETLINK_CAP_ACK, &on, sizeof(on));
}

struct sockets {
	struct nl *nl, *route;
};

static bool open_there(void *context, struct err *e)
{
	const struct sockets *to = context;

	if (!open_one(to->nl, NETLINK_NETFILTER, e))
		return false;
	make_errors_brief(to->nl);
	if (to->route)
		(void)open_one(to->route, NETLINK_ROUTE, NULL);
	return true;
}

bool nl_open_route_in(struct nl *nl, struct nl *route, int netns_fd, struct err *e)
{
	struct sockets to = { nl, route };

	*nl = NL_CLOSED;
	if (route)
		*route = NL_CLOSED;
	if (netns_do(netns_fd, open_there, &to, e))
		return true;
	nl_close(nl); /* open if only the way back failed */
	if (route)
		nl_close(route);
	return false;
}

bool nl_open_in(struct nl *nl, int netns_fd, struct err *e)
{
	return nl_open_route_in(nl, NULL, netns_fd, e);
}

void nl_close(struct nl *nl)
{
	if (nl->socket)
		(void)mnl_socket_close(nl->socket);
	*nl = NL_CLOSED;
}

void nl_wait(struct nl *nl)
{
	(void)mnl_socket_bind(nl->socket, 0, MNL_SOCKET_AUTOPID);
	nl_close(nl);
}

/* Messages. */

const struct nlmsghdr *nl_next(const struct nl_messages *all, const struct nlmsghdr *m)
{
	const struct nlmsghdr *next = (const struct nlmsghdr *)(const void *)all->at;
	int left = (int)all->len;

	if (m) {
		left = (int)(all->at + all->len - (const char *)m);
		next = mnl_nlmsg_next(m, &left);
	}
	return mnl_nlmsg_ok(next, left) ? next : NULL;
}

static bool grow(struct nl_messages *all, size_t len)
{
	size_t room = all->room * 2 + len + ANSWER;
	char *more = room <= ANSWER_MAX ? realloc(all->at, room) : NULL;

	if (!more)
		return false;
	all->at = more;
	all->room = room;
	return true;
}

static bool append(struct nl_messages *all, const struct nlmsghdr *m)
{
	size_t len = (m->nlmsg_len + 3U) & ~3U;

	if (all->room - all->len < len && !grow(all, len))
		return false;
	memcpy(all->at + all->len, m, m->nlmsg_len);
	all->len += len;
	return true;
}

/* The kernel's answers to one batch or request. */
struct answers {
	const struct nl_batch *batch;
	struct nl_messages *kept; /* NULL: only acks are expected */
	int refused;		  /* errno of the first message that was refused */
	uint32_t seq;
	bool interrupted;
	bool ended;	  /* no answer is left */
	char reason[128]; /* the kernel's text, if any */
};

static void take_words(struct answers *a, const struct nlmsghdr *message)
{
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(message);
	size_t from = sizeof(*error);
	const struct nlattr *attr;

	if (!(message->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(message->nlmsg_flags & NLM_F_CAPPED))
		from += error->msg.nlmsg_len - sizeof(error->msg);
	attr_each (attr, message, from) {
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG &&
		    mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) == 0)
			(void)stpncpy(a->reason, mnl_attr_get_str(attr), sizeof(a->reason) - 1);
	}
}

static bool is_last_answer(const struct answers *a, const struct nlmsghdr *message)
{
	return message->nlmsg_seq == a->batch->last && !(message->nlmsg_flags & NLM_F_MULTI);
}

/* Keeps the first error that arrives. */
static void take_error(struct answers *a, const struct nlmsghdr *message)
{
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(message);

	if (mnl_nlmsg_get_payload_len(message) < sizeof(*error))
		return;
	a->ended = is_last_answer(a, message);
	if (!error->error || a->refused)
		return;
	a->refused = -error->error;
	a->seq = message->nlmsg_seq;
	take_words(a, message);
}

/* The end of a dump may carry an error. */
static void take_end(struct answers *a, const struct nlmsghdr *message)
{
	const int *status = mnl_nlmsg_get_payload(message);

	a->ended = true;
	if (mnl_nlmsg_get_payload_len(message) >= sizeof(*status) && *status < 0 && !a->refused)
		a->refused = -*status;
}

static void keep_message(struct answers *a, const struct nlmsghdr *message)
{
	a->ended = is_last_answer(a, message);
	if (!a->kept || (a->batch->wants && !a->batch->wants(a->batch, message)))
		return;
	if (!append(a->kept, message) && !a->refused)
		a->refused = EMSGSIZE;
}

static void take_message(struct answers *a, const struct nlmsghdr *message)
{
	if (message->nlmsg_flags & NLM_F_DUMP_INTR)
		a->interrupted = true;
	if (message->nlmsg_type == NLMSG_ERROR)
		take_error(a, message);
	else if (message->nlmsg_type == NLMSG_DONE)
		take_end(a, message);
	else if (message->nlmsg_type >= NLMSG_MIN_TYPE)
		keep_message(a, message);
}

/* Reads one datagram: 0, or errno; EMSGSIZE: it is cut. Datagrams that are not the kernel's are
 * ignored: whoever administers the pod's network can send them. */
static int receive(const struct nl *nl, struct answers *a)
{
	static _Alignas(struct nlmsghdr) char buffer[RECEIVE];
	const struct nlmsghdr *message = (const struct nlmsghdr *)buffer;
	struct sockaddr_nl from = { .nl_pid = 0 };
	socklen_t size = sizeof(from);
	ssize_t got;
	int left;

	do
		got = recvfrom(mnl_socket_get_fd(nl->socket), buffer, sizeof(buffer),
			       MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&from, &size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno;
	if (from.nl_pid)
		return 0;
	if (got > (ssize_t)sizeof(buffer))
		return EMSGSIZE;
	left = (int)got;
	for (; mnl_nlmsg_ok(message, left); message = mnl_nlmsg_next(message, &left))
		take_message(a, message);
	return 0;
}

/* Reads until the end comes or the queue is empty (EAGAIN): the kernel queues the next part of a
 * dump when the last is read. After a failure, such as a message that was lost (ENOBUFS) or cut, it
 * goes on, so that the next exchange finds nothing old. */
static void receive_all(const struct nl *nl, struct answers *a)
{
	int failed, failures = 0;

	do {
		failed = receive(nl, a);
		if (failed == EAGAIN)
			return;
		if (failed && !a->refused)
			a->refused = failed;
		if (failed && failed != ENOBUFS && failed != EMSGSIZE)
			failures++;
	} while (!a->ended && failures < TRIES);
}

/* Makes the send buffer large enough for the batch. */
static void widen_buffer(const struct nl *nl, size_t len)
{
	int fd = mnl_socket_get_fd(nl->socket), room = (int)len * 2;

	if (len > SEND_DEFAULT &&
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)) < 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
}

static bool fail_answers(const struct answers *a, struct err *e)
{
	char phrase[PHRASE];
	const char *module = a->batch->what(a->batch, a->seq, phrase, sizeof(phrase));

	errno = a->refused;
	if (a->refused == ENOENT && module)
		return err_set(e, ERR_STEER, "%s: %s (%s missing?)", phrase, strerror(ENOENT),
			       module);
	if (a->reason[0])
		return err_set(e, ERR_STEER, "%s: %s (%s)", phrase, strerror(a->refused),
			       a->reason);
	return err_errno(e, ERR_STEER, "%s", phrase);
}

static void exchange(const struct nl *nl, struct answers *a)
{
	widen_buffer(nl, a->batch->len);
	if (mnl_socket_sendto(nl->socket, a->batch->data, a->batch->len) < 0)
		a->refused = errno;
	else
		receive_all(nl, a);
	if (!a->refused && a->interrupted)
		a->refused = EINTR;
	if (!a->refused && !a->ended)
		a->refused = EPROTO;
}

static bool conclude_answers(const struct answers *a, int *refused, struct err *e)
{
	if (refused)
		*refused = a->refused;
	return !a->refused || fail_answers(a, e);
}

bool nl_send_told(const struct nl *nl, const struct nl_batch *batch, int *refused, uint32_t *seq,
		  struct err *e)
{
	struct answers a = { .batch = batch };

	exchange(nl, &a);
	*seq = a.seq;
	return conclude_answers(&a, refused, e);
}

bool nl_send(const struct nl *nl, const struct nl_batch *batch, int *refused, struct err *e)
{
	uint32_t seq;

	return nl_send_told(nl, batch, refused, &seq, e);
}

bool nl_ask(const struct nl *nl, const struct nl_batch *request, struct nl_messages *answer,
	    int *refused, struct err *e)
{
	struct answers a;
	int tries = 0;

	do {
		a = (struct answers){ .batch = request, .kept = answer };
		answer->len = 0;
		exchange(nl, &a);
	} while (a.refused == EINTR && ++tries < TRIES);
	return conclude_answers(&a, refused, e);
}
