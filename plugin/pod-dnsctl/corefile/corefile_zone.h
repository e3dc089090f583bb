/* SPDX-License-Identifier: Apache-2.0 */
/* corefile_zone.h: a domain in the spelling of zones. */
#ifndef POD_DNSCTL_COREFILE_ZONE_H
#define POD_DNSCTL_COREFILE_ZONE_H

#include "dnsname.h"

/* Lower case, without a final dot. */
struct zone {
	char text[NAME_MAX_LEN + 2];
};

struct zone corefile_zone(const char *domain);

#endif
