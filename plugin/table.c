/* table.c: our table in a namespace: made, kept, mended, removed. */
#include "table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TABLE_VERSION = 1 };

#define MAKER "pod-dns "

/*** whose it is ***/

enum maker { NOBODY, OURS, NEWER, FOREIGN };

static enum maker maker_of(const char *comment)
{
	char *end;
	unsigned long version;

	if (strncmp(comment, MAKER, strlen(MAKER)) != 0)
		return FOREIGN;
	version = strtoul(comment + strlen(MAKER), &end, 10);
	if (end == comment + strlen(MAKER) || *end != ' ')
		return FOREIGN;
	return version > TABLE_VERSION ? NEWER : OURS;
}

static bool find(const struct nl *nl, bool v6, struct nft_table_found *found, enum maker *maker,
		 struct err *e)
{
	struct err fault = { 0 };
	int refused = 0;

	*maker = NOBODY;
	if (nft_find_table(nl, v6, RULES_TABLE, found, &refused, &fault)) {
		*maker = maker_of(found->comment);
		return true;
	}
	if (refused == ENOENT)
		return true;
	*e = fault;
	return false;
}

static bool not_ours(bool v6, enum maker maker, struct err *e)
{
	return err_set(e, ERR_STEER, "table %s %s: made by %s: left as it is", v6 ? "ip6" : "ip",
		       RULES_TABLE, maker == NEWER ? "a newer pod-dns" : "somebody else");
}

/*** the transaction ***/

/* Memory for a transaction, with room for `more` or only for the table. */
struct room {
	char *memory;
	size_t size;
};

static void free_room(struct room *room)
{
	free(room->memory);
}
#define auto_room __attribute__((cleanup(free_room))) struct room

static bool make_room(struct room *room, const struct table *t, bool more, struct err *e)
{
	room->size = RULES_MEMORY + (more && t->more ? t->more->room(t->more->context) : 0);
	room->memory = malloc(room->size);
	return room->memory || err_set(e, ERR_STEER, "out of memory");
}

/* Two passes: the comment holds the hash of all the rest. The caller ends the batch. */
static void build(struct nft *b, const struct room *room, const struct table *t, const char *name,
		  bool replace, char comment[static NFT_COMMENT])
{
	uint64_t hash = 0;

	for (int pass = 0; pass < 2; pass++) {
		(void)snprintf(comment, NFT_COMMENT,
			       MAKER "%d %016" PRIx64 ": steers DNS to the node's cache",
			       TABLE_VERSION, hash);
		nft_begin(b, room->memory, room->size, t->v6, name);
		if (replace && pass) /* the hash is of what will be there */
			nft_delete_table(b);
		rules_table(b, t->s, comment);
		hash = nft_hash(b);
	}
}

/* What the kernel says of an expression whose module it has not. */
static bool leads_down(int refused)
{
	return refused == ENOENT || refused == EOPNOTSUPP;
}

/* The family's next lower rung; false: there is none. */
static bool step_down(const struct table *t)
{
	const struct steering *s = t->s;
	struct rung *rung = &t->s->rung[t->v6];

	if (s->mode != STEER_DNAT && s->fail_open && rung->dup)
		rung->dup = false;
	else if (s->mode == STEER_NODE && rung->socket)
		rung->socket = false;
	else
		return false;
	return true;
}

/* Whether the table that is there has the comment that a rung would give it: that rung holds. */
static bool is_so(const struct table *t, const struct room *room,
		  const struct nft_table_found *found)
{
	do {
		char comment[NFT_COMMENT];
		struct nft b;

		build(&b, room, t, RULES_TABLE, false, comment);
		if (strcmp(comment, found->comment) == 0)
			return true;
	} while (step_down(t));
	return false;
}

/* What the kernel says of the transaction, on the first rung from the top that it knows. */
static bool climb(const struct table *t, const char *name, bool replace,
		  void (*last)(struct nft *b), int *refused, struct err *e)
{
	auto_room room = { 0 };

	t->s->rung[t->v6] = RUNG_TOP;
	if (!make_room(&room, t, true, e))
		return false;
	do {
		char comment[NFT_COMMENT];
		struct nft b;

		err_clear(e);
		build(&b, &room, t, name, replace, comment);
		if (t->more)
			t->more->put(&b, t->more->context);
		if (last)
			last(&b);
		if (!nft_end(&b, e))
			return false;
		if (nl_send(t->nl, &b.batch, refused, e))
			return true;
	} while (leads_down(*refused) && step_down(t));
	return false;
}

