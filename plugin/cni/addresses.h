/* addresses.h: a pod's own addresses: from prevResult, and as the record keeps them. Pure. */
#ifndef POD_DNS_ADDRESSES_H
#define POD_DNS_ADDRESSES_H

#include "addr.h"

#include <jansson.h>

enum { ADDRESSES_MAX = 16 }; /* of one attachment; more are not steered by the node's table */

/* Each once. */
struct addresses {
	size_t n;
	struct addr at[ADDRESSES_MAX];
};

/* Those of interfaces in the sandbox, or of none (CNI 0.2.0's ip4 and ip6 too). */
void addresses_of_result(struct addresses *list, const json_t *prev);

bool addresses_have(const struct addresses *list, const struct addr *a);

/* A list of strings for the record, the caller's; and back: what is no address is passed over. */
json_t *addresses_json(const struct addresses *list);
void addresses_parse(struct addresses *list, const json_t *json);

#endif
