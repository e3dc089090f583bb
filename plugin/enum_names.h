/* SPDX-License-Identifier: Apache-2.0 */
/* enum_names.h: the names that configuration, records and messages use for the enums of domain.h.
 */
#ifndef POD_DNS_ENUM_NAMES_H
#define POD_DNS_ENUM_NAMES_H

#include "domain.h"

struct arena;

/* Indexed by the enum, NULL-terminated: tables for json_read_word. */
extern const char *const policy_names[];
extern const char *const mode_names[];
extern const char *const families_names[];
extern const char *const guards_names[];
extern const char *const on_pod_error_names[];
extern const char *const on_servfail_names[];
extern const char *const steer_names[];
extern const char *const state_names[];
extern const char *const target_names[]; /* by enum target_kind */

/* An entry's origin as `explain` and the record name it: "policy", "node", "rules[1]", … */
const char *from_name(struct arena *a, int from);

/* The value of a name; -1: it is not one of the names. */
int from_named(const char *name);

json_reader enum_names_read_policy; /* enum policy, Custom as NONE; the row says policy_names */

/* The policy of that name, Custom as NONE; POLICY_UNSET if it is missing. */
int policy_named(const char *name);

#endif