static bool make(const struct table *t, bool replace, struct err *e)
{
	int refused = 0;

	return climb(t, RULES_TABLE, replace, NULL, &refused, e);
}

/* Who made the table that is there; *same: it is just so, on a rung that t's steering has now. */
static bool look(const struct table *t, enum maker *maker, bool *same, struct err *e)
{
	struct nft_table_found found;
	auto_room room = { 0 };

	*same = false;
	if (!find(t->nl, t->v6, &found, maker, e))
		return false;
	if (*maker == NEWER || *maker == FOREIGN)
		return not_ours(t->v6, *maker, e);
	if (*maker != OURS)
		return true;
	if (!make_room(&room, t, false, e))
		return false;
	*same = is_so(t, &room, &found);
	return true;
}

bool table_install(const struct table *t, struct err *e)
{
	enum maker maker;
	bool same;

	return look(t, &maker, &same, e) && (same || make(t, maker == OURS, e));
}

static bool compare(const struct table *t, char difference[static RULES_DIFFERENCE], struct err *e)
{
	char comment[NFT_COMMENT];
	auto_room room = { 0 };
	int refused = 0;
	struct nft b;

	if (!make_room(&room, t, false, e))
		return false;
	build(&b, &room, t, RULES_TABLE, false, comment);
	return nft_end(&b, e) && rules_compare(t->nl, &b, difference, &refused, e);
}

/* What differs is told in `difference`, "" where nothing does, and set right. */
static bool mend(const struct table *t, char difference[static RULES_DIFFERENCE], struct err *e)
{
	struct nft_table_found found;
	enum maker maker;

	difference[0] = '\0';
	if (!find(t->nl, t->v6, &found, &maker, e))
		return false;
	if (maker == NEWER || maker == FOREIGN)
		return not_ours(t->v6, maker, e);
	if (maker == NOBODY)
		(void)snprintf(difference, RULES_DIFFERENCE, "table %s %s is missing",
			       t->v6 ? "ip6" : "ip", RULES_TABLE);
	else if (!compare(t, difference, e))
		return false;
	return !*difference || make(t, maker == OURS, e);
}

/* What no kernel takes: the table once more. */
static void spoil(struct nft *b)
{
	nft_table(b, "");
}

/* Nothing is committed: a dump of somebody else's tables is not disturbed every few seconds. */
bool table_try(const struct table *t, struct err *e)
{
	int refused = 0;

	if (!climb(t, RULES_TABLE "-try", false, spoil, &refused, e) && refused != EEXIST)
		return false;
	err_clear(e);
	return true;
}

bool table_is_there(const struct nl *nl, bool v6, bool *ours, struct err *e)
{
	struct nft_table_found found;
	enum maker maker = NOBODY;
	bool asked = find(nl, v6, &found, &maker, e);

	*ours = maker == OURS;
	return asked && maker != NOBODY;
}

bool table_remove(const struct nl *nl, bool v6, struct err *e)
{
	struct nft_table_found found;
	char memory[512];
	enum maker maker;
	struct nft b;
	int refused = 0;
	struct err fault = { 0 };

	if (!find(nl, v6, &found, &maker, e))
		return false;
	if (maker != OURS) /* a newer program's, somebody else's, or none */
		return true;
	nft_begin(&b, memory, sizeof(memory), v6, RULES_TABLE);
	nft_delete_table(&b);
	if ((nft_end(&b, &fault) && nl_send(nl, &b.batch, &refused, &fault)) || refused == ENOENT)
		return true;
	*e = fault;
	return false;
}

bool table_check(const struct table *t, struct warnings *w, struct err *e)
{
	char difference[RULES_DIFFERENCE];

	if (!mend(t, difference, e))
		return false;
	if (*difference)
		warn(w, "restored", "steer: %s: set right", difference);
	return true;
}
