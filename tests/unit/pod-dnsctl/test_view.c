/* SPDX-License-Identifier: Apache-2.0 */
/* Which records an ID or a pod's name means, among those of this node. */
#include "rows.h"
#include "state/record.h"
#include "text.h"

#include <string.h>

/* Those of the node, by their paths. */
static const struct {
	const char *path, *id, *pod;
	enum record_found found;
} records[] = {
	{ "a", "c1", "web", RECORD_KNOWN },   { "b", "c10", "db", RECORD_KNOWN },
	{ "c", "c10", "db", RECORD_KNOWN },   { "d", "d5", "web", RECORD_KNOWN },
	{ "e", NULL, NULL, RECORD_DAMAGED },  { "f", NULL, NULL, RECORD_NONE },
	{ "g", "e7", "cache", RECORD_KNOWN },
};

static bool list_records(struct rundir_list *out, const struct rundir *r UNUSED,
			 const char *network UNUSED, struct arena *a)
{
	*out = (struct rundir_list){ 0 };
	for (size_t i = 0; i < LEN(records); i++)
		rundir_list_add(out, records[i].path, a);
	return true;
}

static enum record_found read_record(struct record *out, const struct rundir *r UNUSED,
				     const char *path)
{
	size_t i = (size_t)(*path - 'a');

	*out = RECORD_BLANK;
	if (records[i].found == RECORD_KNOWN) {
		out->at.container_id = records[i].id;
		out->pod.namespace = "shop";
		out->pod.name = records[i].pod;
	}
	return records[i].found;
}

#define record_list list_records
#define record_read read_record
#include "pod-dnsctl/inventory/view.c"

static const struct row {
	const char *name, *which;   /* NULL: every record */
	const char *chosen, *error; /* paths; NULL: it fails with that text */
} rows[] = {
	{ "every record that can be read", NULL, "abcdg", NULL },
	{ "an ID", "e7", "g", NULL },
	{ "the begin of an ID", "e", "g", NULL },
	{ "the begin of one that has two attachments", "c10", "bc", NULL },
	{ "an ID with which another begins", "c1", "a", NULL },
	{ "the begin of several", "c", NULL, "c: more than one pod is called so" },
	{ "a pod", "shop/cache", "g", NULL },
	{ "a pod of two sandboxes", "shop/web", "ad", NULL },
	{ "a pod that is not here", "shop/x", NULL, "shop/x: this node has no record of it" },
	{ "no word", "", NULL, ": this node has no record of it" },
};

static void chooses(void **state)
{
	const struct row *row = *state;
	static const struct rundir run = { .fd = -1 };
	auto_text chosen = TEXT_UP_TO(64);
	auto_views all = { .run = NULL };
	struct view_choice choice;
	struct err e = { 0 };
	const struct view *v;

	assert_int_equal(view_choose(&choice, row->which, &run, &e), row->chosen != NULL);
	if (!row->chosen) {
		assert_non_null(strstr(e.text, row->error));
		return;
	}
	views_begin(&all, &run);
	while ((v = views_next(&all)))
		if (view_is_chosen(v, &choice))
			text_print(&chosen, "%s", v->path);
	assert_string_equal(chosen.at, row->chosen);
}

int main(void)
{
	return RUN_ROWS("view", rows, chooses);
}
