/* SPDX-License-Identifier: Apache-2.0 */
/* probe.h: whether a DNS server answers, asked from a network namespace. */
#ifndef POD_DNSCTL_PROBE_H
#define POD_DNSCTL_PROBE_H

#include "addr.h"

#include <time.h>

enum { PROBE_PATIENCE = 1000 }; /* ms: how long a caller waits for an answer */

enum probe_result {
	PROBE_NONE,
	PROBE_ANSWERS,	   /* with any content */
	PROBE_SILENT,	   /* not within PROBE_PATIENCE */
	PROBE_REFUSED,	   /* no socket is bound there */
	PROBE_UNREACHABLE, /* a route is missing, or the namespace is gone */
};
extern const char *const probe_names[]; /* by the enum */

struct probe {
	int fd; /* -1: not sent */
	enum probe_result result;
	double ms; /* until the answer */
	struct timespec sent;
};
#define PROBE_UNSENT ((struct probe){ .fd = -1 })

/*
 * Sends a query for the root's servers to port 53 of the cache, from a namespace (-1: our own). The
 * caller polls p->fd, and ends the probe.
 */
void probe_send(struct probe *p, int netns_fd, const struct addr *cache);
void probe_receive(struct probe *p); /* when p->fd is readable */
void probe_end(struct probe *p, enum probe_result result);

double probe_ms_since(const struct timespec *then);

/* One probe from the process' own namespace, which is waited for. */
enum probe_result probe_once(const struct addr *cache);

#endif
