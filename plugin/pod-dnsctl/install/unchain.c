/* SPDX-License-Identifier: Apache-2.0 */
/* unchain.c: takes pod-dns out of the networks of a folder. */
#include "pod-dnsctl/install/unchain.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/install/chain.h"
#include "pod-dnsctl/install/chain_file.h"
#include "pod-dnsctl/install/file_durable.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

static bool show(struct unchain *u, const struct chain_file *c, bool changed, const char *diff)
{
	if (u->ctl->json)
		return json_array_append_new(u->shown,
					     json_pack("{s:s, s:b, s:s}", "file", c->path,
						       "changed", changed, "diff", diff)) == 0;
	out_text(u->ctl->out, diff);
	return true;
}

bool unchain_file(struct unchain *u, const char *path, struct err *e)
{
	auto_text diff = TEXT_UP_TO(1 << 24);
	auto_chain_file c = CHAIN_FILE_NONE;
	bool changed;

	text_put(&diff, "", 0);
	if (!chain_file_open(&c, path, e) ||
	    !chain_file_undo(&c, &changed, u->shown ? &diff : NULL, e))
		return false;
	if (u->shown)
		return (text_ok(&diff) && show(u, &c, changed, diff.at)) ||
		       err_set(e, ERR_IO, "%s: out of memory", path);
	if (changed)
		out_line(u->ctl->out, "%s: pod-dns is taken out", path);
	return true;
}

/* Removes a saved original if its list is gone: a killed run or the owner has removed the list. */
static bool remove_orphan(struct unchain *u, const char *saved, struct err *e)
{
	const char *name = arena_print(u->ctl->arena, "%.*s",
				       (int)(strlen(saved) - strlen(DURABLE_SAVED)), saved);
	const char *dot = strrchr(name, '.');
	const char *list =
		arena_print(u->ctl->arena, "%.*s.conflist", dot ? (int)(dot - name) : 0, name);

	return u->shown || access(list, F_OK) == 0 || file_durable_remove(saved, e);
}

/* Whether it is a link to a file without pod-dns. A link to a chain with pod-dns, which install
 * does not make, is refused by chain_file_open(). */
static bool is_others_link(const char *path)
{
	auto_text text = TEXT_UP_TO(1 << 24);
	json_auto_t *ours = NULL;
	struct stat st;

	if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return false;
	if (file_read(&text, AT_FDCWD, path, true, NULL))
		ours = chain_object(text.at);
	return !ours;
}

/* Visits every list: an installer may have added one before ours since. */
static bool unchain_entry(struct unchain *u, const char *folder, const char *name, struct err *e)
{
	const char *path = arena_print(u->ctl->arena, "%s/%s", folder, name);

	if (*name != '.' && text_ends_with(name, ".conflist"))
		return is_others_link(path) || unchain_file(u, path, e);
	return !text_ends_with(name, DURABLE_SAVED) || strcmp(name, DURABLE_SAVED) == 0 ||
	       remove_orphan(u, path, e);
}

bool unchain_folder(struct unchain *u, const char *folder, struct err *e)
{
	struct dirent **names;
	int n = scandir(folder, &names, NULL, alphasort);

	if (n < 0 && errno == ENOENT)
		return true;
	if (n < 0)
		return err_errno(e, ERR_IO, "%s", folder);
	for (int i = 0; i < n; i++) {
		if (!e->code)
			(void)unchain_entry(u, folder, names[i]->d_name, e);
		free(names[i]);
	}
	free(names);
	return !e->code;
}
