/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c: `pod-dnsctl explain`: why a pod resolves as it does. */
#include "pod-dnsctl/explain.h"
#include "pod-dnsctl/out.h"
#include "pod-dnsctl/verbs.h"

#include <string.h>

enum { MATCHES = 64 };

/* The attachments that `which` matches; the caller calls view_done(). */
static size_t find_views(struct view found[static MATCHES], const struct rundir *r,
			 const char *which, struct arena *a)
{
	struct rundir_list records;
	const char *why;
	size_t n = 0;

	(void)record_list(&records, r, NULL, a);
	for (size_t i = 0; i < records.n && n < MATCHES; i++) {
		if (!view_read(&found[n], r, records.at[i], &why, a))
			continue;
		if (view_is(&found[n], which))
			n++;
		else
			view_done(&found[n]);
	}
	return n;
}

/* One attachment is printed as an object, several as a list. */
static void print_json(const struct view *found, size_t n, struct ctl *ctl)
{
	json_auto_t *all = json_array();

	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(all, explain_json(&found[i]));
	out_json(ctl->out, n == 1 ? json_array_get(all, 0) : all);
}

static int explain(struct ctl *ctl)
{
	static struct view found[MATCHES];
	auto_rundir r = RUNDIR_NONE;
	struct err e = { 0 };
	size_t n;

	if (!rundir_open(&r, false, &e))
		return ctl_fail(ctl, &e);
	n = find_views(found, &r, ctl->args[0], ctl->arena);
	if (!n) {
		ctl_note(ctl, "%s: there is no record of it on this node", ctl->args[0]);
		return CTL_BAD;
	}
	if (ctl->json)
		print_json(found, n, ctl);
	for (size_t i = 0; !ctl->json && i < n; i++) {
		if (i)
			out_end(ctl->out);
		explain_show(&found[i], ctl);
	}
	for (size_t i = 0; i < n; i++)
		view_done(&found[i]);
	return CTL_GOOD;
}

const struct ctl_verb ctl_verb_explain = {
	.name = "explain",
	.synopsis = "explain ID\nexplain NAMESPACE/POD",
	.summary = "why a pod resolves as it does: each entry with its origin",
	.help = "Prints a pod's configuration as it was made: each entry with where it came from\n"
		"and what it took the place of, the warnings, the files it was written to, where\n"
		"its queries go, and whether the file has changed since. ID is the container's,\n"
		"or how it begins. A pod of several networks has several attachments.\n",
	.min_args = 1,
	.max_args = 1,
	.json = true,
	.root = true,
	.run = explain,
};
