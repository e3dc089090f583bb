/* SPDX-License-Identifier: Apache-2.0 */
/* rule.h: an operator's rules: what they say, and which one is a pod's. */
#ifndef POD_DNS_RULE_H
#define POD_DNS_RULE_H

#include "domain.h"

extern const struct json_table rule_table;
json_reader rule_read; /* one, into a struct rule */

/* A list of rules into a struct rules, which rule_done_all() gives back, also
 * after a fault. The row says rule_read and its bounds. */
json_reader rule_read_all;
void rule_done_all(struct rules *rules);

/* The first that matches; NULL: none. A pod without a name has the empty one. */
const struct rule *rule_of(const struct rules *rules, const struct pod *pod);

#endif
