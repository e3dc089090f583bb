/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses, and the clock, for both sides. */
#ifndef STEER_SOCKET_H
#define STEER_SOCKET_H

#include <stdint.h>
#include <sys/socket.h>

/* The address' length as a socket address on that port; 0: it is no address. */
socklen_t read_address(const char *text, uint16_t port, struct sockaddr_storage *address);

long now_ms(void);

/* Says what failed and why, and ends the program. */
_Noreturn void die(const char *what);

#endif
