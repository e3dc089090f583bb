/* SPDX-License-Identifier: Apache-2.0 */
/* table_make.c: sends tables to the kernel in one transaction, dropping features it lacks. */
#include "steer/rules/table_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void table_room_free(struct table_buffer *room)
{
	free(room->memory);
}

bool table_buffer(struct table_buffer *room, size_t size, struct err *e)
{
	room->size = size;
	room->memory = malloc(size);
	return room->memory || err_set(e, ERR_STEER, "out of memory");
}

size_t table_size(const struct table *t)
{
	size_t pairs = 0;

	for (size_t i = 0; i < t->s->n; i++)
		pairs += steering_is_of(&t->s->at[i], t->v6);
	return pairs * RULES_PAIR_MEMORY;
}

static void print_comment(char out[static NFT_COMMENT], uint64_t hash)
{
	(void)snprintf(out, NFT_COMMENT,
		       TABLE_MAKER "%d %016" PRIx64 ": steers DNS to the node's cache",
		       TABLE_VERSION, hash);
}

/* The table's comment holds the hash of what is built behind it. */
static void build(struct nft *b, const struct table *t, const char *name, bool replace,
		  char comment[static NFT_COMMENT])
{
	print_comment(comment, 0);
	nft_begin_table(b, t->v6, name);
	if (replace)
		nft_delete_table(b);
	rules_table(b, t->s, comment);
	print_comment(comment, nft_hash(b));
	nft_table_comment(b, comment);
}

void table_build(struct nft *b, const struct table_buffer *room, const struct table *t,
		 char comment[static NFT_COMMENT])
{
	nft_begin(b, room->memory, room->size, t->v6, RULES_TABLE);
	build(b, t, RULES_TABLE, false, comment);
}

/* Whether the kernel lacks the module of an expression. */
static bool is_missing(int refused)
{
	return refused == ENOENT || refused == EOPNOTSUPP;
}

/* Drops the feature that the refused rule needs; false: it needs none that is optional. */
static bool drop_feature(const struct table *t, const struct nft *b, uint32_t seq)
{
	struct features *features = &t->s->features[t->v6];

	if (features->dup && nft_uses(b, seq, "dup"))
		features->dup = false;
	else if (features->socket && nft_uses(b, seq, "socket"))
		features->socket = false;
	else
		return false;
	return true;
}

bool table_matches(const struct table *t, const struct table_buffer *room,
		   const struct nft_table_found *found)
{
	static const struct features kernels[] = {
		{ true, true }, { false, true }, { true, false }, { false, false }
	};

	for (size_t i = 0; i < LEN(kernels); i++) {
		char comment[NFT_COMMENT];
		struct nft b;

		t->s->features[t->v6] = kernels[i];
		table_build(&b, room, t, comment);
		if (strcmp(comment, found->comment) == 0)
			return true;
	}
	return false;
}

static size_t room_for(const struct table_part *parts, size_t n)
{
	size_t size = 1; /* never 0 */

	for (size_t i = 0; i < n; i++) {
		const struct table_more *more = parts[i].table->more;

		size += table_size(parts[i].table) + (more ? more->room(more->context) : 0);
	}
	return size;
}

static void put_table(struct nft *b, const struct table_part *part, const char *name,
		      void (*last)(struct nft *b))
{
	const struct table_more *more = part->table->more;
	char comment[NFT_COMMENT];

	build(b, part->table, name, part->maker == BY_US, comment);
	if (more)
		more->put(b, more->context);
	if (last)
		last(b);
}

/* The table of the message that was refused. */
static const struct table *refused_table(const struct table_part *parts, size_t n,
					 const struct nft *b, uint32_t seq)
{
	for (size_t i = 0; i < n; i++)
		if (!parts[i].same && parts[i].table->v6 == nft_is_v6(b, seq))
			return parts[i].table;
	return NULL;
}

bool table_install_parts(const struct table_part *parts, size_t n, const char *name,
			 void (*last)(struct nft *b), int *refused, struct err *e)
{
	const struct table *refusing;
	auto_table_room room = { 0 };
	uint32_t seq;

	for (size_t i = 0; i < n; i++)
		if (!parts[i].same)
			parts[i].table->s->features[parts[i].table->v6] = FEATURES_ALL;
	if (!table_buffer(&room, room_for(parts, n), e))
		return false;
	do {
		struct nft b;

		err_clear(e);
		nft_begin(&b, room.memory, room.size, false, name);
		for (size_t i = 0; i < n; i++)
			if (!parts[i].same)
				put_table(&b, &parts[i], name, last);
		if (!nft_end(&b, e))
			return false;
		if (nl_send_told(parts->table->nl, &b.batch, refused, &seq, e))
			return true;
		refusing = refused_table(parts, n, &b, seq);
		if (!is_missing(*refused) || !refusing || !drop_feature(refusing, &b, seq))
			return false;
	} while (true);
}
