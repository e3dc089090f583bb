/* SPDX-License-Identifier: Apache-2.0 */
/* addr.c: one IP address, of either family. */
#include "addr.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

/* a.b.c.d, decimal, each up to 255 and with any leading zeros, which inet_pton() refuses. */
static bool parse_v4(uint8_t out[static 4], const char *s)
{
	for (int i = 0; i < 4; i++) {
		unsigned value = 0;

		if (*s < '0' || *s > '9')
			return false;
		for (; *s >= '0' && *s <= '9'; s++) {
			value = value * 10 + (unsigned)(*s - '0');
			if (value > 255)
				return false;
		}
		if (*s != (i < 3 ? '.' : '\0'))
			return false;
		s++;
		out[i] = (uint8_t)value;
	}
	return true;
}

/* IPv6; the last 32 bits may be dotted, with leading zeros too. */
static bool parse_v6(uint8_t out[static 16], const char *s)
{
	const char *dotted = strchr(s, '.') ? strrchr(s, ':') : NULL;
	char text[ADDR_TEXT];
	uint8_t v4[4];
	size_t head;

	if (!dotted)
		return inet_pton(AF_INET6, s, out) == 1;
	head = (size_t)(dotted + 1 - s);
	if (head >= sizeof(text) - 4 || !parse_v4(v4, dotted + 1))
		return false;
	memcpy(text, s, head);
	memcpy(text + head, "0:0", 4);
	if (inet_pton(AF_INET6, text, out) != 1)
		return false;
	memcpy(out + 12, v4, sizeof(v4));
	return true;
}

bool addr_parse(struct addr *a, const char *s)
{
	if (strchr(s, ':'))
		return parse_v6(a->byte, s);
	memcpy(a->byte, mapped, sizeof(mapped));
	return parse_v4(a->byte + 12, s);
}

/* Addresses in ::/96 that inet_ntop() writes dotted, and Go and RFC 5952 do not. */
static bool is_v4_compatible(const struct addr *a)
{
	static const uint8_t zero[12] = { 0 };

	return memcmp(a->byte, zero, sizeof(zero)) == 0 && (a->byte[12] || a->byte[13]);
}

void addr_print(char out[static ADDR_TEXT], const struct addr *a)
{
	const uint8_t *low = a->byte + 12;

	if (addr_is_v4(a))
		(void)inet_ntop(AF_INET, low, out, ADDR_TEXT);
	else if (is_v4_compatible(a))
		(void)snprintf(out, ADDR_TEXT, "::%x:%x", low[0] << 8 | low[1],
			       low[2] << 8 | low[3]);
	else
		(void)inet_ntop(AF_INET6, a->byte, out, ADDR_TEXT);
}

bool addr_same(const struct addr *a, const struct addr *b)
{
	return memcmp(a->byte, b->byte, sizeof(a->byte)) == 0;
}

bool addr_is_v4(const struct addr *a)
{
	return memcmp(a->byte, mapped, sizeof(mapped)) == 0;
}

bool addr_is_loopback(const char *s)
{
	static const struct addr one = { .byte = { [15] = 1 } };
	struct addr a;

	return addr_parse(&a, s) && (addr_is_v4(&a) ? a.byte[12] == 127 : addr_same(&a, &one));
}

bool addr_has_leading_zeros(const char *s)
{
	const char *part = strrchr(s, ':');

	for (part = part ? part + 1 : s; part && strchr(s, '.'); part = strchr(part, '.')) {
		part += *part == '.';
		if (part[0] == '0' && part[1] >= '0' && part[1] <= '9')
			return true;
	}
	return false;
}

bool addr_is_cidr(const char *s)
{
	const char *slash = strchr(s, '/');
	char text[ADDR_TEXT], *end;
	struct addr a;
	unsigned long bits;

	if (!slash || (size_t)(slash - s) >= sizeof(text) || slash[1] < '0' || slash[1] > '9')
		return false;
	memcpy(text, s, (size_t)(slash - s));
	text[slash - s] = '\0';
	bits = strtoul(slash + 1, &end, 10);
	return !*end && addr_parse(&a, text) && bits <= (strchr(text, ':') ? 128 : 32);
}
