/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h: our table in a namespace: made, kept, mended, removed.
 *
 * A table of ours says in its comment which version made it and a hash of what it is made of. So
 * one that is as it should be is known without reading it, one of an older make is replaced in one
 * transaction, and one of a newer program, or of somebody else, is never touched.
 */
#ifndef POD_DNS_TABLE_H
#define POD_DNS_TABLE_H

#include "steer/rules.h"
#include "warn.h"

/* What more the transaction that makes the table holds: the elements of pods. Asked only then. */
struct table_more {
	size_t (*room)(void *context); /* bytes */
	void (*put)(struct nft *b, void *context);
	void *context;
};

struct table {
	const struct nl *nl; /* open in the namespace */
	struct steering *s;  /* the family's features become those that hold */
	bool v6;
	const struct table_more *more; /* NULL: nothing */
};

/*
 * Makes the tables of a namespace, one for each family, in one transaction; one that is just so
 * already is left. Where the kernel refuses a rule with ENOENT or EOPNOTSUPP, the family goes
 * without the feature that the rule needs. ERR_STEER: nothing has changed.
 */
bool table_install(const struct table *tables, size_t n, struct err *e);

/* Compares rule by rule, sets right what differs, and tells it as a warning; one that is not ours
 * is left, with a warning. ERR_STEER. */
bool table_check(const struct table *t, struct warnings *w, struct err *e);

/* Whether the kernel would take the table: a transaction that is refused at its end. ERR_STEER. */
bool table_try(const struct table *t, struct err *e);

/* Whether there is a table of that name, and whether it is ours. */
bool table_is_there(const struct nl *nl, bool v6, bool *ours, struct err *e);

/* Wakes ours, or makes it dormant: the kernel then runs none of its chains. One that is not there
 * is well. ERR_STEER. */
bool table_switch(const struct nl *nl, bool v6, bool on, struct err *e);

/* Removes ours. One that is not there is well. */
bool table_remove(const struct nl *nl, bool v6, struct err *e);

#endif
