/* SPDX-License-Identifier: Apache-2.0 */
/* libc_private.h: what the libc*.c files share. */
#ifndef POD_DNSCTL_LIBC_PRIVATE_H
#define POD_DNSCTL_LIBC_PRIVATE_H

#include "pod-dnsctl/lookup/libc.h"

/* The state of a lookup. */
struct libc_asking {
	struct libc_lookup *out;
	const struct libc_conf *conf;
	libc_answers *answers;
	void *context;
	struct arena *arena;
	size_t first; /* the next server to ask; not 0 only with `rotate` */
};

/* Whether it fits a query: labels of 1 to 63 bytes, 253 in all; or the root. */
bool libc_is_name(const char *name);

/* Notes a query to one server. */
void libc_send(struct libc_asking *l, const char *name, bool aaaa, const struct addr *server);

/* The name as it is sent in queries. */
const char *libc_sent_name(const struct libc_asking *l, const char *name);

/* The server's answer for a name. */
enum libc_answer libc_ask(const struct libc_asking *l, const char *name);

/* Reads the whole text as inet_aton() does: also 10, 0x7f.1 and 010.0.0.1, which is 8.0.0.1. */
bool libc_is_v4(struct addr *a, const char *s);
/* IPv6 with or without a zone. *zone: what follows "%", or NULL. */
bool libc_is_v6(struct addr *a, const char *s, const char **zone, struct arena *arena);

void libc_add_server(struct libc_conf *c, const struct addr *a);

/* Makes the words of a line, separated by `blanks`, the search list. */
void libc_set_searches(struct libc_conf *c, const char *words, const char *blanks, struct arena *a);

void glibc_read(struct libc_conf *c, const char *text, struct arena *a);
void glibc_look_up(struct libc_asking *l, const char *name);
void musl_read(struct libc_conf *c, const char *text, struct arena *a);
void musl_look_up(struct libc_asking *l, const char *name);

#endif
