/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c: `pod-dnsctl explain`: why a pod resolves as it does. */
#include "enum_names.h"
#include "pod-dnsctl/cli/columns.h"
#include "pod-dnsctl/cli/out.h"
#include "steer/steer_status.h"
#include "pod-dnsctl/inventory/view.h"
#include "pod-dnsctl/verbs.h"
#include "text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

/* A kind of lists: its key in JSON, and the keyword of resolv.conf. */
struct list_kind {
	const char *key, *keyword;
	size_t at; /* in struct resolv */
};
static const struct list_kind kinds[] = {
	{ "searches", "search", offsetof(struct resolv, searches) },
	{ "nameservers", "nameserver", offsetof(struct resolv, nameservers) },
	{ "options", "option", offsetof(struct resolv, options) },
};

static const struct resolv_list *list_of(const struct view *v, const struct list_kind *kind)
{
	return (const struct resolv_list *)((const char *)&v->record.dns + kind->at);
}

/* The next of the entries that one replaced, which the record joins with blanks; "": no more. */
static const char *next_displaced(const char **rest, size_t *len)
{
	const char *at = *rest ? *rest + strspn(*rest, " ") : "";

	*len = strcspn(at, " ");
	*rest = at + *len;
	return at;
}

/* The file that was written: the namespace's or the runtime's. Files in a container's root are not
 * looked at. */
static const char *written_file(const struct record *record)
{
	const struct record_target *netns = record_taken(record, TARGET_NETNS);

	return netns ? netns->path : record->file;
}

static bool has_drifted(const struct record *record)
{
	const char *path = written_file(record);
	auto_text now = TEXT_UP_TO(FILE_MAX);

	if (!path || !record->text || record->late == RECORD_AWAITED)
		return false;
	if (!file_read(&now, AT_FDCWD, path, true, NULL))
		return true;
	return !text_same_lines(now.at ? now.at : "", record->text);
}

/*** JSON ***/

static json_t *displaced_json(const struct resolv_entry *entry)
{
	json_t *list = json_array();
	const char *rest = entry->displaced, *at;
	size_t len;

	while (*(at = next_displaced(&rest, &len)))
		(void)json_array_append_new(list, json_stringn(at, len));
	return list;
}

static json_t *entries_json(const struct view *v, struct arena *a)
{
	json_t *entries = json_array();

	for (size_t k = 0; k < LEN(kinds) && record_has_dns(&v->record); k++) {
		const struct resolv_list *list = list_of(v, &kinds[k]);

		for (size_t i = 0; i < list->n; i++)
			(void)json_array_append_new(
				entries,
				json_pack("{s:s, s:s, s:s, s:o}", "list", kinds[k].key, "text",
					  list->at[i].text, "from", from_name(a, list->at[i].from),
					  "displaced", displaced_json(&list->at[i])));
	}
	return entries;
}

/* The caller's. */
static json_t *explain_json(const struct view *v, struct arena *a)
{
	const struct record *record = &v->record;
	json_auto_t *document = record_render(record);

	return json_pack(
		"{s:s?, s:o, s:s?, s:s, s:O, s:o, s:s, s:s, s:s, s:s, s:O, s:s?, s:O, s:b, s:b}",
		"resolvConf", record->text, "dns", view_dns(&record->dns), "policy", v->policy,
		"state", v->state, "warnings", json_object_get(document, "warnings"), "entries",
		entries_json(v, a), "network", record->at.network, "containerID",
		record->at.container_id, "ifname", record->at.ifname, "pod", v->pod, "targets",
		json_object_get(document, "targets"), "late", v->late, "steering",
		json_object_get(document, "steering"), "drifted", (int)has_drifted(record),
		"adopted", (int)record->adopted);
}

/*** for people ***/

static void show_heading(struct out *out, const char *head)
{
	out_put(out, OUT_BOLD, "%s", head);
	out_end(out);
}

/* "rules[1]" stays as it is: `check` uses the same path. */
static const char *origin(const char *from)
{
	static const struct {
		const char *from, *words;
	} known[] = { { "policy", "the policy" },
		      { "node", "the node's file" },
		      { "runtime", "kubelet, or the pod" },
		      { "prevResult", "an earlier plugin" },
		      { "network", "the network's dnsConfig" },
		      { "pod", "the pod's own words" },
		      { "families", "families: the pod has IPv4 addresses only" } };

	for (size_t i = 0; i < LEN(known); i++)
		if (strcmp(known[i].from, from) == 0)
			return known[i].words;
	return from;
}

static void show_entry(const struct resolv_entry *entry, const char *keyword, struct ctl *ctl)
{
	const char *rest = entry->displaced, *at;
	struct out *out = ctl->out;
	size_t len;

	out_put(out, OUT_PLAIN, "  %-10s ", keyword);
	out_put(out, OUT_BOLD, "%-36s", entry->text);
	if (strlen(entry->text) > 36) {
		out_end(out);
		out_put(out, OUT_PLAIN, "  %-10s %-36s", "", "");
	}
	out_put(out, OUT_PLAIN, " %s", origin(from_name(ctl->arena, entry->from)));
	while (*(at = next_displaced(&rest, &len))) {
		out_end(out);
		out_put(out, OUT_PLAIN, "  %-10s %-36s instead of ", "", "");
		out_put(out, OUT_DIM, "%.*s", (int)len, at);
	}
	out_end(out);
}

