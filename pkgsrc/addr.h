/* SPDX-License-Identifier: Apache-2.0 */
/* addr.h: one IP address, of either family. */
#ifndef PKG_ADDR_H
#define PKG_ADDR_H

#include "base.h"

enum { ADDR_TEXT = 46 }; /* INET6_ADDRSTRLEN */

/* IPv4 is kept as ::ffff:a.b.c.d, as in Go's net.IP: two addresses compare as 16 bytes. */
struct addr {
	uint8_t byte[16];
};

/*
 * Reads an address as Kubernetes does (apimachinery's ParseIPSloppy): leading zeros are decimal,
 * any spelling of IPv6, a mapped address is IPv4; no zone, no port, no brackets.
 */
bool addr_parse(struct addr *a, const char *s) MUST_CHECK;

/* Canonical text: RFC 5952, IPv4 dotted. */
void addr_print(char out[static ADDR_TEXT], const struct addr *a);

bool addr_same(const struct addr *a, const struct addr *b);
bool addr_is_v4(const struct addr *a);

/* Whether a text is an address in 127.0.0.0/8, or ::1. */
bool addr_is_loopback(const char *s);

/* Whether a dotted part has leading zeros: decimal to Kubernetes, octal to inet_aton(). */
bool addr_has_leading_zeros(const char *s);

/* "ADDRESS/BITS", host bits allowed: what CNI calls an address and a dst. */
bool addr_is_cidr(const char *s);

#endif
