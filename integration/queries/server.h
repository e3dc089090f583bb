/* SPDX-License-Identifier: Apache-2.0 */
/* server.h: a DNS server that writes down what it is asked, in order, and at which of its
 * addresses. */
#ifndef QUERIES_SERVER_H
#define QUERIES_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SERVER_QUERIES = 2048, SERVER_NAME = 1100 };

struct server_query {
	char name[SERVER_NAME]; /* as it was written, without a final dot; the root is "." */
	unsigned type;
	char server[48]; /* the address that was asked */
};

/* What it says to a name: the response code, and whether there is an address. */
enum server_answer { SERVER_NXDOMAIN, SERVER_FOUND, SERVER_NODATA, SERVER_SERVFAIL };
typedef enum server_answer server_answers(const char *name, void *context);

struct server {
	int fd;
	server_answers *answers;
	void *context;
	size_t n;
	struct server_query at[SERVER_QUERIES];
};

/* Port 53 of every address of this namespace, of both families. */
bool server_open(struct server *s);

/* Serves until the process ends; what it asked is then in s->at. Returns its wait status. */
int server_until(struct server *s, pid_t child);

#endif
