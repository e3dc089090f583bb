/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libc.h: what glibc and musl do with a resolv.conf and a name: which queries they send, in which
 * order, and what ends them. Pure.
 *
 * It follows getaddrinfo() for both families, as nearly every program calls it, of glibc 2.36
 * (resolv/res_init.c, res_query.c) and musl 1.2.5 (src/network/resolvconf.c, lookup_name.c); the
 * scenario ctl-queries-wire holds it to the programs. Not looked at: /etc/hosts, nsswitch.conf,
 * nscd, the environment (LOCALDOMAIN, RES_OPTIONS), a host name with a dot (glibc takes its domain
 * for the search list where the file has none).
 */
#ifndef POD_DNSCTL_LIBC_H
#define POD_DNSCTL_LIBC_H

#include "addr.h"
#include "arena.h"
#include "resolv.h"

enum libc { LIBC_GLIBC, LIBC_MUSL };
extern const char *const libc_names[]; /* by the enum, NULL-terminated */

enum {
	LIBC_SERVERS = 3,
	LIBC_ATTEMPTS = 10, /* what musl caps at; glibc at 5 */
	LIBC_QUERIES = 8192,
};

/* resolv.conf as the libc reads it. */
struct libc_conf {
	enum libc libc;
	size_t n; /* of servers: at least one */
	struct addr server[LIBC_SERVERS];
	struct resolv_list searches;
	unsigned ndots, attempts;
	bool rotate, no_aaaa, no_tld_query, single_request; /* glibc's */
	const char *fault; /* why no lookup sends anything; NULL: lookups work */
};

void libc_read(struct libc_conf *c, enum libc libc, const char *text, struct arena *a);

/* What the server says to a name. */
enum libc_answer { LIBC_NXDOMAIN, LIBC_FOUND, LIBC_NODATA, LIBC_SERVFAIL };
typedef enum libc_answer libc_answers(const char *name, void *context);

enum libc_end {
	LIBC_END_FOUND,
	LIBC_END_NOWHERE,  /* every candidate was asked */
	LIBC_END_NODATA,   /* musl: a name without addresses ends the search */
	LIBC_END_SERVFAIL, /* musl: so does a server's failure */
	LIBC_END_ADDRESS,  /* the name is an address: nothing is asked */
	LIBC_END_NO_NAME,  /* the libc takes it for no name: nothing is asked */
	LIBC_END_FAULT,	   /* conf.fault */
};

struct libc_query {
	const char *name; /* without a final dot; the root is "." */
	bool aaaa;
	const struct addr *server;
};

struct libc_lookup {
	enum libc_end end;
	size_t n;
	struct libc_query at[LIBC_QUERIES];
};

/*
 * The lookup of `name`. The first server answers, and at once. A server's failure makes glibc ask
 * every server, as often as `attempts` says; musl repeats by the clock: its repetitions are left
 * out. `out` borrows from the arena and from `c`.
 */
void libc_look_up(struct libc_lookup *out, const struct libc_conf *c, const char *name,
		  libc_answers *answers, void *context, struct arena *a);

#endif
