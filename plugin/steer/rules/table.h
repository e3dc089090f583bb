/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h: installs, checks, switches and removes our table in a namespace.
 *
 * Our table's comment holds the version that made it and a hash of its content. So a table that is
 * as wanted is recognised without reading its rules, one of an older version is replaced in one
 * transaction, and one of a newer version or of another program is never touched.
 */
#ifndef POD_DNS_TABLE_H
#define POD_DNS_TABLE_H

#include "steer/rules/rules.h"
#include "warn.h"

/* More messages for the transaction that makes the table. Called only if it is made. */
struct table_more {
	size_t (*room)(void *context); /* bytes */
	void (*put)(struct nft *b, void *context);
	void *context;
};

struct table {
	const struct nl *nl; /* open in the namespace */
	struct steering *s;  /* the family's features become those of the kernel */
	bool v6;
	const struct table_more *more; /* NULL: nothing */
};

/*
 * Installs the tables of a namespace, one a family, in one transaction. A table that is as wanted
 * stays. If the kernel refuses a rule with ENOENT or EOPNOTSUPP, the family does without the
 * feature that the rule needs. ERR_STEER: nothing has changed.
 */
bool table_install(const struct table *tables, size_t n, struct err *e);

/* The same for a namespace that most likely does not have the table: asks what is there only after
 * a refusal. */
bool table_install_new(const struct table *tables, size_t n, struct err *e);

/* Makes a table anew that is missing, was made with other rules, or has more or fewer parts than
 * the wanted one: with a warning. A table of another maker stays, with a warning. ERR_STEER. */
bool table_check(const struct table *t, struct warnings *w, struct err *e);

/* Whether our table is installed and its comment says that it is as wanted. */
bool table_is_as_wanted(const struct table *t);

/* Whether the kernel would take the table, by a transaction with an end that it refuses. ERR_STEER.
 */
bool table_dry_run(const struct table *t, struct err *e);

/* Whether there is a table of that name, and whether it is ours. */
bool table_is_there(const struct nl *nl, bool v6, bool *ours, struct err *e);

/* Wakes our table, or makes it dormant: then the kernel runs none of its chains. It may be missing.
 * ERR_STEER. */
bool table_switch(const struct nl *nl, bool v6, bool on, struct err *e);

/* Removes our table. It may be missing. */
bool table_remove(const struct nl *nl, bool v6, struct err *e);

#endif
