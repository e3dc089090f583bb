/* SPDX-License-Identifier: Apache-2.0 */
/* table_private.h: what the parts of table.c share. */
#ifndef POD_DNS_TABLE_PRIVATE_H
#define POD_DNS_TABLE_PRIVATE_H

#include "steer/table.h"

/* A table's comment begins with who made it and which version: "pod-dns 1 HASH: …". */
#define TABLE_MAKER "pod-dns "
enum { TABLE_VERSION = 1 };

enum maker { BY_NOBODY, BY_US, BY_A_NEWER, BY_A_STRANGER };

/* A table on its way into a transaction. */
struct table_part {
	const struct table *table;
	enum maker maker; /* of the one that is there */
	bool same;	  /* that one is just so */
};

/* Memory for a transaction, with room for `more` or only for the table. */
struct table_room {
	char *memory;
	size_t size;
};
bool table_room(struct table_room *room, size_t size, struct err *e);
void table_room_free(struct table_room *room);
#define auto_table_room __attribute__((cleanup(table_room_free))) struct table_room

/* Puts the table alone, with its features; the batch is not ended. */
void table_build(struct nft *b, const struct table_room *room, const struct table *t,
		 char comment[static NFT_COMMENT]);

/* Whether the table found is just so, with some features, which become t's. */
bool table_is_so(const struct table *t, const struct table_room *room,
		 const struct nft_table_found *found);

/*
 * Installs, in one transaction, every table that differs. Drops features one by one, by what the
 * kernel refuses, until it accepts. `last` puts something behind each table, or is NULL.
 */
bool table_install_parts(const struct table_part *parts, size_t n, const char *name,
			 void (*last)(struct nft *b), int *refused, struct err *e);

#endif
