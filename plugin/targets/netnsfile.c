/* SPDX-License-Identifier: Apache-2.0 */
/* netnsfile.c: /etc/netns/NAME/resolv.conf, which `ip netns exec NAME` mounts. */
#include "targets/netnsfile.h"
#include "targets/hostfile.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 512 };

struct paths {
	char folder[PATH_ROOM]; /* /etc/netns/NAME */
	char link[PATH_ROOM];	/* /etc/netns/NAME/resolv.conf */
	char target[PATH_ROOM]; /* /run/pod-dns/.netns/NAME/resolv.conf */
	char below[PATH_ROOM];	/* .netns/NAME/resolv.conf */
};

static struct paths paths_of(const char *name)
{
	struct paths p;

	(void)snprintf(p.folder, PATH_ROOM, NETNSFILE_ETC "/%.255s", name);
	(void)snprintf(p.link, PATH_ROOM, NETNSFILE_ETC "/%.255s/resolv.conf", name);
	(void)snprintf(p.target, PATH_ROOM, RUNDIR "/.netns/%.255s/resolv.conf", name);
	(void)snprintf(p.below, PATH_ROOM, ".netns/%.255s/resolv.conf", name);
	return p;
}

/* Whether it can be the name of a namespace. It may begin with a dot. */
static bool is_netns_name(const char *name)
{
	return strspn(name, ".") < strlen(name);
}

const char *netnsfile_name(const char *path)
{
	static const char *const folders[] = { "/run/netns/", "/var/run/netns/" };

	for (size_t i = 0; i < LEN(folders); i++) {
		size_t len = strlen(folders[i]);
		const char *name = path + len;

		if (strncmp(path, folders[i], len) == 0 && is_netns_name(name) &&
		    strlen(name) <= 255 && !strchr(name, '/'))
			return name;
	}
	return NULL;
}

/* The thing in the link's place: nothing, our link, or something else. */
enum place { EMPTY, OURS, FOREIGN };

static enum place place_of(const struct paths *p)
{
	char target[PATH_ROOM];
	struct stat folder;
	ssize_t len;

	/* A link in the folder's place may lead to the host's own /etc. */
	if (lstat(p->folder, &folder) < 0)
		return errno == ENOENT || errno == ENOTDIR ? EMPTY : FOREIGN;
	if (!S_ISDIR(folder.st_mode) || hostfile_is_folder(file_id(&folder)))
		return FOREIGN;
	len = readlink(p->link, target, sizeof(target) - 1);

	if (len < 0)
		return errno == ENOENT ? EMPTY : FOREIGN;
	target[len] = '\0';
	return strcmp(target, p->target) == 0 ? OURS : FOREIGN;
}

static bool make_folder(const char *path, struct err *e)
{
	return mkdir(path, 0755) == 0 || errno == EEXIST || err_errno(e, ERR_TARGET, "%s", path);
}

static void remove_empty_folders(const struct paths *p)
{
	(void)rmdir(p->folder);
	(void)rmdir(NETNSFILE_ETC);
}

static bool make_link(const struct paths *p, struct err *e)
{
	if (!make_folder(NETNSFILE_ETC, e) || !make_folder(p->folder, e))
		return false;
	return symlink(p->target, p->link) == 0 || err_errno(e, ERR_TARGET, "%s", p->link);
}

bool netnsfile_write(const struct rundir_lock *held, const char *name, const char *text,
		     struct err *e)
{
	const struct rundir *r = held->run;
	struct paths p = paths_of(name);
	enum place place = place_of(&p);
	char temp[RUNDIR_TEMP];

	if (place == FOREIGN)
		return err_set(e, ERR_TARGET, "%s: not made by pod-dns: left as it is", p.link);
	rundir_temp(temp, p.below);
	/* 0644: commands that are not root's read it too. */
	if (!file_replace(r->fd, p.below, temp, text, strlen(text), 0644, e))
		return err_in(e, RUNDIR "/");
	if (place == OURS || make_link(&p, e))
		return true;
	remove_empty_folders(&p);
	(void)unlinkat(r->fd, p.below, 0);
	return false;
}

bool netnsfile_is_whole(const struct rundir *r, const char *name, const char *text)
{
	struct paths p = paths_of(name);
	auto_text now = TEXT_UP_TO(strlen(text));

	return place_of(&p) == OURS && file_read(&now, r->fd, p.below, false, NULL) &&
	       strcmp(now.at, text) == 0;
}

bool netnsfile_is_foreign(const char *name)
{
	struct paths p = paths_of(name);

	return place_of(&p) == FOREIGN;
}

bool netnsfile_remove(const struct rundir_lock *held, const char *name, struct err *e)
{
	struct paths p = paths_of(name);
	bool linked = place_of(&p) == OURS, gone;

	if (linked && unlink(p.link) < 0 && errno != ENOENT)
		return err_errno(e, ERR_TARGET, "%s", p.link);
	rundir_remove_temp(held, p.below);
	gone = unlinkat(held->run->fd, p.below, 0) == 0;
	if (!gone && errno != ENOENT)
		return err_errno(e, ERR_TARGET, "%s", p.target);
	if (linked || gone) /* the link's folders exist only if the file did */
		remove_empty_folders(&p);
	return true;
}

void netnsfile_remove_dangling(void)
{
	DIR *folder = opendir(NETNSFILE_ETC);
	const struct dirent *entry;
	bool removed = false;

	while (folder && (entry = readdir(folder))) {
		struct paths p = paths_of(entry->d_name);

		if (is_netns_name(entry->d_name) && place_of(&p) == OURS &&
		    access(p.target, F_OK) < 0 && errno == ENOENT && unlink(p.link) == 0) {
			(void)rmdir(p.folder);
			removed = true;
		}
	}
	if (folder)
		(void)closedir(folder);
	if (removed)
		(void)rmdir(NETNSFILE_ETC);
}
