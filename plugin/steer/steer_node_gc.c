/* SPDX-License-Identifier: Apache-2.0 */
/* steer_node_gc.c: removes elements whose attachment has no record. */
#include "steer/steer_node.h"
#include "steer/steer_node_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

struct stale_elements {
	const struct rundir *r;
	const char *network;
	struct addr at[512];
	size_t n;
};

/* Whether a record of the network gives the name, which ends in a hash. */
static bool has_record(const struct stale_elements *s, const char *name)
{
	struct arena a = { 0 };
	struct rundir_list records;
	bool found = false;

	(void)record_list(&records, s->r, s->network, &a);
	for (size_t i = 0; i < records.n && !found; i++) {
		char own[NFT_COMMENT];

		steer_node_name(own, records.at[i]);
		found = strcmp(own, name) == 0;
	}
	arena_done(&a);
	return found;
}

/* Whether the name belongs to this network and has no record. */
static bool is_stray(const struct stale_elements *s, const char *name)
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

/* In rounds of as many as the list holds. */
static bool collect_family(const struct nl *nl, struct stale_elements *s, bool v6, struct err *e)
{
	int refused = 0;

	do {
		struct err fault = { 0 };

		s->n = 0;
		if (!nft_each_element(nl, v6, RULES_TABLE, RULES_PODS, note_stray, s, &refused,
				      &fault)) {
			return refused == ENOENT || err_move(e, &fault);
		}
		for (size_t i = 0; i < s->n; i++)
			if (!steer_node_element_delete(nl, &s->at[i], e))
				return false;
	} while (s->n == LEN(s->at));
	return true;
}

void steer_node_collect(const struct rundir_lock *held, const char *network, struct warnings *w)
{
	static struct stale_elements s; /* large */
	auto_nl nl = NL_CLOSED;
	struct err e = { 0 };

	s = (struct stale_elements){ .r = held->run, .network = network };
	claim_tidy(held, STEER_NODE_CLAIMS);
	if (!nl_open_in(&nl, -1, &e))
		return;
	steer_node_restore(held, w);
	for (int v6 = 0; v6 < 2; v6++)
		if (!collect_family(&nl, &s, v6, &e))
			warn(w, "steer", "%s", e.text);
}
