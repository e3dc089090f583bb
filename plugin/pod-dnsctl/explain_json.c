/* explain_json.c: an attachment, explained, as JSON: explain.c prints it, explain_show.c reads it.
 */
#include "pod-dnsctl/explain.h"
#include "resolv.h"
#include "text.h"

#include <fcntl.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

static json_t *or_null(json_t *value)
{
	return value ? json_incref(value) : json_null();
}

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *dns_json(const struct view *v)
{
	return json_pack("{s:o, s:o, s:o}", "nameservers", view_texts(v, "nameservers"), "searches",
			 view_texts(v, "searches"), "options", view_texts(v, "options"));
}

/*** what an entry took the place of ***/

static bool is_cluster_first(const struct view *v)
{
	return v->policy && strncmp(v->policy, "ClusterFirst", strlen("ClusterFirst")) == 0;
}

static bool same_option(const char *a, const char *b)
{
	size_t len = strcspn(a, ":");

	return len == strcspn(b, ":") && strncmp(a, b, len) == 0;
}

static void add_displaced(json_t *list, const char *option, const char *by)
{
	json_t *known;
	size_t i;

	if (!same_option(option, by) || strcmp(option, by) == 0)
		return;
	json_array_foreach (list, i, known)
		if (strcmp(json_string_value(known), option) == 0)
			return;
	(void)json_array_append_new(list, json_string(option));
}

/* Options of the same name: the policy's own, and those of the file that the runtime had made. */
static json_t *displaced(const struct view *v, const char *option)
{
	auto_mem char *copy = v->runtime_text ? strdup(v->runtime_text) : NULL;
	json_t *list = json_array();
	static struct resolv r;

	if (is_cluster_first(v))
		add_displaced(list, "ndots:5", option);
	if (!copy)
		return list;
	(void)resolv_parse(&r, copy, strlen(copy), RESOLV_VERBATIM, 0);
	for (size_t i = 0; i < r.options.n; i++)
		if (text_is_word(r.options.at[i].text))
			add_displaced(list, r.options.at[i].text, option);
	return list;
}

static void add_entries(json_t *entries, const struct view *v, const char *name)
{
	const json_t *list = json_object_get(json_object_get(v->record, "dns"), name), *entry;
	bool options = strcmp(name, "options") == 0;
	size_t i;

	json_array_foreach (list, i, entry) {
		const char *text = json_string_value(json_object_get(entry, "text"));
		const char *from = json_string_value(json_object_get(entry, "from"));

		if (text)
			(void)json_array_append_new(
				entries, json_pack("{s:s, s:s, s:s, s:o}", "list", name, "text",
						   text, "from", from ? from : "", "displaced",
						   options ? displaced(v, text) : json_array()));
	}
}

static json_t *entries_json(const struct view *v)
{
	json_t *entries = json_array();

	add_entries(entries, v, "searches");
	add_entries(entries, v, "nameservers");
	add_entries(entries, v, "options");
	return entries;
}

/*** drift ***/

/* The file that was written and can be looked at: the runtime's, or the one for the namespace. A
 * container's own root is not opened. */
static const char *written_file(const struct view *v)
{
	const json_t *target;
	size_t i;

	json_array_foreach (json_object_get(v->record, "targets"), i, target) {
		const char *kind = json_string_value(json_object_get(target, "kind"));

		if (json_is_true(json_object_get(target, "taken")) && kind &&
		    strcmp(kind, "netns") == 0)
			return json_string_value(json_object_get(target, "path"));
	}
	return v->file;
}

static bool has_drifted(const struct view *v)
{
	const char *path = written_file(v);
	auto_text now = TEXT_UP_TO(FILE_MAX);
	struct err ignored = { 0 };

	if (!path || !v->text || (v->late && strcmp(v->late, "pending") == 0))
		return false;
	if (!file_read(&now, AT_FDCWD, path, true, &ignored))
		return true;
	return !text_same_lines(now.at ? now.at : "", v->text);
}

json_t *explain_json(const struct view *v)
{
	const json_t *record = v->record;

	return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:b}",
			 "resolvConf", text_or_null(v->text), "dns", dns_json(v), "policy",
			 text_or_null(v->policy), "state", v->state, "warnings",
			 or_null(json_object_get(record, "warnings")), "entries", entries_json(v),
			 "network", v->network, "containerID", v->container_id, "ifname", v->ifname,
			 "pod", v->pod, "targets", or_null(json_object_get(record, "targets")),
			 "late", text_or_null(v->late), "steering",
			 or_null(json_object_get(record, "steering")), "drifted",
			 (int)has_drifted(v));
}
