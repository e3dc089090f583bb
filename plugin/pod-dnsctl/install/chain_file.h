/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chain_file.h: chains pod-dns into a network's file, and takes it out.
 *
 * The original of a changed file is kept beside it as NAME.pod-dns-saved; uninstall puts that inode
 * back. A file with one plugin, NAME.conf, becomes NAME.conflist; it is removed, since the runtime
 * would load it first. Each step is one rename, link or unlink: after a kill at any moment the
 * runtime finds the old chain or the new one, and a second run completes the work.
 */
#ifndef POD_DNSCTL_CHAIN_FILE_H
#define POD_DNSCTL_CHAIN_FILE_H

#include "err.h"
#include "text.h"

#include <jansson.h>
#include <limits.h>
#include <sys/stat.h>

struct chain_file {
	char path[PATH_MAX];   /* the file as found */
	char target[PATH_MAX]; /* the file with the chain: path, or its .conflist */
	char saved[PATH_MAX];  /* where the original is kept */
	char first_type[64];   /* the plugin that is called first, or "" */
	struct text old, new;
	struct stat st;	  /* of path as found */
	struct stat made; /* of target, as chain_file_apply() made it */
	bool changed;	  /* `new` differs from what the runtime loads now */
};

#define CHAIN_FILE_NONE \
	((struct chain_file){ .old = TEXT_UP_TO(1 << 24), .new = TEXT_UP_TO(1 << 24) })

/* Reads the file. ERR_IO; a link is refused. */
bool chain_file_open(struct chain_file *c, const char *path, struct err *e);

/* Makes c->new, the chain with `object` at its end. Errors as in chain.h. */
bool chain_file_plan(struct chain_file *c, const json_t *object, struct err *e);

/* Writes c->new. ERR_AGAIN: the file has changed since chain_file_open(), and stays. ERR_IO. */
bool chain_file_apply(struct chain_file *c, struct err *e);

/* Whether the file is still as chain_file_apply() made it. */
bool chain_file_is_current(const struct chain_file *c);

/*
 * Puts back what chain_file_apply() has replaced, and the saved original as it was. ERR_AGAIN: the
 * file has changed since, and stays. ERR_IO.
 */
bool chain_file_revert(const struct chain_file *c, struct err *e);

/*
 * Takes pod-dns out of the file. If the file says what chain_file_apply() wrote, puts the original
 * back; else writes the present text without our object. *changed: pod-dns was in it. If `diff` is
 * given, changes nothing and appends the difference to it.
 */
bool chain_file_undo(struct chain_file *c, bool *changed, struct text *diff, struct err *e);

void chain_file_done(struct chain_file *c);
#define auto_chain_file __attribute__((cleanup(chain_file_done))) struct chain_file

#endif
