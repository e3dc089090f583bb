/* SPDX-License-Identifier: Apache-2.0 */
/* chain_file.c: chains pod-dns into a network's file, and takes it out. */
#include "pod-dnsctl/install/chain_file.h"
#include "pod-dnsctl/install/chain.h"
#include "pod-dnsctl/install/file_durable.h"
#include "config/netdir.h"
#include "diff.h"
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/*** reading ***/

static bool is_list(const struct chain_file *c)
{
	return text_ends_with(c->path, ".conflist");
}

/* Fills the file names for `path`. */
static bool name_files(struct chain_file *c, const char *path, struct err *e)
{
	const char *dot = strrchr(path, '.');
	int len = text_ends_with(path, ".conflist") || !dot ? (int)strlen(path) : (int)(dot - path);

	if (!netdir_is_network(path))
		return err_set(e, ERR_CONFIG,
			       "%s: a runtime loads .conflist, .conf and .json, and no other names",
			       path);
	if (snprintf(c->path, sizeof c->path, "%s", path) >= PATH_MAX ||
	    snprintf(c->saved, sizeof c->saved, "%s" DURABLE_SAVED, path) >= PATH_MAX ||
	    snprintf(c->target, sizeof c->target, "%.*s%s", len, path,
		     text_ends_with(path, ".conflist") ? "" : ".conflist") >= PATH_MAX)
		return err_set(e, ERR_IO, "%s: the path is too long", path);
	return true;
}

bool chain_file_open(struct chain_file *c, const char *path, struct err *e)
{
	if (!name_files(c, path, e))
		return false;
	if (lstat(path, &c->st) < 0)
		return err_errno(e, ERR_IO, "%s", path);
	if (!S_ISREG(c->st.st_mode))
		return err_set(e, ERR_IO, "%s: not a regular file; give the file that it leads to",
			       path);
	return file_read(&c->old, AT_FDCWD, path, false, e);
}

/*** chaining ***/

static void note_first_type(struct chain_file *c)
{
	json_auto_t *network = json_loads(c->new.at, 0, NULL);
	const json_t *first = json_array_get(json_object_get(network, "plugins"), 0);
	const char *type = json_string_value(json_object_get(first, "type"));

	(void)snprintf(c->first_type, sizeof c->first_type, "%s", type ? type : "");
}

/* Text behind a NUL would be lost. */
static bool check_text_only(const struct chain_file *c, struct err *e)
{
	return !c->old.len || !memchr(c->old.at, '\0', c->old.len) ||
	       err_set(e, ERR_CONFIG, "the file holds a NUL byte: no runtime can read it");
}

bool chain_file_plan(struct chain_file *c, const json_t *object, struct err *e)
{
	bool list = is_list(c);

	if (!check_text_only(c, e) ||
	    !(list ? chain_add : chain_from_plugin)(&c->new, c->old.at, object, e))
		return false;
	c->changed = !list || strcmp(c->new.at, c->old.at) != 0;
	note_first_type(c);
	return true;
}

/* A list of the target's name is an error, unless a killed run has made that list. */
static bool may_make_list(const struct chain_file *c, struct err *e)
{
	auto_text there = TEXT_UP_TO(1 << 24);
	json_auto_t *ours = NULL;

	if (access(c->target, F_OK) < 0)
		return true;
	if (file_read(&there, AT_FDCWD, c->target, false, NULL))
		ours = chain_object(there.at);
	if (ours)
		return true;
	return err_set(e, ERR_CONFIG, "%s is there too, and is not pod-dns's: remove one of them",
		       c->target);
}

/* Keeps the original file. If the file has pod-dns already, an earlier run has kept it. */
static bool save(const struct chain_file *c, struct err *e)
{
	json_auto_t *ours = chain_object(c->old.at);

	if (ours && access(c->saved, F_OK) == 0)
		return true;
	return file_durable_remove(c->saved, e) &&
	       (ours || file_durable_link(c->path, c->saved, e));
}

