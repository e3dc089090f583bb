/* SPDX-License-Identifier: Apache-2.0 */
/* Usage: load NAME MILLISECONDS  looks the name up, as any program does, every so many milliseconds
 * until it is told to end, and prints how many lookups it made, how many failed, and how long the
 * longest took (ms). */
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

static volatile sig_atomic_t over;

static void end(int signal)
{
	over = signal;
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	const struct sigaction on_end = { .sa_handler = end };
	const struct timespec pause = { .tv_nsec = argc == 3 ? atol(argv[2]) * 1000000 : 0 };
	unsigned made = 0, failed = 0;
	double longest = 0;

	if (argc != 3 || sigaction(SIGTERM, &on_end, NULL) < 0)
		return 2;
	for (; !over; made++) {
		struct addrinfo *found = NULL;
		double began = now(), took;

		if (getaddrinfo(argv[1], NULL, &hints, &found) == 0)
			freeaddrinfo(found);
		else
			failed++;
		took = now() - began;
		longest = took > longest ? took : longest;
		(void)nanosleep(&pause, NULL);
	}
	printf("%u %u %.0f\n", made, failed, longest);
	return 0;
}
