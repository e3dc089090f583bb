/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to the kernel's nftables, with what may happen meanwhile: the tables change, others
 * send to our socket, the way back from a namespace is shut. In a network namespace of the test's
 * own.
 */
#include <sched.h>
#include <sys/socket.h>

static ssize_t receiving(int fd, void *buffer, size_t room, int flags, struct sockaddr *from,
			 socklen_t *size);
static int entering(int fd, int kind);

#define recvfrom receiving
#define setns	 entering
#include "netns.c"
#include "nft/expr.h"
#include "nft/nl.c"
#undef recvfrom
#undef setns

#include "rows.h"

#include <linux/netfilter.h>
#include <stdio.h>

#define TABLE "t"

static char memory[64 * 1024];
static struct err err;

/* What the wire does; all of it off at the beginning of a test. */
static struct wire {
	void (*after)(const struct nl *nl); /* a datagram, once */
	struct nl other;		    /* a socket of somebody else's */
	const struct nl *nl;
	int interrupted; /* how many dumps more are marked so */
	uint16_t kind;	 /* of what */
	int dumps;	 /* that came to their end */
	size_t room;	 /* bytes that a datagram may have; 0: as the reader has it */
	int fails;	 /* the errno of the next read; 0: it does not fail */
	int uncommitted; /* what the kernel says first of the whole transaction; 0: nothing */
	int vain;	 /* reads of the empty queue */
} wire;

/* Whether the datagram is a part of such a dump; it is marked as the kernel does. */
static bool mark(struct nlmsghdr *m, int left)
{
	bool marked = false;

	for (; mnl_nlmsg_ok(m, left); m = mnl_nlmsg_next(m, &left)) {
		if (m->nlmsg_type == NLMSG_DONE)
			wire.dumps++;
		if (wire.interrupted && m->nlmsg_flags & NLM_F_MULTI &&
		    m->nlmsg_type == (NFNL_SUBSYS_NFTABLES << 8 | wire.kind)) {
			m->nlmsg_flags |= NLM_F_DUMP_INTR;
			marked = true;
		}
	}
	return marked;
}

static ssize_t say_uncommitted(void *buffer)
{
	const struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
	} no = { .header = { .nlmsg_len = sizeof(no), .nlmsg_type = NLMSG_ERROR },
		 .error = { .error = -wire.uncommitted } };

	wire.uncommitted = 0;
	memcpy(buffer, &no, sizeof(no));
	return sizeof(no);
}

static ssize_t receiving(int fd, void *buffer, size_t room, int flags, struct sockaddr *from,
			 socklen_t *size)
{
	size_t less = wire.room ? wire.room : room;
	ssize_t got;

	if (wire.fails) {
		errno = wire.fails;
		wire.fails = 0;
		return -1;
	}
	if (wire.uncommitted)
		return say_uncommitted(buffer);
	got = recvfrom(fd, buffer, less, flags, from, size);
	wire.vain += got < 0;
	if (got > (ssize_t)less)
		return (ssize_t)room + 1;
	if (got > 0 && mark(buffer, (int)got))
		wire.interrupted--;
	if (got > 0 && wire.after) {
		void (*after)(const struct nl *) = wire.after;

		wire.after = NULL;
		after(wire.nl);
	}
	return got;
}

static int ways = 9; /* how often a namespace can still be entered */

static int entering(int fd, int kind)
{
	if (ways-- > 0)
		return setns(fd, kind);
	errno = ENOMEM;
	return -1;
}

static void send_ok(const struct nl *nl, struct nft *b)
{
	if (!nft_end(b, &err) || !nl_send(nl, &b->batch, NULL, &err))
		fail_msg("%s", err.text);
}

static void put_table(struct nft *b)
{
	static const struct nft_set set = {
		.name = "s", .comment = "of a test", .key_type = NFT_TYPE_IPV4, .key_len = 4
	};

	nft_begin(b, memory, sizeof(memory), false, TABLE);
	nft_table(b, "made by a test");
	nft_set(b, &set);
	nft_chain(b, "one");
	nft_chain(b, "two");
	nft_rule (b, "two", "a rule") {
		nft_verdict(b, NF_ACCEPT);
	}
}

