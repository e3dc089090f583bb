/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nl.h: a netlink socket, opened in a namespace: netfilter's, and one that is asked for routes.
 *
 * The socket belongs to the namespace it was opened in, wherever the process is later: it is
 * opened there (netns_do), and nothing else need be. A batch goes out in one
 * sendmsg(). The kernel works while that call lasts, so that all it has to say is then in the
 * queue; it is read without waiting.
 *
 * A sequence number is the index into the batch. Message 0, the batch's beginning, stands for the
 * transaction as a whole: EPERM and EOPNOTSUPP are told there. Nobody needs the numbers to tell one
 * exchange's answers from another's: each reads the queue to its end, and takes the kernel's
 * messages only.
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

/* netns_fd -1: the process's own. Fails with ERR_NETNS. Where the way back fails, the process is
 * still in the pod's namespace: every later nl_open_in() then fails too. */
bool nl_open_in(struct nl *nl, int netns_fd, struct err *e);

/* The same, and in the same visit a socket for routes, which stays closed where it fails. */
bool nl_open_route_in(struct nl *nl, struct nl *route, int netns_fd, struct err *e);
void nl_close(struct nl *nl);

static inline void close_auto_nl(struct nl *nl)
{
	nl_close(nl);
}
#define auto_nl __attribute__((cleanup(close_auto_nl))) struct nl

/* What goes out, and how a message of it is named in an error. */
struct nl_batch {
	const void *data;
	size_t len;
	/* Writes a phrase such as `rule "probe the cache"`, and where a missing kernel module may
	 * be the cause of ENOENT, its name, else NULL. */
	const char *(*what)(const struct nl_batch *batch, uint32_t seq, char *out, size_t room);
	/* Whether a message of the answer is worth keeping; NULL: each is. */
	bool (*wants)(const struct nl_batch *request, const struct nlmsghdr *message);
};

/*
 * Sends a batch and digests its acks. The first message that the kernel refused makes the error,
 * ERR_STEER: `rule "probe the cache": No such file or directory (nft_dup missing?)`; *refused is
 * its errno then (EEXIST, ENOENT, …), 0 when all went well, and that of the system call when it was
 * not the kernel's answer that failed. `refused` may be NULL.
 */
bool nl_send(const struct nl *nl, const struct nl_batch *batch, int *refused, struct err *e);

/* The same, and which message was refused: its sequence number. */
bool nl_send_told(const struct nl *nl, const struct nl_batch *batch, int *refused, uint32_t *seq,
		  struct err *e);

/* Messages one behind the other: a batch, or an answer. */
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
 * Sends one request, a dump or not, and keeps the whole answer in memory, which the caller owns
 * also where it fails; the answer is { 0 }, or an earlier one whose memory may be used again. So
 * nobody sees half an answer, and who reads one may ask again meanwhile.
 *
 * A dump during which the kernel's tables changed is not of one time: what came is dropped, and it
 * is asked for again, ten times in all. Errors as nl_send()'s; EINTR: they changed each time;
 * EMSGSIZE: the answer is larger than 16 MiB.
 */
bool nl_ask(const struct nl *nl, const struct nl_batch *request, struct nl_messages *answer,
	    int *refused, struct err *e);

#endif
