/* SPDX-License-Identifier: Apache-2.0 */
/* table.c: installs, checks, switches and removes our table in a namespace. */
#include "steer/rules/table_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*** who made it ***/

static enum maker maker_of(const char *comment)
{
	char *end;
	unsigned long version;

	if (strncmp(comment, TABLE_MAKER, strlen(TABLE_MAKER)) != 0)
		return BY_A_STRANGER;
	version = strtoul(comment + strlen(TABLE_MAKER), &end, 10);
	if (end == comment + strlen(TABLE_MAKER) || *end != ' ')
		return BY_A_STRANGER;
	return version > TABLE_VERSION ? BY_A_NEWER : BY_US;
}

static bool find_table(const struct nl *nl, bool v6, struct nft_table_found *found,
		       enum maker *maker, struct err *e)
{
	struct err fault = { 0 };
	int refused = 0;

	*maker = BY_NOBODY;
	if (nft_find_table(nl, v6, RULES_TABLE, found, &refused, &fault)) {
		*maker = found->owned ? BY_A_STRANGER : maker_of(found->comment);
		return true;
	}
	if (refused == ENOENT)
		return true;
	return err_move(e, &fault);
}

static bool not_ours(bool v6, enum maker maker, struct err *e)
{
	return err_set(e, ERR_STEER, "table %s %s: made by %s: left as it is", v6 ? "ip6" : "ip",
		       RULES_TABLE, maker == BY_A_NEWER ? "a newer pod-dns" : "somebody else");
}

/* Finds the installed table's maker, and whether it is as wanted; its features become t's. */
static bool look_at_table(struct table_part *part, struct err *e)
{
	const struct table *t = part->table;
	struct nft_table_found found;
	auto_table_room room = { 0 };

	if (!find_table(t->nl, t->v6, &found, &part->maker, e))
		return false;
	if (part->maker == BY_A_NEWER || part->maker == BY_A_STRANGER)
		return not_ours(t->v6, part->maker, e);
	if (part->maker != BY_US)
		return true;
	if (!table_buffer(&room, table_size(t), e))
		return false;
	part->same = table_matches(t, &room, &found);
	return true;
}

bool table_is_as_wanted(const struct table *t)
{
	struct table_part part = { .table = t };

	return look_at_table(&part, NULL) && part.same;
}

bool table_install(const struct table *tables, size_t n, struct err *e)
{
	struct table_part parts[2];
	bool all_same = true;
	int refused = 0;

	for (size_t i = 0; i < n; i++) {
		parts[i] = (struct table_part){ .table = &tables[i] };
		if (!look_at_table(&parts[i], e))
			return false;
		all_same = all_same && parts[i].same;
	}
	return all_same || table_install_parts(parts, n, RULES_TABLE, NULL, &refused, e);
}

bool table_install_new(const struct table *tables, size_t n, struct err *e)
{
	struct table_part parts[2];
	int refused = 0;

	for (size_t i = 0; i < n; i++)
		parts[i] = (struct table_part){ .table = &tables[i] };
	return table_install_parts(parts, n, RULES_TABLE, NULL, &refused, NULL) ||
	       table_install(tables, n, e);
}

/* Names what differs between the table that was found and the wanted one, or "". */
static bool compare_table(const struct table *t, const struct nft_table_found *found,
			  char difference[static NFT_DIFFERENCE], struct err *e)
{
	char comment[NFT_COMMENT];
	auto_table_room room = { 0 };
	struct nft b;

	if (!table_buffer(&room, table_size(t), e))
		return false;
	if (!table_matches(t, &room, found)) {
		(void)snprintf(difference, NFT_DIFFERENCE, "table \"%s\" was made with other rules",
			       RULES_TABLE);
		return true;
	}
	table_build(&b, &room, t, comment);
	return nft_end(&b, e) && nft_is_whole(t->nl, &b, found->n, difference, e);
}

/* Makes the table anew if it differs. `difference` names the difference, or is "". */
static bool repair_table(const struct table *t, char difference[static NFT_DIFFERENCE],
			 bool *skipped, struct err *e)
{
	struct table_part part = { .table = t };
	struct nft_table_found found;
	int refused = 0;

	*skipped = false;
	difference[0] = '\0';
	if (!find_table(t->nl, t->v6, &found, &part.maker, e))
		return false;
	if (part.maker == BY_A_NEWER || part.maker == BY_A_STRANGER) {
		*skipped = true;
		return not_ours(t->v6, part.maker, e);
	}
	if (part.maker == BY_NOBODY)
		(void)snprintf(difference, NFT_DIFFERENCE, "table %s %s is missing",
			       t->v6 ? "ip6" : "ip", RULES_TABLE);
	else if (!compare_table(t, &found, difference, e))
		return false;
	return !*difference || table_install_parts(&part, 1, RULES_TABLE, NULL, &refused, e);
}

/* Adds the table again, exclusively, which no kernel accepts. */
static void refuse_commit(struct nft *b)
{
	nft_table(b, "");
}

/* The refused transaction commits nothing, so that it does not interrupt others' dumps. */
bool table_dry_run(const struct table *t, struct err *e)
{
	struct table_part part = { .table = t };
	int refused = 0;

	if (!table_install_parts(&part, 1, RULES_TABLE "-try", refuse_commit, &refused, e) &&
	    refused != EEXIST)
		return false;
	err_clear(e);
	return true;
}

bool table_is_there(const struct nl *nl, bool v6, bool *ours, struct err *e)
{
	struct nft_table_found found;
	enum maker maker = BY_NOBODY;
	bool asked = find_table(nl, v6, &found, &maker, e);

	*ours = maker == BY_US;
	return asked && maker != BY_NOBODY;
}

bool table_switch(const struct nl *nl, bool v6, bool on, struct err *e)
{
	struct nft_table_found found;
	char memory[512];
	enum maker maker;
	struct nft b;
	int refused = 0;

	if (!find_table(nl, v6, &found, &maker, e))
		return false;
	if (maker != BY_US || found.dormant == !on)
		return true;
	nft_begin(&b, memory, sizeof(memory), v6, RULES_TABLE);
	nft_table_dormant(&b, !on);
	return nft_end(&b, e) && nl_send(nl, &b.batch, &refused, e);
}

bool table_remove(const struct nl *nl, bool v6, struct err *e)
{
	struct nft_table_found found;
	char memory[512];
	enum maker maker;
	struct nft b;
	int refused = 0;
	struct err fault = { 0 };

	if (!find_table(nl, v6, &found, &maker, e))
		return false;
	if (maker != BY_US) /* a newer program's, another program's, or missing */
		return true;
	nft_begin(&b, memory, sizeof(memory), v6, RULES_TABLE);
	nft_delete_table(&b);
	if ((nft_end(&b, &fault) && nl_send(nl, &b.batch, &refused, &fault)) || refused == ENOENT)
		return true;
	return err_move(e, &fault);
}

/* CHECK does not fail because of another program's table. */
bool table_check(const struct table *t, struct warnings *w, struct err *e)
{
	char difference[NFT_DIFFERENCE];
	bool skipped;

	if (!repair_table(t, difference, &skipped, e)) {
		if (!skipped)
			return false;
		warn(w, "steer", "steer: %s", e->text);
		err_clear(e);
	}
	if (*difference)
		warn(w, "restored", "steer: %s: repaired", difference);
	return true;
}