/* A namespace, a table with two chains, a rule and a set, and nothing odd on the wire. */
static void begin(struct nl *nl, struct nft *b)
{
	err_clear(&err);
	assert_int_equal(unshare(CLONE_NEWNET), 0);
	wire = (struct wire){ .nl = nl };
	if (!nl_open_in(nl, -1, &err) || !nl_open_in(&wire.other, -1, &err))
		fail_msg("%s", err.text);
	put_table(b);
	send_ok(nl, b);
}

/* Nothing is left for the next exchange. */
static void end(struct nl *nl)
{
	char first;

	assert_true(recv(mnl_socket_get_fd(nl->socket), &first, 1, MSG_DONTWAIT) < 0);
	assert_int_equal(errno, EAGAIN);
	nl_close(&wire.other);
	nl_close(nl);
}

static bool ask_for_chains(const struct nl *nl, struct nl_messages *answer, int *refused)
{
	static const struct nft_request question = { .table = TABLE,
						     .get = NFT_MSG_GETCHAIN,
						     .all = true };

	wire.dumps = 0;
	return nft_dump(nl, &question, answer, refused, &err);
}

static int count(const struct nl_messages *all)
{
	const struct nlmsghdr *m = NULL;
	int n = 0;

	while ((m = nl_next(all, m)))
		n++;
	return n;
}

static void asks_again(void **state UNUSED)
{
	auto_messages answer = { 0 };
	int refused = -1;
	struct nft b;
	struct nl nl;

	begin(&nl, &b);
	wire.kind = NFT_MSG_NEWCHAIN;
	wire.interrupted = 9;
	if (!ask_for_chains(&nl, &answer, &refused))
		fail_msg("%s", err.text);
	assert_int_equal(refused, 0);
	assert_int_equal(wire.dumps, 10);
	assert_int_equal(count(&answer), 2);
	end(&nl);
}

static void gives_up(void **state UNUSED)
{
	auto_messages answer = { 0 };
	int refused = -1;
	struct nft b;
	struct nl nl;

	begin(&nl, &b);
	wire.kind = NFT_MSG_NEWCHAIN;
	wire.interrupted = 1000;
	assert_false(ask_for_chains(&nl, &answer, &refused));
	assert_int_equal(refused, EINTR);
	assert_int_equal(wire.dumps, 10);
	assert_string_equal(err.text, "chains of table \"t\": Interrupted system call");
	end(&nl);
}

/* The kernel's own interruption: a dump of several parts, between which somebody commits. */

static void others_chains(const struct nl *nl)
{
	char name[32];
	struct nft b;

	nft_begin(&b, memory, sizeof(memory), false, "others");
	nft_table(&b, "somebody else's");
	for (int i = 0; i < 500; i++) {
		(void)snprintf(name, sizeof(name), "chain-of-theirs-%d", i);
		nft_chain(&b, name);
	}
	send_ok(nl, &b);
}

/* Not over the asking socket, whose answers this must not take, and whose buffer is in use. */
static void commit(const struct nl *nl UNUSED)
{
	char little[512];
	struct nft b;

	nft_begin(&b, little, sizeof(little), false, "another");
	nft_table(&b, NULL);
	assert_true(nft_end(&b, &err));
	assert_true(mnl_socket_sendto(wire.other.socket, b.batch.data, b.batch.len) > 0);
}

static void somebody_commits(void **state UNUSED)
{
	auto_messages answer = { 0 };
	struct nft b;
	struct nl nl;

	begin(&nl, &b);
	others_chains(&nl);
	wire.after = commit;
	if (!ask_for_chains(&nl, &answer, NULL))
		fail_msg("%s", err.text);
	assert_int_equal(wire.dumps, 2);
	assert_int_equal(count(&answer), 2);
	end(&nl);
}

