/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paired ROUNDS BATCH WINDOW CLIENT_CPU SERVER_CPU WAY…: what several ways to one DNS server cost,
 * compared within rounds.
 *
 * WAY is NAME,CLIENT_NETNS,ASKED_ADDRESS,SERVER_NETNS,SERVER_ADDRESS,REFERENCE: sockets in one
 * network namespace that ask an address, and who answers in the end. A server is a process on the
 * other processor that says the same to everything; each SERVER_NETNS and SERVER_ADDRESS has one.
 * All sockets are held at once. In a round each way is asked BATCH queries with WINDOW of them
 * under way, the ways in an order of the round's own; so what disturbs the machine for longer than
 * a round disturbs all. REFERENCE is the name of the way that it is compared with. SERVER_CPU -1:
 * the servers run already.
 *
 * Prints, for each: NAME, median microseconds of a query, the quartiles and the median of its ratio
 * to its reference in the same round, queries that the server did not answer.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../steer/dns.h"
#include "../steer/socket.h"

enum { WAYS = 12, SOCKETS = 8, WINDOW = 64, WORD = 128, WARM_UP = 20 };

struct way {
	char name[WORD], client[WORD], asked[WORD], server[WORD], address[WORD], reference[WORD];
	int fds[SOCKETS];
	double *us, *ratio;
	long missing;
};

static struct way ways[WAYS];
static size_t n_ways;
static long rounds, batch, window;

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set) < 0)
		die("sched_setaffinity");
}

static void enter(const char *netns)
{
	const int fd = open(netns, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
		die(netns);
	(void)close(fd);
}

/*** the server ***/

static _Noreturn void serve(int fd)
{
	static uint8_t query[PLAIN_UDP], answer[ANSWER];
	struct sockaddr_storage from;

	for (;;) {
		socklen_t length = sizeof from;
		const ssize_t got =
			recvfrom(fd, query, sizeof query, 0, (struct sockaddr *)&from, &length);
		size_t size;

		if (got <= 0)
			continue;
		size = make_answer(answer, query, (size_t)got, WHO_CACHE, false, false);
		(void)sendto(fd, answer, size, 0, (const struct sockaddr *)&from, length);
	}
}

static bool has_server(size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (strcmp(ways[i].server, ways[j].server) == 0 &&
		    strcmp(ways[i].address, ways[j].address) == 0)
			return true;
	return false;
}

/* It ends with its parent. */
static void start_server(const struct way *w, int cpu)
{
	struct sockaddr_storage at;
	const socklen_t length = read_address(w->address, PORT, &at);
	int fd;

	enter(w->server);
	fd = socket(at.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, length) < 0)
		die(w->address);
	if (fork() != 0) {
		(void)close(fd);
		return;
	}
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin(cpu);
	serve(fd);
}

/*** the client ***/

static void open_sockets(struct way *w)
{
	const struct timeval patience = { .tv_usec = 200000 };
	struct sockaddr_storage to;
	const socklen_t length = read_address(w->asked, PORT, &to);

	enter(w->client);
	for (size_t i = 0; i < SOCKETS; i++) {
		w->fds[i] = socket(to.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (w->fds[i] < 0 || connect(w->fds[i], (struct sockaddr *)&to, length) < 0 ||
		    setsockopt(w->fds[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0)
			die(w->asked);
	}
}

/* The IDs go on from batch to batch: what comes too late answers nothing. */
static void send_query(const struct way *w, unsigned id)
{
	uint8_t query[PLAIN_UDP];
	const size_t length = make_query(query, id & 0xffff, "www.example", TYPE_A, 0);

	(void)send(w->fds[id % SOCKETS], query, length, 0);
}

/* Whether the server has answered this one. */
static bool take_answer(const struct way *w, unsigned id)
{
	uint8_t answer[PLAIN_UDP];
	ssize_t got;

	do
		got = recv(w->fds[id % SOCKETS], answer, sizeof answer, 0);
	while (got > 0 && get16(answer) != (id & 0xffff));
	return got > 0 && read_answer(answer, (size_t)got) == WHO_CACHE;
}

static double now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Microseconds of a query. */
static double ask(struct way *w, bool counts)
{
	static unsigned next;
	const unsigned first = next;
	const double start = now_us();

	for (; next < first + (unsigned)window; next++)
		send_query(w, next);
	for (unsigned id = first; id < first + (unsigned)batch; id++) {
		w->missing += !take_answer(w, id) && counts;
		if (next < first + (unsigned)batch)
			send_query(w, next++);
	}
	return (now_us() - start) / (double)batch;
}

static const struct way *reference_of(const struct way *w)
{
	for (size_t i = 0; i < n_ways; i++)
		if (strcmp(ways[i].name, w->reference) == 0)
			return &ways[i];
	die(w->reference);
}

static void one_round(long round)
{
	static unsigned seed = 1;
	size_t order[WAYS] = { 0 };

	for (size_t i = 0; i < n_ways; i++) {
		const size_t j = (size_t)rand_r(&seed) % (i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (size_t i = 0; i < n_ways; i++) {
		const double us = ask(&ways[order[i]], round >= 0);

		if (round >= 0)
			ways[order[i]].us[round] = us;
	}
	for (size_t i = 0; i < n_ways && round >= 0; i++)
		ways[i].ratio[round] = ways[i].us[round] / reference_of(&ways[i])->us[round];
}

/*** the outcome ***/

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void report(struct way *w)
{
	const size_t n = (size_t)rounds;

	qsort(w->us, n, sizeof *w->us, compare);
	qsort(w->ratio, n, sizeof *w->ratio, compare);
	(void)printf("%s %.2f %.4f %.4f %.4f %ld\n", w->name, w->us[n / 2], w->ratio[n / 4],
		     w->ratio[n / 2], w->ratio[n * 3 / 4], w->missing);
}

static bool read_way(struct way *w, const char *text)
{
	w->us = calloc((size_t)rounds, sizeof *w->us);
	w->ratio = calloc((size_t)rounds, sizeof *w->ratio);
	return w->us && w->ratio &&
	       sscanf(text, "%127[^,],%127[^,],%127[^,],%127[^,],%127[^,],%127s", w->name,
		      w->client, w->asked, w->server, w->address, w->reference) == 6;
}

static long number(const char *text)
{
	const long n = strtol(text, NULL, 10);

	return n < 0 ? 0 : n;
}

int main(int argc, char *argv[])
{
	if (argc < 7 || argc > 6 + WAYS) {
		(void)fputs("usage: paired ROUNDS BATCH WINDOW CLIENT_CPU SERVER_CPU WAY…\n",
			    stderr);
		return 2;
	}
	rounds = number(argv[1]);
	batch = number(argv[2]);
	window = number(argv[3]);
	n_ways = (size_t)argc - 6;
	if (!rounds || !window || window > WINDOW || batch < window)
		return 2;
	for (size_t i = 0; i < n_ways; i++) {
		if (!read_way(&ways[i], argv[6 + i]))
			die(argv[6 + i]);
		if (strcmp(argv[5], "-1") != 0 && !has_server(i))
			start_server(&ways[i], (int)number(argv[5]));
	}
	for (size_t i = 0; i < n_ways; i++)
		open_sockets(&ways[i]);
	pin((int)number(argv[4]));
	for (long round = -WARM_UP; round < rounds; round++)
		one_round(round);
	for (size_t i = 0; i < n_ways; i++)
		report(&ways[i]);
	return 0;
}
