/* SPDX-License-Identifier: Apache-2.0 */
/* corefile_zone.c: a domain in the spelling of zones. */
#include "pod-dnsctl/corefile/corefile_zone.h"

#include <ctype.h>
#include <string.h>

struct zone corefile_zone(const char *domain)
{
	size_t len = strlen(domain);
	struct zone zone;

	if (len && domain[len - 1] == '.')
		len--;
	for (size_t i = 0; i < len; i++)
		zone.text[i] = (char)tolower((unsigned char)domain[i]);
	zone.text[len] = '\0';
	return zone;
}
