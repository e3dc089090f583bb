/* SPDX-License-Identifier: Apache-2.0 */
/* table_private.h: what table.c and table_make.c share. */
#ifndef POD_DNS_TABLE_PRIVATE_H
#define POD_DNS_TABLE_PRIVATE_H

#include "steer/rules/table.h"

/* How our table's comment begins: "pod-dns 1 HASH: …", where 1 is the version. */
#define TABLE_MAKER "pod-dns "
enum { TABLE_VERSION = 1 };

enum maker { BY_NOBODY, BY_US, BY_A_NEWER, BY_A_STRANGER };

/* A table of a transaction. */
struct table_part {
	const struct table *table;
	enum maker maker; /* of the installed table */
	bool same;	  /* the installed table is as wanted */
};

/* Memory for a transaction, with room for `more` or only for the table. */
struct table_buffer {
	char *memory;
	size_t size;
};
bool table_buffer(struct table_buffer *room, size_t size, struct err *e);
size_t table_size(const struct table *t); /* enough for its messages */
void table_room_free(struct table_buffer *room);
#define auto_table_room __attribute__((cleanup(table_room_free))) struct table_buffer

/* Builds only the table, with its features. The caller ends the batch. */
void table_build(struct nft *b, const struct table_buffer *room, const struct table *t,
		 char comment[static NFT_COMMENT]);

/* Whether the found table is as wanted, with some features; these become t's. */
bool table_matches(const struct table *t, const struct table_buffer *room,
		   const struct nft_table_found *found);

/*
 * Installs, in one transaction, every table that differs. Drops features, by what the kernel
 * refuses, until it accepts. `last` (or NULL) adds messages behind each table.
 */
bool table_install_parts(const struct table_part *parts, size_t n, const char *name,
			 void (*last)(struct nft *b), int *refused, struct err *e);

#endif