static void show_entries(const struct view *v, struct ctl *ctl)
{
	const struct resolv *dns = &v->record.dns;

	if (!record_has_dns(&v->record) || resolv_is_empty(dns))
		return;
	show_heading(ctl->out, "entries");
	for (size_t k = 0; k < LEN(kinds); k++) {
		const struct resolv_list *list = list_of(v, &kinds[k]);

		for (size_t i = 0; i < list->n; i++)
			show_entry(&list->at[i], kinds[k].keyword, ctl);
	}
}

static void show_targets(const struct record *record, struct out *out)
{
	if (record->targets.n)
		show_heading(out, "targets");
	for (size_t i = 0; i < record->targets.n; i++) {
		const struct record_target *target = &record->targets.at[i];

		out_put(out, OUT_PLAIN, "  %-10s ", target_names[target->kind]);
		out_put(out, target->taken ? OUT_GREEN : OUT_PLAIN,
			target->taken ? "taken" : "not taken");
		out_end(out);
		if (target->why && *target->why)
			columns_wrap(out, OUT_PLAIN, 13, target->why);
		if (target->path && *target->path)
			columns_wrap(out, OUT_PLAIN, 13, target->path);
	}
}

static void show_warnings(const struct record *record, struct out *out)
{
	if (record->warnings.n)
		show_heading(out, "warnings");
	for (size_t i = 0; i < record->warnings.n; i++) {
		out_put(out, OUT_YELLOW, "  %s", record->warnings.at[i].kind);
		out_end(out);
		columns_wrap(out, OUT_PLAIN, 4, record->warnings.at[i].text);
	}
}

static void show_steering(const struct view *v, struct ctl *ctl)
{
	auto_steer_node_status node = STEER_NODE_STATUS;
	struct steer_status steered;
	struct err e = { 0 };

	if (strcmp(v->steer, "off") == 0)
		return;
	out_put(ctl->out, OUT_BOLD, "steering (%s)", v->steer);
	out_end(ctl->out);
	if (!steer_status_read(&steered, &v->record, &node, &e)) {
		out_line(ctl->out, "  %s", e.text);
		return;
	}
	for (size_t i = 0; i < steered.n; i++) {
		const struct steer_status_pair *p = &steered.at[i];
		char cluster[ADDR_TEXT], cache[ADDR_TEXT];

		addr_print(cluster, &p->pair.cluster);
		addr_print(cache, &p->pair.cache);
		out_line(ctl->out, "  %s -> %s: %s", cluster, cache, steer_state_names[p->state]);
		if (steered.steering.mode != STEER_NODE)
			out_line(ctl->out,
				 "    %" PRIu64 " queries to the cache (%" PRIu64
				 " answers), %" PRIu64 " to the cluster",
				 p->counts.to_cache, p->counts.answers, p->counts.to_fallback);
	}
}

static void show_title(const struct view *v, struct out *out)
{
	const struct attachment *at = &v->record.at;
	char where[3 * RECORD_NAME];

	show_heading(out, v->pod);
	(void)snprintf(where, sizeof(where), "network %s, %s of %s", at->network, at->ifname,
		       at->container_id);
	columns_wrap(out, OUT_PLAIN, 2, where);
	if (v->policy)
		out_line(out, "  %s: policy %s, chosen by %s", v->state, v->policy,
			 !v->by				 ? "nobody"
			 : strcmp(v->by, "network") == 0 ? "the network"
							 : origin(v->by));
	else if (v->record.decision.unrecognised)
		out_line(out, "  %s: what kubelet wrote does not fit the network's clusterDNS",
			 v->state);
	else if (v->record.decision.state == KEPT)
		out_line(out, "  left: the pod chose for itself; the file is the runtime's");
	else
		out_line(out, "  %s", v->state);
	if (v->record.mode == MODE_OBSERVE)
		out_line(out, "  mode observe: nothing of this was written");
}

static void explain_show(const struct view *v, struct ctl *ctl)
{
	struct out *out = ctl->out;

	show_title(v, out);
	if (v->record.adopted)
		out_line(out, "  adopted    it ran before it had a record");
	show_entries(v, ctl);
	show_targets(&v->record, out);
	if (v->late)
		out_line(out, "  late       %s", v->late);
	if (has_drifted(&v->record)) {
		out_put(out, OUT_RED, "  the file has changed since, or is gone");
		out_end(out);
	}
	show_steering(v, ctl);
	show_warnings(&v->record, out);
}

/*** the verb ***/

/* One attachment is printed as an object, several as a list. */
static int explain(struct ctl *ctl)
{
	json_auto_t *list = json_array();
	auto_rundir r = RUNDIR_NONE;
	auto_views all = { .run = NULL };
	const struct view *v;
	struct err e = { 0 };
	size_t n = 0;

	if (!rundir_open(&r, false, &e))
		return ctl_fail(ctl, &e);
	views_begin(&all, &r);
	while ((v = views_next(&all))) {
		if (!view_is(v, ctl->args[0]))
			continue;
		if (n++ && !ctl->json)
			out_end(ctl->out);
		if (ctl->json)
			(void)json_array_append_new(list, explain_json(v, ctl->arena));
		else
			explain_show(v, ctl);
	}
	if (!n && !err_no_record(ctl->args[0], &r, &e))
		return ctl_fail(ctl, &e);
	if (ctl->json)
		out_json(ctl->out, n == 1 ? json_array_get(list, 0) : list);
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
	.examples = "  pod-dnsctl explain shop/web-0\n"
		    "  pod-dnsctl explain -o json 4f1c\n",
	.run = explain,
};
