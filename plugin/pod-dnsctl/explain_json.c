/* SPDX-License-Identifier: Apache-2.0 */
/* explain_json.c: explains an attachment as JSON, which explain_show.c prints for people. */
#include "pod-dnsctl/explain.h"
#include "names.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

static json_t *dns_json(const struct view *v)
{
	const struct resolv *dns = &v->said.dns;

	return json_pack("{s:o, s:o, s:o}", "nameservers", view_texts(&dns->nameservers),
			 "searches", view_texts(&dns->searches), "options",
			 view_texts(&dns->options));
}

/* The entries that this one replaced, which the record joins with blanks. */
static json_t *displaced_json(const struct resolv_entry *entry)
{
	json_t *list = json_array();
	const char *at = entry->displaced ? entry->displaced : "";
	size_t len;

	for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
		len = strcspn(at, " ");
		(void)json_array_append_new(list, json_stringn(at, len));
		at += len;
	}
	return list;
}

static void add_entries(json_t *entries, const struct resolv_list *list, const char *name,
			struct arena *a)
{
	for (size_t i = 0; i < list->n; i++)
		(void)json_array_append_new(
			entries, json_pack("{s:s, s:s, s:s, s:o}", "list", name, "text",
					   list->at[i].text, "from", from_name(a, list->at[i].from),
					   "displaced", displaced_json(&list->at[i])));
}

static json_t *entries_json(const struct view *v)
{
	const struct resolv *dns = &v->said.dns;
	json_t *entries = json_array();
	struct arena a = { 0 };

	if (record_has_dns(&v->said)) {
		add_entries(entries, &dns->searches, "searches", &a);
		add_entries(entries, &dns->nameservers, "nameservers", &a);
		add_entries(entries, &dns->options, "options", &a);
	}
	arena_done(&a);
	return entries;
}

/*** drift ***/

/* The file that was written: the namespace's or the runtime's. Files in a container's root are not
 * looked at. */
static const char *written_file(const struct view *v)
{
	const struct record_target *netns = record_taken(&v->said, TARGET_NETNS);

	return netns ? netns->path : v->file;
}

static bool has_drifted(const struct view *v)
{
	const char *path = written_file(v);
	auto_text now = TEXT_UP_TO(FILE_MAX);

	if (!path || !v->text || (v->late && strcmp(v->late, "pending") == 0))
		return false;
	if (!file_read(&now, AT_FDCWD, path, true, NULL))
		return true;
	return !text_same_lines(now.at ? now.at : "", v->text);
}

json_t *explain_json(const struct view *v)
{
	return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:b}",
			 "resolvConf", view_text(v->text), "dns", dns_json(v), "policy",
			 view_text(v->policy), "state", v->state, "warnings",
			 record_render_member(&v->said, "warnings"), "entries", entries_json(v),
			 "network", v->network, "containerID", v->container_id, "ifname", v->ifname,
			 "pod", v->pod, "targets", record_render_member(&v->said, "targets"),
			 "late", view_text(v->late), "steering",
			 record_render_member(&v->said, "steering"), "drifted",
			 (int)has_drifted(v));
}
