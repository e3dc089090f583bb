/* SPDX-License-Identifier: Apache-2.0 */
/* DNS messages, as far as the answering and the asking side need them. Who answered is known from
 * an address' last byte: `cache` answers 192.0.2.1 and 2001:db8::1, `cluster` 192.0.2.2 and
 * 2001:db8::2.
 *
 * How a name begins is what the server is to do with it:
 *
 *	bigN		an answer of N bytes; with TC, and small, where the client takes no such
 *			message over UDP
 *	delayN		an answer after N ms, 5000 at most
 *	servfail	SERVFAIL
 *	cachefails	SERVFAIL from the cache alone
 *	mute		nothing
 */
#ifndef STEER_DNS_H
#define STEER_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum who { WHO_NOBODY, WHO_CACHE, WHO_CLUSTER, WHO_FAILS };
enum { TYPE_A = 1, TYPE_TXT = 16, TYPE_AAAA = 28, TYPE_OPT = 41, CLASS_IN = 1 };
enum { HEADER = 12, RCODE_SERVFAIL = 2, TRUNCATED = 0x200, PORT = 53 };
enum { PLAIN_UDP = 512, BIGGEST = 64000, ANSWER = BIGGEST + PLAIN_UDP };

uint16_t get16(const uint8_t *p);
uint8_t *put16(uint8_t *p, unsigned v);

/* Behind the name at `at`, or 0 where that lies not within the message. */
size_t skip_name(const uint8_t *message, size_t length, size_t at);

/* The number behind a word that the queried name begins with; -1 where it begins otherwise. */
long ordered(const uint8_t *query, size_t length, const char *word);

/* The length of the answer to a query of at most PLAIN_UDP bytes; 0: there is none. */
size_t make_answer(uint8_t answer[static ANSWER], const uint8_t *query, size_t length, unsigned who,
		   bool servfail, bool tcp);

/* The query's length; the name is one of a command line, some hundred bytes at most. edns 0: none.
 */
size_t make_query(uint8_t query[static PLAIN_UDP], unsigned id, const char *name, unsigned type,
		  unsigned edns);

/* Who answered, by the first record; WHO_FAILS: SERVFAIL. Its first PLAIN_UDP bytes are enough. */
unsigned read_answer(const uint8_t *answer, size_t length);

#endif
