/* SPDX-License-Identifier: Apache-2.0 */
/* hostfile.c: the host's own resolver files, which are never written. */
#include "targets/hostfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define RESOLVED "/run/systemd/resolve"

/* Whether the path leads to that file. True also where that cannot be seen, unless it is absent. */
static bool leads_to(int dir, const char *path, struct file_id id)
{
	struct stat st;

	if (fstatat(dir, path, &st, 0) < 0)
		return errno != ENOENT && errno != ENOTDIR;
	return file_same(file_id(&st), id);
}

static bool is_in_resolved(struct file_id id)
{
	DIR *folder = opendir(RESOLVED);
	const struct dirent *entry;
	bool found = false;

	if (!folder)
		return errno != ENOENT && errno != ENOTDIR;
	while (!found && (entry = readdir(folder)))
		found = leads_to(dirfd(folder), entry->d_name, id);
	(void)closedir(folder);
	return found;
}

bool hostfile_is(struct file_id id, const char *node)
{
	return leads_to(AT_FDCWD, "/etc/resolv.conf", id) ||
	       (node && *node && leads_to(AT_FDCWD, node, id)) || is_in_resolved(id);
}

bool hostfile_is_folder(struct file_id id)
{
	return leads_to(AT_FDCWD, "/etc", id) || leads_to(AT_FDCWD, RESOLVED, id);
}