static void put_elements(const struct nl *nl)
{
	struct nft b;

	nft_begin(&b, memory, sizeof(memory), false, TABLE);
	for (uint16_t i = 0; i < 500; i++) {
		uint8_t key[4] = { 10, 0, (uint8_t)(i >> 8), (uint8_t)i };

		nft_element(&b, "s", key, sizeof(key), 0, "an element that takes some room");
	}
	send_ok(nl, &b);
}

static bool count_element(const struct nft_element_found *found, void *context)
{
	struct nft_element_found again;

	++*(int *)context;
	if (!nft_find_element(wire.nl, false, TABLE, "s", found->key, found->len, &again, NULL,
			      &err))
		fail_msg("%s", err.text);
	return again.len == found->len;
}

/* Of 500, in several parts. Whoever reads may ask again. */
static void each_element_once(void **state UNUSED)
{
	struct nft b;
	struct nl nl;
	int n = 0;

	begin(&nl, &b);
	put_elements(&nl);
	wire.kind = NFT_MSG_NEWSETELEM;
	wire.interrupted = 1;
	if (!nft_each_element(&nl, false, TABLE, "s", count_element, &n, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(wire.dumps, 2);
	assert_int_equal(n, 500);
	end(&nl);
}

/* Each part of the dump is cut; its end is not. The socket can be used again. */
static void a_cut_answer_is_none(void **state UNUSED)
{
	int refused = 0, n = 0;
	struct nft b;
	struct nl nl;

	begin(&nl, &b);
	put_elements(&nl);
	wire.room = 256;
	assert_false(nft_each_element(&nl, false, TABLE, "s", count_element, &n, &refused, &err));
	assert_int_equal(refused, EMSGSIZE);
	wire.room = 0;
	err_clear(&err);
	if (!nft_each_element(&nl, false, TABLE, "s", count_element, &n, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(n, 500);
	end(&nl);
}

/*** where an exchange ends ***/

static void ask_for_table(const struct nl *nl, const char *table, int errno_wanted)
{
	struct nft_table_found found;
	int refused = -1;

	err_clear(&err);
	assert_int_equal(nft_find_table(nl, false, table, &found, &refused, &err), !errno_wanted);
	assert_int_equal(refused, errno_wanted);
	assert_string_equal(found.comment, errno_wanted ? "" : "made by a test");
	err_clear(&err);
}

/* A batch of which the kernel refuses two messages, and accepts the last. */
static void send_refused(const struct nl *nl, int errno_wanted, uint32_t seq_wanted)
{
	int refused = -1;
	uint32_t seq;
	struct nft b;

	nft_begin(&b, memory, sizeof(memory), false, TABLE);
	nft_rule (&b, "none", "a rule of no chain") {
		nft_verdict(&b, NF_ACCEPT);
	}
	nft_element(&b, "none", "addr", 4, 0, NULL);
	nft_chain(&b, "three");
	assert_true(nft_end(&b, &err));
	assert_false(nl_send_told(nl, &b.batch, &refused, &seq, &err));
	assert_int_equal(refused, errno_wanted);
	assert_int_equal(seq, seq_wanted);
	err_clear(&err);
}

static void reads_no_more_than_there_is(void **state UNUSED)
{
	auto_messages answer = { 0 };
	struct nft b;
	struct nl nl;

	begin(&nl, &b);
	put_elements(&nl);
	ask_for_table(&nl, TABLE, 0);
	ask_for_table(&nl, "another", ENOENT);
	send_refused(&nl, ENOENT, 1);
	if (!ask_for_chains(&nl, &answer, NULL))
		fail_msg("%s", err.text);
	assert_int_equal(wire.vain, 0);
	end(&nl);
}

/* What a commit fails by is said for message 0, before the last one is acknowledged. */
static void reads_the_last_ack_too(void **state UNUSED)
{
	int refused = -1;
	uint32_t seq = 7;
	struct nft b;
	struct nl nl;

	begin(&nl, &b);
	nft_begin(&b, memory, sizeof(memory), false, TABLE);
	nft_chain(&b, "three");
	assert_true(nft_end(&b, &err));
	wire.uncommitted = ENOMEM;
	assert_false(nl_send_told(&nl, &b.batch, &refused, &seq, &err));
	assert_int_equal(refused, ENOMEM);
	assert_int_equal(seq, 0);
	ask_for_table(&nl, "another", ENOENT);
	end(&nl);
}

/* What was lost was not the answer of the next. */
static void a_lost_answer_is_none(void **state UNUSED)
{
	static const int failures[] = { ENOBUFS, ENOMEM };
	struct nft b;
	struct nl nl;

	begin(&nl, &b);
	for (size_t i = 0; i < LEN(failures); i++) {
		wire.fails = failures[i];
		ask_for_table(&nl, TABLE, failures[i]);
		ask_for_table(&nl, "another", ENOENT);
		wire.fails = failures[i];
		send_refused(&nl, failures[i], 0);
		ask_for_table(&nl, TABLE, 0);
	}
	end(&nl);
}

/*** somebody else's datagrams ***/

static void forge(const struct nl *nl)
{
	struct sockaddr_nl to = { .nl_family = AF_NETLINK };
	socklen_t size = sizeof(to);
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
	} no = { .header = { .nlmsg_len = sizeof(no), .nlmsg_type = NLMSG_ERROR },
		 .error = { .error = -EPERM } };

	assert_int_equal(getsockname(mnl_socket_get_fd(nl->socket), (struct sockaddr *)&to, &size),
			 0);
	assert_int_equal(sendto(mnl_socket_get_fd(wire.other.socket), &no, sizeof(no), 0,
				(struct sockaddr *)&to, sizeof(to)),
			 sizeof(no));
}

static void hears_the_kernel_only(void **state UNUSED)
{
	auto_messages answer = { 0 };
	struct nft b;
	struct nl nl;

	begin(&nl, &b);
	for (int i = 0; i < 2; i++) {
		forge(&nl);
		if (!ask_for_chains(&nl, &answer, NULL))
			fail_msg("%s", err.text);
		assert_int_equal(count(&answer), 2);
		forge(&nl);
		send_refused(&nl, ENOENT, 1);
	}
	end(&nl);
}

/* The last of all: nothing is opened after it. */
static void no_way_back(void **state UNUSED)
{
	auto_fd here = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	struct nl nl = NL_CLOSED;

	err_clear(&err);
	assert_true(nl_open_in(&nl, here, &err));
	nl_close(&nl);
	ways = 1;
	assert_false(nl_open_in(&nl, here, &err));
	assert_null(nl.socket);
	assert_int_equal(err.code, ERR_NETNS);
	assert_string_equal(err.text, "leaving the network namespace: Cannot allocate memory");
	for (int fd = -1; fd <= here; fd += here + 1) {
		err_clear(&err);
		assert_false(nl_open_in(&nl, fd, &err));
		assert_null(nl.socket);
		assert_int_equal(err.code, ERR_NETNS);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(asks_again),
	cmocka_unit_test(gives_up),
	cmocka_unit_test(somebody_commits),
	cmocka_unit_test(each_element_once),
	cmocka_unit_test(a_cut_answer_is_none),
	cmocka_unit_test(hears_the_kernel_only),
	cmocka_unit_test(a_lost_answer_is_none),
	cmocka_unit_test(reads_the_last_ack_too),
	cmocka_unit_test(reads_no_more_than_there_is),
};
static const struct CMUnitTest lasts[] = { cmocka_unit_test(no_way_back) };

static void needs_root(void **state UNUSED)
{
	skip();
}

int main(void)
{
	static const struct CMUnitTest skipped[] = { cmocka_unit_test(needs_root) };

	if (geteuid() != 0)
		return RUN_TESTS("nl", skipped);
	return RUN_TESTS("nl", tests) + RUN_TESTS("nl: the way back", lasts);
}
