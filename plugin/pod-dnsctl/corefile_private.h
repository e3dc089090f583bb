/* SPDX-License-Identifier: Apache-2.0 */
/* corefile_private.h: what the corefile_*.c files share. */
#ifndef POD_DNSCTL_COREFILE_PRIVATE_H
#define POD_DNSCTL_COREFILE_PRIVATE_H

#include "name.h"
#include "pod-dnsctl/corefile.h"

/* A domain in the spelling of zones: lower case, without a final dot. */
struct zone {
	char text[NAME_MAX_LEN + 2];
};

struct zone corefile_zone(const char *domain);

/* The blocks that serve the autopath zone. `back`: where the server listens. */
void corefile_put_autopath(struct text *out, const struct corefile *c, const char *back);

/* The block that answers all names of the zone with NXDOMAIN. */
void corefile_put_no_autopath(struct text *out, const struct corefile *c);

#endif
