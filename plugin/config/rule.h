/* SPDX-License-Identifier: Apache-2.0 */
/* rule.h: reads the operator's rules, and finds a pod's. */
#ifndef POD_DNS_RULE_H
#define POD_DNS_RULE_H

#include "domain.h"

extern const struct json_table rule_table;
json_reader rule_read; /* one, into a struct rule */

/* Whether its keys fit together. ERR_CONFIG. */
bool rule_check(const struct rule *rule, struct err *e);

/* Into a struct rules. The caller calls rule_done_all(), also after an error. */
json_reader rule_read_all;
void rule_done_all(struct rules *rules);

/* The first rule that matches; NULL: none. A pod without a name is matched as "". */
const struct rule *rule_of(const struct rules *rules, const struct pod *pod);

#endif
