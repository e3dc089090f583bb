/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chained.h: one network's file, with pod-dns or without, and the runtime that loads it.
 *
 * Beside a file that was changed lies what it was, NAME.pod-dns-saved (the same inode: uninstall
 * gives back that very file). A network of one plugin, NAME.conf, which comes before NAME.conflist
 * by name, becomes NAME.conflist. Each step is one rename, link or unlink: whatever moment a kill
 * comes at, the runtime finds the old chain or the new one, and a second run ends the work.
 */
#ifndef POD_DNSCTL_CHAINED_H
#define POD_DNSCTL_CHAINED_H

#include "pod-dnsctl/ctl.h"
#include "pod-dnsctl/netdir.h"
#include "text.h"

#include <jansson.h>
#include <sys/stat.h>

struct chained {
	char path[PATH_MAX];   /* the file as found */
	char target[PATH_MAX]; /* where the chain goes: path, or its .conflist */
	char saved[PATH_MAX];  /* where path's file is kept */
	char first_type[64];   /* the plugin that is called first, or "" */
	struct text old, new;
	struct stat st;
	bool changed; /* new is not yet what the runtime would load */
};

#define CHAINED_NONE ((struct chained){ .old = TEXT_UP_TO(1 << 24), .new = TEXT_UP_TO(1 << 24) })

/* Reads the file. ERR_IO; a link is refused. */
bool chained_open(struct chained *c, const char *path, struct err *e);

/* Makes c->new: with `object` as the last of the chain. Errors are those of chain.h. */
bool chained_plan(struct chained *c, const json_t *object, struct err *e);

/* Makes it so on disk. ERR_IO. */
bool chained_apply(struct chained *c, struct err *e);

/*
 * Takes pod-dns out of the file again: puts back the very file that was saved, if the present one
 * is what chained_apply() made of it; else writes the present text without our object. *changed
 * is false where the file has none. The diff of a dry run goes to `diff`, and nothing is done.
 */
bool chained_undo(struct chained *c, bool *changed, struct text *diff, struct err *e);

void chained_done(struct chained *c);

static inline void done_auto_chained(struct chained *c)
{
	chained_done(c);
}
#define auto_chained __attribute__((cleanup(done_auto_chained))) struct chained

/* The folders of the node's runtime, as the options conf-dir, bin-dir and cri-socket say. The
 * folder of `conflist`, where it is given, is the one that counts. */
void chained_dirs(struct ctl *ctl, struct netdir *dirs, const char *conflist);

/*
 * Waits until the runtime has loaded a chain with us (or without), half a minute at most. What
 * cannot be seen is said, and is no failure. False: it was seen not to.
 */
bool chained_wait(struct ctl *ctl, const struct netdir *dirs, bool with_us);

/* The path of `name` beside this program. ERR_IO. */
bool chained_own_program(char out[static PATH_MAX], const char *name, struct err *e);

#endif
