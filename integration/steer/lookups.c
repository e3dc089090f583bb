/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "dns.h"
#include "lookups.h"
#include "socket.h"
#include "transport.h"

enum { SHARED = LOOKUPS, AT_ONCE = 64, A = 1, AAAA = 2, IS_AAAA = 0x8000 };

/* Its place in the list and its turn make the lookup's ID; the highest bit tells A from AAAA. */
struct lookup {
	long tries, due;
	size_t got;
	int fd;
	unsigned waiting, answered, turn;
	bool busy, connecting;
	uint8_t head[2 + PLAIN_UDP];
};

struct plan plan = { .count = 10, .tries = 2, .wait = 1000, .name = "www.example" };
struct sum sum;
static struct lookup lookups[LOOKUPS];
static long n_busy;
static int shared = -1;

static void send_query(const struct lookup *l, unsigned question)
{
	const unsigned slot = (unsigned)(l - lookups) | (l->turn & 7) << 12;
	uint8_t query[PLAIN_UDP];
	const size_t length =
		make_query(query, question == AAAA ? slot | IS_AAAA : slot, plan.name,
			   question == AAAA ? TYPE_AAAA : TYPE_A, (unsigned)plan.edns);

	sum.refused += transport_send(l->fd, query, length);
}

static void send_try(struct lookup *l)
{
	l->tries++;
	l->due = now_ms() + plan.wait;
	l->got = 0;
	if (plan.tcp) {
		l->connecting = true;
		l->fd = transport_open((size_t)(l - lookups));
		return;
	}
	for (unsigned question = A; question <= AAAA; question <<= 1)
		if (l->waiting & question)
			send_query(l, question);
}

static void end(struct lookup *l, long *count)
{
	if (l->fd != shared)
		(void)close(l->fd);
	sum.asked++;
	sum.retried += l->tries > 1;
	(*count)++;
	l->busy = false;
	n_busy--;
}

static void try_again(struct lookup *l, long *or_else)
{
	if (l->tries >= plan.tries) {
		end(l, or_else);
		return;
	}
	if (plan.tcp)
		(void)close(l->fd);
	send_try(l);
}

void lookup_start(void)
{
	static size_t next;
	struct lookup *l;

	while (lookups[next % LOOKUPS].busy)
		next++;
	l = &lookups[next % LOOKUPS];
	*l = (struct lookup){ .busy = true, .turn = l->turn + 1, .fd = shared };
	l->waiting = plan.pair ? A | AAAA : plan.server.ss_family == AF_INET ? A : AAAA;
	if (!plan.shared && !plan.tcp)
		l->fd = transport_open(next % LOOKUPS);
	next++;
	n_busy++;
	send_try(l);
}

/* The length may be more than the bytes that are here. */
static void take_answer(const uint8_t *answer, size_t here, size_t length)
{
	const unsigned id = here < HEADER ? 0 : get16(answer), question = id & IS_AAAA ? AAAA : A;
	const unsigned who = read_answer(answer, here);
	struct lookup *l = &lookups[id % LOOKUPS];

	if (who == WHO_NOBODY || !l->busy || (l->turn & 7) != (id >> 12 & 7) ||
	    !(l->waiting & question) || length < (size_t)plan.bytes)
		return;
	if (who == WHO_FAILS) {
		try_again(l, &sum.servfail);
		return;
	}
	l->answered |= who;
	l->waiting &= ~question;
	if (!l->waiting)
		end(l, l->answered == WHO_CACHE ? &sum.cache : &sum.cluster);
}

static void take_udp(int fd, struct lookup *l)
{
	static uint8_t answer[ANSWER + 1];
	ssize_t got;

	do {
		got = recv(fd, answer, sizeof answer, MSG_DONTWAIT);
		if (got > 0)
			take_answer(answer, (size_t)got, (size_t)got);
	} while (got > 0 && !l);
	if (got >= 0 || errno == EAGAIN)
		return;
	sum.refused++;
	if (l)
		try_again(l, &sum.lost);
}

/* Connected, refused, or the answer's next part. */
static void take_tcp(struct lookup *l)
{
	static uint8_t part[ANSWER];
	size_t kept = l->got < sizeof l->head ? l->got : sizeof l->head, room;
	socklen_t size = sizeof(int);
	int error = 0;
	ssize_t got;

	(void)getsockopt(l->fd, SOL_SOCKET, SO_ERROR, &error, &size);
	if (l->connecting && !error) {
		l->connecting = false;
		send_query(l, l->waiting & A ? A : AAAA);
		transport_listen(l->fd, (size_t)(l - lookups));
		return;
	}
	got = error ? -1 : recv(l->fd, part, sizeof part, MSG_DONTWAIT);
	if (got <= 0) {
		sum.refused += error == ECONNREFUSED;
		try_again(l, &sum.lost);
		return;
	}
	room = sizeof l->head - kept;
	memcpy(l->head + kept, part, (size_t)got < room ? (size_t)got : room);
	l->got += (size_t)got;
	kept = l->got < sizeof l->head ? l->got : sizeof l->head;
	if (l->got > 2 && l->got >= 2u + get16(l->head))
		take_answer(l->head + 2, kept - 2, l->got - 2);
}

static void time_out(void)
{
	static long last;
	const long now = now_ms();

	if (now == last)
		return;
	last = now;
	for (size_t i = 0; i < LOOKUPS; i++)
		if (lookups[i].busy && lookups[i].due <= now)
			try_again(&lookups[i], &sum.lost);
}

void lookups_serve(int ms)
{
	size_t ready[AT_ONCE];
	const size_t n = transport_wait(ready, AT_ONCE, ms);

	for (size_t i = 0; i < n; i++) {
		struct lookup *l = &lookups[ready[i] % LOOKUPS];

		if (ready[i] == SHARED)
			take_udp(shared, NULL);
		else if (l->busy && plan.tcp)
			take_tcp(l);
		else if (l->busy)
			take_udp(l->fd, l);
	}
	time_out();
}

void lookups_open(void)
{
	transport_begin();
	if (plan.shared)
		shared = transport_open(SHARED);
}

long lookups_busy(void)
{
	return n_busy;
}