static bool write_chain(const struct chain_file *c, struct err *e)
{
	if (is_list(c))
		return file_durable_replace(c->target, &c->new, &c->st, e);
	return file_durable_write(c->target, &c->new, &c->st, e) &&
	       file_durable_check(c->path, &c->st, e) && file_durable_remove(c->path, e);
}

bool chain_file_apply(struct chain_file *c, struct err *e)
{
	c->made = c->st;
	if (!c->changed)
		return true;
	if (!is_list(c) && !may_make_list(c, e))
		return false;
	return save(c, e) && write_chain(c, e) &&
	       (lstat(c->target, &c->made) == 0 || err_errno(e, ERR_IO, "%s", c->target));
}

bool chain_file_is_current(const struct chain_file *c)
{
	return file_durable_check(c->target, &c->made, NULL);
}

/*
 * Puts the saved file in the place of `present`. If the original had one plugin and its owner has
 * made a new one since, that one stays. The saved file is removed last: by it a second run knows
 * that the list is ours.
 */
static bool put_back(const char *present, const struct stat *st, const struct chain_file *saved,
		     struct err *e)
{
	if (!file_durable_check(present, st, e))
		return false;
	if (strcmp(saved->path, present) == 0)
		return file_durable_rename(saved->saved, present, e);
	if (access(saved->path, F_OK) < 0 && !file_durable_link(saved->saved, saved->path, e))
		return false;
	return file_durable_remove(present, e) && file_durable_remove(saved->saved, e);
}

bool chain_file_revert(const struct chain_file *c, struct err *e)
{
	json_auto_t *ours = chain_object(c->old.at);

	if (ours)
		return file_durable_replace(c->target, &c->old, &c->made, e);
	return put_back(c->target, &c->made, c, e);
}

/*** unchaining ***/

/* Finds the saved original of c->path: of the same name, or of a file with one plugin. */
static bool find_saved(struct chain_file *from, const struct chain_file *c)
{
	static const char *const endings[] = { ".conflist", ".conf", ".json" };
	int stem = (int)(strlen(c->path) - strlen(".conflist"));

	for (size_t i = 0; is_list(c) && i < LEN(endings); i++) {
		char path[PATH_MAX];

		(void)snprintf(path, sizeof path, "%.*s%s", stem, c->path, endings[i]);
		if (name_files(from, path, NULL) &&
		    file_read(&from->old, AT_FDCWD, from->saved, false, NULL))
			return true;
	}
	return false;
}

/* Whether the present file says what install makes of the saved one. */
static bool is_made_of(const struct chain_file *c, struct chain_file *saved)
{
	json_auto_t *ours = chain_object(c->old.at);

	return chain_file_plan(saved, ours, NULL) && chain_is_same(saved->new.at, c->old.at);
}

bool chain_file_undo(struct chain_file *c, bool *changed, struct text *diff, struct err *e)
{
	auto_chain_file saved = CHAIN_FILE_NONE;
	json_auto_t *ours = chain_object(c->old.at);
	bool kept = find_saved(&saved, c);

	*changed = ours;
	if (!ours)
		return !kept || diff || file_durable_remove(saved.saved, e);
	if (!check_text_only(c, e))
		return err_in(e, "%s: ", c->path);
	if (kept && is_made_of(c, &saved)) {
		if (!diff)
			return put_back(c->path, &c->st, &saved, e);
		diff_unified(diff, c->path, c->old.at, saved.path, saved.old.at);
		return true;
	}
	if (!chain_remove(&c->new, c->old.at, e))
		return err_in(e, "%s: ", c->path);
	if (diff) {
		diff_unified(diff, c->path, c->old.at, c->path, c->new.at);
		return true;
	}
	return file_durable_replace(c->path, &c->new, &c->st, e) &&
	       (!kept || file_durable_remove(saved.saved, e));
}

void chain_file_done(struct chain_file *c)
{
	text_done(&c->old);
	text_done(&c->new);
}
