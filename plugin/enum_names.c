/* SPDX-License-Identifier: Apache-2.0 */
/* enum_names.c: the names that configuration, records and messages use for the enums of domain.h.
 */
#include "enum_names.h"
#include "arena.h"

#include <stdio.h>
#include <string.h>

const char *const policy_names[] = {
	[CLUSTER_FIRST] = "ClusterFirst",
	[CLUSTER_FIRST_WITH_HOST_NET] = "ClusterFirstWithHostNet",
	[DEFAULT] = "Default",
	[NONE] = "None",
	[KEEP] = "Keep",
	[CLUSTER_FIRST_WITH_AUTOPATH] = "ClusterFirstWithAutopath",
	[CUSTOM] = "Custom",
	NULL,
};

const char *const mode_names[] = { "enforce", "observe", "off", NULL };
const char *const families_names[] = { "off", "auto", NULL };
const char *const guards_names[] = { "fix", "warn", "off", NULL };
const char *const on_pod_error_names[] = { "fail", "ignore", NULL };
const char *const on_servfail_names[] = { "pass", "fallback", NULL };
const char *const steer_names[] = { "off", "pod", "node", "dnat", "nameserver", NULL };
const char *const state_names[] = { "computed", "left", "passed", "pending", NULL };

const char *const target_names[] = { "sandbox", "late", "rootfs", "netns", NULL };

static const char *const from_names[FROM_RULE] = { "policy",  "node", "runtime", "prevResult",
						   "network", "pod",  "families" };

const char *from_name(struct arena *a, int from)
{
	return from < FROM_RULE ? from_names[from] : arena_print(a, "rules[%d]", from - FROM_RULE);
}

int from_named(const char *name)
{
	int rule, end = 0;

	for (int i = 0; i < FROM_RULE; i++)
		if (strcmp(from_names[i], name) == 0)
			return i;
	if (sscanf(name, "rules[%4d]%n", &rule, &end) != 1 || !end || name[end] || rule < 0)
		return -1;
	return FROM_RULE + rule;
}

int policy_named(const char *name)
{
	for (int i = 0; policy_names[i]; i++)
		if (strcmp(policy_names[i], name) == 0)
			return i == CUSTOM ? NONE : i;
	return POLICY_UNSET;
}

bool enum_names_read_policy(const json_t *v, const struct json_row *row, void *out, struct err *e)
{
	int *policy = out;

	if (!json_read_word(v, row, out, e))
		return false;
	if (*policy == CUSTOM)
		*policy = NONE;
	return true;
}
