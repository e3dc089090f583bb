/* SPDX-License-Identifier: Apache-2.0 */
/* probe.h: tests whether caches answer, from the namespaces of pods. */
#ifndef POD_DNSCTL_PROBE_H
#define POD_DNSCTL_PROBE_H

#include "addr.h"
#include "err.h"

enum probe_result {
	PROBE_NONE,
	PROBE_ANSWERS,	   /* with whatever content */
	PROBE_SILENT,	   /* not within a second */
	PROBE_REFUSED,	   /* nobody listens there */
	PROBE_UNREACHABLE, /* there is no route, or the namespace is gone */
};
extern const char *const probe_names[]; /* by the enum */

struct probe {
	int fd; /* -1: not sent */
	enum probe_result result;
	double ms; /* until the answer */
	struct timespec sent;
};
#define PROBE_UNSENT ((struct probe){ .fd = -1 })

/* Sends a query for the root's servers to port 53 of the cache, from a namespace (-1: our own). */
void probe_send(struct probe *p, int netns_fd, const struct addr *cache);

/* Waits for the answers to all that were sent, a second at most, and closes them. */
void probe_wait(struct probe *probes, size_t n);

#endif
