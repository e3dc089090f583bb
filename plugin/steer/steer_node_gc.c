/* SPDX-License-Identifier: Apache-2.0 */
/* steer_node_gc.c: removes elements of attachments without a record. */
#include "steer/steer_node.h"
#include "steer/steer_node_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* The elements of a round, which takes the lock: so many cost little time. */
enum { STRAYS = 128 };

struct stale_elements {
	const struct rundir *r;
	const char *network;
	struct arena arena;
	struct rundir_list
		hashed; /* the network's names that end in a hash, once they are needed */
	bool listed;
	struct addr at[STRAYS];
	size_t n;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_hashed(struct stale_elements *s)
{
	struct rundir_list records;

	(void)record_list(&records, s->r, s->network, &s->arena);
	for (size_t i = 0; i < records.n; i++) {
		char name[NFT_COMMENT];

		steer_node_name(name, records.at[i]);
		if (strchr(name, STEER_NODE_HASH_MARK))
			rundir_list_add(&s->hashed, arena_print(&s->arena, "%s", name), &s->arena);
	}
	if (s->hashed.n)
		qsort(s->hashed.at, s->hashed.n, sizeof(*s->hashed.at), compare_names);
	s->listed = true;
}

/* Whether a record of the network gives the name, which ends in a hash; or may, without memory. */
static bool has_record(struct stale_elements *s, const char *name)
{
	if (!s->listed)
		list_hashed(s);
	return !arena_ok(&s->arena) ||
	       (s->hashed.n &&
		bsearch(&name, s->hashed.at, s->hashed.n, sizeof(*s->hashed.at), compare_names));
}

/* Whether the name belongs to this network and to no record. */
static bool is_stray(struct stale_elements *s, const char *name)
{
	const char *mark = strchr(name, STEER_NODE_HASH_MARK);
	size_t len = strlen(s->network), known = mark ? (size_t)(mark - name) : strlen(name);
	char id[NFT_COMMENT + sizeof(".json")];

	if (strncmp(name, s->network, len < known ? len : known) != 0 ||
	    (len < known && name[len] != '/') || (!mark && len >= known))
		return false;
	if (mark)
		return !has_record(s, name);
	(void)snprintf(id, sizeof(id), "%s.json", name);
	return faccessat(s->r->fd, id, F_OK, 0) < 0 && errno == ENOENT;
}

static bool note_stray(const struct nft_element_found *found, void *context)
{
	struct stale_elements *s = context;

	if (is_stray(s, found->comment) && rules_pod_of_key(&s->at[s->n], found))
		s->n++;
	return s->n < LEN(s->at);
}

/* Whether another round may find more. */
static bool collect_round(struct rundir *r, const char *network, bool v6, struct err *e)
{
	struct stale_elements s = { .r = r, .network = network };
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	const struct nl *nl = steer_node_nl(e);
	int refused = 0;
	bool more;

	more = nl && rundir_lock(&held, r, e) &&
	       nft_each_element(nl, v6, RULES_TABLE, RULES_PODS, note_stray, &s, &refused, e) &&
	       steer_node_forget(nl, s.at, s.n, e) && s.n == LEN(s.at);
	if (refused == ENOENT) /* the table is missing */
		err_clear(e);
	arena_done(&s.arena);
	return more;
}

static bool restore_tables(struct rundir *r, struct warnings *w, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, r, e))
		return false;
	steer_node_restore(&held, w);
	return true;
}

void steer_node_collect(struct rundir *r, const char *network, struct warnings *w)
{
	struct err e = { 0 };

	if (!restore_tables(r, w, &e))
		warn(w, "steer", "%s", e.text);
	for (int v6 = 0; v6 < 2 && !e.code; v6++) {
		while (collect_round(r, network, v6, &e))
			;
		if (e.code)
			warn(w, "steer", "%s", e.text);
	}
}
