/* words.h: the names that configuration, records and messages use for the enums of domain.h. */
#ifndef POD_DNS_WORDS_H
#define POD_DNS_WORDS_H

#include "domain.h"

struct arena;

/* Indexed by the enum, NULL-terminated: tables for json_read_word. */
extern const char *const policy_words[];
extern const char *const mode_words[];
extern const char *const guards_words[];
extern const char *const on_pod_error_words[];
extern const char *const steer_words[];
extern const char *const state_words[];

/* An entry's origin as `explain` and the record name it: "policy", "node", "rules[1]", … */
const char *from_word(struct arena *a, int from);

json_reader words_read_policy; /* enum policy, Custom as NONE; the row says policy_words */

/* The policy of that name, Custom as NONE; POLICY_UNSET where there is none. */
int policy_named(const char *name);

#endif
