/* SPDX-License-Identifier: Apache-2.0 */
/* What `targets` comes to for one pod. */
#include "targets/target.h"
#include "enum_names.h"

#include "rows.h"

#include <stdio.h>
#include <string.h>

#define FILE_OF "/var/lib/containerd/c1/resolv.conf"
#define NAMED	"/run/netns/pod"
#define PROC	"/proc/7/ns/net"

static const struct row {
	const char *name;
	const char *targets; /* words; NULL: not written */
	bool cri;
	const char *file, *expected, *netns;
	bool own;
	const char *plan; /* kind of each, with ! where no path is known */
} rows[] = {
	{ "auto: the runtime's file", NULL, true, FILE_OF, NULL, NAMED, false, "sandbox" },
	{ "auto: none yet", NULL, true, NULL, FILE_OF, NAMED, false, "late" },
	{ "auto: none, and none to come", NULL, true, NULL, NULL, NAMED, false, "late!" },
	{ "auto: a process", NULL, false, NULL, NULL, PROC, false, "rootfs" },
	{ "auto: a named namespace", NULL, false, NULL, NULL, NAMED, false, "netns" },
	{ "auto: the file comes first", NULL, false, FILE_OF, NULL, NAMED, false, "sandbox" },
	{ "auto: elsewhere", NULL, false, NULL, NULL, "/tmp/ns", false, "" },
	{ "the plugin's own is nobody's root", "rootfs", false, NULL, NULL, PROC, true, "rootfs!" },
	{ "nor its file", "netns", false, NULL, NULL, NAMED, true, "netns!" },
	{ "rootfs without a process", "rootfs", false, NULL, NULL, NAMED, false, "rootfs!" },
	{ "netns without a name", "netns", false, NULL, NULL, PROC, false, "netns!" },
	{ "sandbox without a file", "sandbox", true, NULL, NULL, NAMED, false, "sandbox!" },
	{ "late out of CRI", "late", false, NULL, NULL, NAMED, false, "late!" },
	{ "late, and the file is there", "late", true, FILE_OF, NULL, NAMED, false, "sandbox" },
	{ "in order", "netns /a/{containerID} auto", true, NULL, FILE_OF, NAMED, false,
	  "netns sandbox late" },
	{ "dots are no name", NULL, false, NULL, NULL, "/run/netns/..", false, "" },
	{ "a name of another folder's", NULL, false, NULL, NULL, "/run/netns/a/b", false, "" },
	{ "/var/run", NULL, false, NULL, NULL, "/var/run/netns/pod", false, "netns" },
	{ "no process", NULL, false, NULL, NULL, "/proc/self/ns/net", false, "" },
	{ "a thread", NULL, false, NULL, NULL, "/proc/7/task/8/ns/net", false, "" },
};

static void plans(void **state)
{
	const struct row *row = *state;
	struct sandbox sandbox = SANDBOX_NONE;
	struct pod_netns netns = { .path = row->netns, .own = row->own };
	json_auto_t *targets = row->targets ? json_array() : NULL;
	struct conf conf = { .targets = targets };
	char words[64];
	auto_arena arena = { 0 };
	char all[256] = "";
	struct plan plan;

	sandbox.container_id = "c1";
	sandbox.cri = row->cri;
	sandbox.runtimes.path = row->file;
	sandbox.expected = row->expected;
	(void)snprintf(words, sizeof(words), "%s", row->targets ? row->targets : "");
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		(void)json_array_append_new(targets, json_string(word));
	target_plan(&plan, &conf, &sandbox, &netns, &arena);
	for (size_t i = 0; i < plan.n; i++) {
		const struct target *t = &plan.at[i];

		(void)snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s%s", i ? " " : "",
			       target_names[t->kind], t->path ? "" : "!");
		assert_true(t->path || t->why);
	}
	assert_string_equal(all, row->plan);
}

int main(void)
{
	return RUN_ROWS("plans", rows, plans);
}
