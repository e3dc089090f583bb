/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nl.h: netlink sockets that are opened in a namespace, for netfilter and for routes.
 *
 * A socket belongs to the namespace it was opened in, wherever the process is later. So only
 * opening it happens there (netns_do). A batch is sent by one sendmsg(). The kernel works during
 * that call, so that afterwards all answers are in the queue and are read without waiting.
 *
 * A sequence number is the index in the batch. Message 0 of a transaction, its begin, stands for
 * the whole: EPERM and EOPNOTSUPP are reported for it, and what fails at the commit.
 *
 * Answers of different exchanges cannot be mixed up. The kernel queues them in this order: what is
 * reported for the whole transaction, then each message's in the batch's order. So an exchange ends
 * with the answer to its message `last`, or with the end of a dump. If that does not come, or
 * something was lost, the queue is read until it is empty. Only the kernel's messages count.
 */
#ifndef PKG_NL_H
#define PKG_NL_H

#include "err.h"

struct nlmsghdr;
struct mnl_socket;

struct nl {
	struct mnl_socket *socket; /* NULL: not open */
};
#define NL_CLOSED ((struct nl){ .socket = NULL })

/* netns_fd -1: the process's own. ERR_NETNS. If the process cannot get back, it is still in the
 * pod's namespace, and every later nl_open_in() fails. */
bool nl_open_in(struct nl *nl, int netns_fd, struct err *e);

/* Opens a socket for routes too; if that fails it stays closed. */
bool nl_open_route_in(struct nl *nl, struct nl *route, int netns_fd, struct err *e);
void nl_close(struct nl *nl);

/*
 * Closes an open netfilter socket that was not used, when no transaction is under way in its
 * namespace. A batch waits for that too, but with a mutex that all namespaces share: whoever holds
 * the tables of one namespace would stop the transactions of the whole node. Closing a socket that
 * is bound waits without it (nft_rcv_nl_event() in net/netfilter/nf_tables_api.c, since Linux 5.12;
 * nfnetlink_rcv_batch() in nfnetlink.c).
 */
void nl_wait(struct nl *nl);

static inline void close_auto_nl(struct nl *nl)
{
	nl_close(nl);
}
#define auto_nl __attribute__((cleanup(close_auto_nl))) struct nl

/* Messages to send, and how errors name one of them. */
struct nl_batch {
	const void *data;
	size_t len;
	uint32_t last; /* the last message that is answered in any case */
	/* Writes a phrase such as `rule "probe the cache"`. Returns the kernel module that may be
	 * missing where the kernel says ENOENT, or NULL. */
	const char *(*what)(const struct nl_batch *batch, uint32_t seq, char *out, size_t room);
	/* Whether to keep a message of the answer; NULL: all are kept. */
	bool (*wants)(const struct nl_batch *request, const struct nlmsghdr *message);
};

/*
 * Sends a batch and reads the acks. ERR_STEER names the first message that the kernel refused:
 * `rule "probe the cache": No such file or directory (nft_dup missing?)`. *refused becomes its
 * errno (EEXIST, ENOENT, …), or that of the system call that failed; 0: success. `refused` may be
 * NULL.
 */
bool nl_send(const struct nl *nl, const struct nl_batch *batch, int *refused, struct err *e);

/* The same; *seq becomes the sequence number of the refused message. */
bool nl_send_told(const struct nl *nl, const struct nl_batch *batch, int *refused, uint32_t *seq,
		  struct err *e);

/* A sequence of messages: a batch, or an answer. */
struct nl_messages {
	char *at;
	size_t len, room;
};

static inline void free_auto_messages(const struct nl_messages *all)
{
	free(all->at);
}
#define auto_messages __attribute__((cleanup(free_auto_messages))) struct nl_messages

/* The message after `m` (NULL: the first), or NULL. */
const struct nlmsghdr *nl_next(const struct nl_messages *all, const struct nlmsghdr *m);

/*
 * Sends one request, a dump or not, and keeps the whole answer in memory. The caller owns that,
 * also after a failure. *answer begins as { 0 } or as an earlier answer: then its memory is used
 * again. While it reads an answer, the caller may send other requests.
 *
 * If the kernel's tables change during a dump, the dump is dropped and requested again, ten times
 * in all. Errors as for nl_send(). EINTR: they changed each time; EMSGSIZE: over 16 MiB,
 * or a message over 32 KiB.
 */
bool nl_ask(const struct nl *nl, const struct nl_batch *request, struct nl_messages *answer,
	    int *refused, struct err *e);

#endif
