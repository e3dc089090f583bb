/* SPDX-License-Identifier: Apache-2.0 */
/* cases.h: random pairs of a name and a resolv.conf, odd ones too. */
#ifndef QUERIES_CASES_H
#define QUERIES_CASES_H

#include "server.h"

#include <stdint.h>

enum { CASE_TEXT = 4096, CASE_NAME = 300, CASE_KNOWN = 4, CASE_DOMAINS = 16 };

struct known {
	enum server_answer answer;
	char name[2 * CASE_NAME];
};

struct pair {
	uint64_t state; /* of the generator */
	char text[CASE_TEXT];
	size_t len;
	char domain[CASE_DOMAINS][CASE_NAME];
	size_t domains;
	char name[CASE_NAME];
	bool nowhere; /* the name itself does not exist */
	struct known known[CASE_KNOWN];
	size_t n_known;
	bool odd;     /* a candidate may be no name: musl before 1.2.4 ends the lookup there */
	bool rotates; /* glibc may begin with any server */
	bool fails;   /* a server fails: musl repeats by the clock */
};

/* The pair of a seed. */
void pair_make(struct pair *p, uint64_t seed);

/* What the server says to a name: server_answers, with the pair as its context. */
enum server_answer pair_answer(const char *name, void *pair);

#endif
