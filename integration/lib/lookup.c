/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves a name as any program does, and prints the addresses: linked statically to musl, it is
 * musl's word. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found, *a;
	char host[INET6_ADDRSTRLEN];
	int failed;

	if (argc != 2)
		return 2;
	failed = getaddrinfo(argv[1], NULL, &hints, &found);
	if (failed) {
		(void)fprintf(stderr, "%s: %s\n", argv[1], gai_strerror(failed));
		return 1;
	}
	for (a = found; a; a = a->ai_next)
		if (!getnameinfo(a->ai_addr, a->ai_addrlen, host, sizeof host, NULL, 0,
				 NI_NUMERICHOST))
			puts(host);
	freeaddrinfo(found);
	return 0;
}
