/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups under way: started, tried again as resolvers do (at once when refused or told SERVFAIL,
 * else when they have waited), and counted once each when they end. */
#ifndef STEER_LOOKUPS_H
#define STEER_LOOKUPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { LOOKUPS = 4096 };

struct plan {
	long count, rate, pause, tries, wait, edns, bytes, port;
	bool shared, pair, tcp, unconnected;
	const char *name;
	struct sockaddr_storage server;
	socklen_t server_length;
};

/* Lookups, but for refused: tries. */
struct sum {
	long asked, cache, cluster, lost, refused, retried, servfail;
};

extern struct plan plan;
extern struct sum sum;

void lookups_open(void);
long lookups_busy(void);

/* One of LOOKUPS must be free. */
void lookup_start(void);

/* Waits so long at most for what arrives, and takes it; then what has waited too long tries again.
 */
void lookups_serve(int ms);

#endif
