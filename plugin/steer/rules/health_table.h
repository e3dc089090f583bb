/* SPDX-License-Identifier: Apache-2.0 */
/*
 * health_table.h: the table that measures a pod's DNS, as messages to the kernel. Pure.
 *
 * It is in the pod's network namespace and changes no packet. It sees what the pod sees: queries
 * before steering rewrites them, answers after that. A query is known by its client's port and its
 * ID. A set with a timeout holds it for each time that is told apart: an answer that finds its
 * query in `within-32` and not in `within-8` has taken 8 to 32 ms.
 *
 *	open		asked in the last ten seconds
 *	answered	answered since
 *	within-8 …	asked in the last 8 ms …
 *	tcp-seen	new TCP connections, so that a repeated SYN does not count
 *
 * A query that is sent again while it is open counts once, and so does its first answer. A query
 * that finds no room in the sets counts as unmeasured.
 */
#ifndef POD_DNS_HEALTH_TABLE_H
#define POD_DNS_HEALTH_TABLE_H

#include "nft/nft.h"

#define HEALTH_TABLE "pod-dns-health"

enum { HEALTH_MEMORY = 24 * 1024 }; /* bytes; enough for the table of a family */

/* By these names the counters are read. */
enum health_counter {
	HEALTH_QUERIES,
	HEALTH_NOERROR,
	HEALTH_NXDOMAIN,
	HEALTH_SERVFAIL,
	HEALTH_REFUSED,
	HEALTH_OTHER,
	HEALTH_TRUNCATED, /* also counted by its rcode */
	HEALTH_WITHIN,	  /* the first of HEALTH_TIMES + 1: the last is `later` */
	HEALTH_TIMES = 5,
	HEALTH_UNMEASURED = HEALTH_WITHIN + HEALTH_TIMES + 1,
	HEALTH_TCP,
	HEALTH_COUNTERS,
};
extern const char *const health_counters[HEALTH_COUNTERS];
extern const unsigned health_times[HEALTH_TIMES]; /* ms */

/* Adds the table of b's family to the batch, which was begun on HEALTH_TABLE. */
void health_table(struct nft *b, const char *comment);

#endif
