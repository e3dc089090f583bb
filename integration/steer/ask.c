/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask [OPTION…] SERVER: looks a name up, many times, and counts. Prints one line:
 *   asked N cache C cluster K lost L refused X retried Y servfail S
 * A lookup ends at the cache, at the cluster (half of a pair is enough), at SERVFAIL, or is lost
 * once its tries are used up. Refused counts tries.
 *
 *   -n COUNT  lookups, 10           -r RATE   so many a second; else one at a time,
 *   -t TRIES  for each, 2           -p MS     after a pause, 0
 *   -w MS     for a try, 1000       -s        all from one socket; else each from a fresh one
 *   -q NAME   www.example           -2        A and AAAA at once from the lookup's socket
 *   -e BYTES  EDNS: a size we take  -T        over TCP
 *   -b BYTES  a shorter answer      -u        from sockets that are not connected, as musl's
 *             is none               -P PORT   from that port
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dns.h"
#include "lookups.h"
#include "socket.h"

enum { LONGEST_RUN = 300 };

static _Noreturn void usage(void)
{
	(void)fputs(
		"usage: ask [-n COUNT] [-r RATE | -p MS] [-t TRIES] [-w MS] [-q NAME] [-e BYTES]"
		" [-b BYTES] [-P PORT] [-s2Tu] SERVER\n",
		stderr);
	exit(2);
}

static long number(const char *text, long max)
{
	char *behind;
	const long n = strtol(text, &behind, 10);

	if (*behind || behind == text || n < 0 || n > max)
		usage();
	return n;
}

static void take_option(int option)
{
	switch (option) {
	case 'n':
		plan.count = number(optarg, 10000000);
		break;
	case 'r':
		plan.rate = number(optarg, 1000000);
		break;
	case 'p':
		plan.pause = number(optarg, 100000);
		break;
	case 't':
		plan.tries = number(optarg, 10);
		break;
	case 'w':
		plan.wait = number(optarg, 100000);
		break;
	case 'e':
		plan.edns = number(optarg, 65535);
		break;
	case 'b':
		plan.bytes = number(optarg, BIGGEST);
		break;
	case 'P':
		plan.port = number(optarg, 65535);
		break;
	case 'q':
		plan.name = optarg;
		break;
	case 's':
		plan.shared = true;
		break;
	case '2':
		plan.pair = true;
		break;
	case 'T':
		plan.tcp = true;
		break;
	case 'u':
		plan.unconnected = true;
		break;
	default:
		usage();
	}
}

/* How many lookups should have been started after so many ms. */
static long due_after(long ms)
{
	const long due = ms * plan.rate / 1000 + 1;

	return due < plan.count ? due : plan.count;
}

static void ask_at_a_rate(void)
{
	const long start = now_ms();
	long started = 0;

	while (started < plan.count || lookups_busy() > 0) {
		const long due = due_after(now_ms() - start);

		for (; started < due && lookups_busy() < LOOKUPS; started++)
			lookup_start();
		lookups_serve(1);
	}
}

static void ask_one_at_a_time(void)
{
	for (long i = 0; i < plan.count; i++) {
		if (i > 0 && plan.pause)
			(void)usleep((useconds_t)plan.pause * 1000);
		lookup_start();
		while (lookups_busy() > 0)
			lookups_serve(5);
	}
}

int main(int argc, char *argv[])
{
	int option;

	while ((option = getopt(argc, argv, "n:r:p:t:w:e:b:P:q:s2Tu")) != -1)
		take_option(option);
	if (optind + 1 != argc || strlen(plan.name) > 250 ||
	    (plan.tcp && (plan.shared || plan.pair)))
		usage();
	plan.server_length = read_address(argv[optind], PORT, &plan.server);
	if (!plan.server_length)
		usage();
	(void)alarm(LONGEST_RUN);
	lookups_open();
	(plan.rate ? ask_at_a_rate : ask_one_at_a_time)();
	(void)printf(
		"asked %ld cache %ld cluster %ld lost %ld refused %ld retried %ld servfail %ld\n",
		sum.asked, sum.cache, sum.cluster, sum.lost, sum.refused, sum.retried,
		sum.servfail);
	return 0;
}
