/* SPDX-License-Identifier: Apache-2.0 */
/* empty ADDRESS RATE: sends so many empty datagrams a second to the address' port 53, for ever. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dns.h"
#include "socket.h"

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = argc == 3 ? 1000000000 / atol(argv[2]) : 0 };
	struct sockaddr_storage to;
	socklen_t length = argc == 3 ? read_address(argv[1], PORT, &to) : 0;
	int fd;

	if (!length) {
		(void)fputs("usage: empty ADDRESS RATE\n", stderr);
		return 2;
	}
	fd = socket(to.ss_family, SOCK_DGRAM, 0);
	if (fd < 0)
		die("socket");
	for (;;) {
		(void)sendto(fd, "", 0, 0, (struct sockaddr *)&to, length);
		(void)nanosleep(&pause, NULL);
	}
}
