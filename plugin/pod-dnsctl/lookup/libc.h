/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libc.h: predicts which queries glibc and musl send for a name with a resolv.conf. Pure.
 *
 * It follows getaddrinfo() for both families, which nearly every program calls: glibc 2.36
 * (resolv/res_init.c, res_query.c) and musl 1.2.5 (src/network/resolvconf.c, lookup_name.c). The
 * scenario ctl-queries-wire compares it with both. Not considered: /etc/hosts, nsswitch.conf, nscd,
 * the environment (LOCALDOMAIN, RES_OPTIONS), and a host name with a dot: glibc searches its domain
 * if the file has no search list.
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
	LIBC_ATTEMPTS = 10, /* musl's bound; glibc's is 5 */
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
	const char *fault; /* why lookups send nothing; NULL: they work */
};

void libc_read(struct libc_conf *c, enum libc libc, const char *text, struct arena *a);

/* The server's answer for a name. */
enum libc_answer { LIBC_NXDOMAIN, LIBC_FOUND, LIBC_NODATA, LIBC_SERVFAIL };
typedef enum libc_answer libc_answers(const char *name, void *context);

enum libc_end {
	LIBC_END_FOUND,
	LIBC_END_NOWHERE,  /* no candidate exists */
	LIBC_END_NODATA,   /* musl ends the search at a name without addresses */
	LIBC_END_SERVFAIL, /* musl ends the search at a server's failure */
	LIBC_END_ADDRESS,  /* the name is an address: no query */
	LIBC_END_NO_NAME,  /* not a name for the libc: it sends nothing */
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
 * Predicts the lookup of `name`, if the first server answers at once. After a failure glibc asks
 * every server, `attempts` times; musl repeats by the clock, and its repetitions are left out. *out
 * points into the arena and *c.
 */
void libc_look_up(struct libc_lookup *out, const struct libc_conf *c, const char *name,
		  libc_answers *answers, void *context, struct arena *a);

#endif
