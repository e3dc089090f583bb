/* SPDX-License-Identifier: Apache-2.0 */
/* The sockets that ask, and waiting for them. */
#ifndef STEER_TRANSPORT_H
#define STEER_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

/* Before all that follows, which is done as plan says. */
void transport_begin(void);

/* A socket to the plan's server: ready, as that token, when it has something to read; over TCP
 * first when it is connected, or is not. The caller closes it. */
int transport_open(size_t token);

/* A connected TCP socket: ready from now on when it has something to read. */
void transport_listen(int fd, size_t token);

/* Returns how many earlier queries of a connected socket this one was told to have been refused. */
int transport_send(int fd, const uint8_t *query, size_t length);

/* The tokens that are ready, at most max, after so many ms at most; how many. */
size_t transport_wait(size_t *ready, size_t max, int ms);

#endif
