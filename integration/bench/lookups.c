/* SPDX-License-Identifier: Apache-2.0 */
/* Usage: lookups COUNT NAME…  looks the names up in turn, COUNT times in all, as any program does,
 * and prints the mean time of one and the processor time that it took this process, in
 * microseconds. */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

static double wall(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double cpu(void)
{
	struct rusage r;

	(void)getrusage(RUSAGE_SELF, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1e6 +
	       (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	const int count = argc > 2 ? atoi(argv[1]) : 0;
	const double began = wall(), worked = cpu();
	struct addrinfo *found;

	if (count <= 0)
		return 2;
	for (int i = 0; i < count; i++) {
		if (getaddrinfo(argv[2 + i % (argc - 2)], NULL, &hints, &found) != 0)
			return 1;
		freeaddrinfo(found);
	}
	printf("%.1f %.1f\n", (wall() - began) / count, (cpu() - worked) / count);
	return 0;
}
