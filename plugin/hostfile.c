/* hostfile.c: the host's own resolver files, which are never written. */
#include "hostfile.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define RESOLVED "/run/systemd/resolve"

static bool leads_to(int dir, const char *path, int flags, struct file_id id)
{
	struct stat st;

	return fstatat(dir, path, &st, flags) == 0 && file_same(file_id(&st), id);
}

static bool is_in_resolved(struct file_id id)
{
	DIR *folder = opendir(RESOLVED);
	const struct dirent *entry;
	bool found = false;

	while (folder && !found && (entry = readdir(folder)))
		found = leads_to(dirfd(folder), entry->d_name, 0, id);
	if (folder)
		(void)closedir(folder);
	return found;
}

bool hostfile_is(struct file_id id, const char *node)
{
	return leads_to(AT_FDCWD, "/etc/resolv.conf", 0, id) ||
	       leads_to(AT_FDCWD, "/etc/resolv.conf", AT_SYMLINK_NOFOLLOW, id) ||
	       (node && *node && leads_to(AT_FDCWD, node, 0, id)) || is_in_resolved(id);
}

bool hostfile_is_folder(struct file_id id)
{
	return leads_to(AT_FDCWD, "/etc", 0, id) || leads_to(AT_FDCWD, RESOLVED, 0, id);
}
