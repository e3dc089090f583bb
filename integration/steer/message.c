/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dns.h"

uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

uint8_t *put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
	return p + 2;
}

size_t skip_name(const uint8_t *message, size_t length, size_t at)
{
	while (at < length && message[at] != 0 && message[at] < 0xc0)
		at += 1u + message[at];
	if (at >= length)
		return 0;
	at += message[at] ? 2 : 1;
	return at <= length ? at : 0;
}

long ordered(const uint8_t *query, size_t length, const char *word)
{
	char label[64] = "";

	if (length <= HEADER || query[HEADER] > 63 || length < HEADER + 1u + query[HEADER])
		return -1;
	memcpy(label, query + HEADER + 1, query[HEADER]);
	if (strncasecmp(label, word, strlen(word)) != 0)
		return -1;
	return strtol(label + strlen(word), NULL, 10);
}

/* The size of the message that the client takes over UDP; has_opt: whether it said so by EDNS. */
static long room(const uint8_t *query, size_t length, size_t question_end, bool *has_opt)
{
	const uint8_t *opt = query + question_end;

	*has_opt = get16(query + 10) > 0 && question_end + 11 <= length && !opt[0] &&
		   get16(opt + 1) == TYPE_OPT;
	return *has_opt && get16(opt + 3) > PLAIN_UDP ? get16(opt + 3) : PLAIN_UDP;
}

static uint8_t *put_record(uint8_t *p, unsigned type, size_t length)
{
	p = put16(p, 0xc000 | HEADER);
	p = put16(put16(p, type), CLASS_IN);
	return put16(put16(put16(p, 0), 0), (unsigned)length);
}

static uint8_t *put_address(uint8_t *p, unsigned type, unsigned who)
{
	const uint8_t v6[16] = { 0x20, 0x01, 0x0d, 0xb8, [15] = (uint8_t)who };
	const uint8_t v4[4] = { 192, 0, 2, (uint8_t)who };
	const size_t size = type == TYPE_A ? sizeof v4 : sizeof v6;

	p = put_record(p, type, size);
	memcpy(p, type == TYPE_A ? v4 : v6, size);
	return p + size;
}

/* A text record of so many bytes in all. */
static uint8_t *put_padding(uint8_t *p, long size)
{
	long left = size > 14 ? size - 12 : 2;

	p = put_record(p, TYPE_TXT, (size_t)left);
	while (left > 0) {
		const long text = left > 256 ? 255 : left - 1;

		*p = (uint8_t)text;
		memset(p + 1, 'x', (size_t)text);
		p += 1 + text;
		left -= 1 + text;
	}
	return p;
}

static uint8_t *put_opt(uint8_t *p)
{
	static const uint8_t opt[11] = { 0, 0, TYPE_OPT, 0x10 };

	memcpy(p, opt, sizeof opt);
	return p + sizeof opt;
}

size_t make_answer(uint8_t answer[static ANSWER], const uint8_t *query, size_t length, unsigned who,
		   bool servfail, bool tcp)
{
	const size_t end = length < HEADER + 5 ? 0 : skip_name(query, length, HEADER);
	const long size = ordered(query, length, "big");
	bool has_opt, fits, has_address;
	unsigned type;
	uint8_t *p;

	if (!end || end + 4 > length || get16(query + 4) != 1 ||
	    ordered(query, length, "mute") >= 0 || size > BIGGEST)
		return 0;
	servfail |= ordered(query, length, "servfail") >= 0 ||
		    (who == WHO_CACHE && ordered(query, length, "cachefails") >= 0);
	type = get16(query + end);
	has_address = !servfail && (type == TYPE_A || type == TYPE_AAAA);
	fits = room(query, length, end + 4, &has_opt) >= size || tcp;
	memcpy(answer, query, end + 4);
	p = put16(answer + 2, 0x8180 | (servfail ? RCODE_SERVFAIL : 0u) | (fits ? 0 : TRUNCATED));
	p = put16(put16(p, 1), has_address);
	(void)put16(put16(p, 0), (unsigned)has_opt + (fits && size > 0));
	p = answer + end + 4;
	if (has_address)
		p = put_address(p, type, who);
	if (has_opt)
		p = put_opt(p);
	if (fits && size > 0)
		p = put_padding(p, size - (p - answer));
	return (size_t)(p - answer);
}

size_t make_query(uint8_t query[static PLAIN_UDP], unsigned id, const char *name, unsigned type,
		  unsigned edns)
{
	uint8_t *p = put16(query, id);

	p = put16(put16(p, 0x0100), 1);
	p = put16(put16(put16(p, 0), 0), edns > 0);
	for (const char *label = name; *label;) {
		const size_t length = strcspn(label, ".");

		*p++ = (uint8_t)length;
		memcpy(p, label, length);
		p += length;
		label += length + (label[length] == '.');
	}
	*p++ = 0;
	p = put16(put16(p, type), CLASS_IN);
	if (edns) {
		*p++ = 0;
		p = put16(put16(p, TYPE_OPT), edns);
		p = put16(put16(put16(p, 0), 0), 0);
	}
	return (size_t)(p - query);
}

unsigned read_answer(const uint8_t *answer, size_t length)
{
	size_t at = length < HEADER ? 0 : skip_name(answer, length, HEADER);

	if (!at)
		return WHO_NOBODY;
	if ((answer[3] & 0xf) == RCODE_SERVFAIL)
		return WHO_FAILS;
	at = skip_name(answer, length, at + 4);
	if (!at || at + 10 > length || get16(answer + 6) == 0)
		return WHO_NOBODY;
	at += 9u + get16(answer + at + 8);
	return at < length && answer[at] <= WHO_CLUSTER ? answer[at] : WHO_NOBODY;
}
