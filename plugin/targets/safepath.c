/* SPDX-License-Identifier: Apache-2.0 */
/* safepath.c: opens a file of the host's that no local user can have put in its place. */
#include "targets/safepath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LINKS_MAX = 40 }; /* the kernel's own bound */

struct walk {
	const char *path;    /* as given */
	char rest[PATH_MAX]; /* the folders that are still to come */
	int at;		     /* the folder reached */
	int links;
	uid_t root;  /* owner of "/"; in a user namespace without the host's root it is the user
			"nobody" */
	uid_t owner; /* of the last folder */
	struct err *e;
};

static bool fail_step(const struct walk *w, const char *name, int code)
{
	errno = code;
	return err_errno(w->e, ERR_TARGET, "%s: %s", w->path, name);
}

static bool is_last(const struct walk *w)
{
	return w->rest[strspn(w->rest, "/")] == '\0';
}

static bool check_folder(struct walk *w, const char *name, const struct stat *st)
{
	w->owner = st->st_uid;
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return err_set(w->e, ERR_TARGET, "%s: not trusted: not only root may write to %s",
			       w->path, name);
	return st->st_uid == 0 || st->st_uid == w->root || is_last(w) ||
	       err_set(w->e, ERR_TARGET, "%s: not trusted: %s is a folder of user %u", w->path,
		       name, (unsigned)st->st_uid);
}

static bool go_to(struct walk *w, int at, const char *name)
{
	if (at < 0)
		return fail_step(w, name, errno);
	(void)close(w->at);
	w->at = at;
	return true;
}

/* Its folder has been checked: only root can have made the link. */
static bool follow_link(struct walk *w, int link, const char *name)
{
	char rest[PATH_MAX];
	ssize_t len = readlinkat(link, "", rest, sizeof(rest) - 1), room = PATH_MAX - len;

	if (len < 0)
		return fail_step(w, name, errno);
	if (w->links++ == LINKS_MAX || snprintf(rest + len, (size_t)room, "/%s", w->rest) >= room)
		return fail_step(w, name, ELOOP);
	memcpy(w->rest, rest, strlen(rest) + 1);
	return *rest != '/' || go_to(w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), "/");
}

static bool step(struct walk *w, const char *name)
{
	auto_fd next = openat(w->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (next < 0 || fstat(next, &st) < 0)
		return fail_step(w, name, errno);
	if (S_ISLNK(st.st_mode))
		return follow_link(w, next, name);
	if (!S_ISDIR(st.st_mode))
		return fail_step(w, name, ENOTDIR);
	return check_folder(w, name, &st) && go_to(w, take_fd(&next), name);
}

/* Takes the next name from w->rest; false: that was the last one. */
static bool next_name(struct walk *w, char name[static PATH_MAX])
{
	const char *start = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(start, "/");

	memcpy(name, start, len);
	name[len] = '\0';
	memmove(w->rest, start + len, strlen(start + len) + 1);
	return len > 0;
}

static bool walk_folders(struct walk *w)
{
	char name[PATH_MAX];
	struct stat st;

	if (w->at < 0 || fstat(w->at, &st) < 0)
		return fail_step(w, "/", errno);
	w->root = st.st_uid;
	if (!check_folder(w, "/", &st))
		return false;
	while (next_name(w, name))
		if (!step(w, name))
			return false;
	return true;
}

/* A last folder that is not root's must have the same owner as the file in it. */
static int open_last(const struct walk *w, const char *name)
{
	auto_fd fd = openat(w->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		(void)err_errno(w->e, ERR_TARGET, "%s", w->path);
		return -1;
	}
	if (w->owner != 0 && w->owner != w->root && st.st_uid != w->owner) {
		(void)err_set(w->e, ERR_TARGET,
			      "%s: not trusted: it is in a folder of user %u, and not this user's",
			      w->path, (unsigned)w->owner);
		return -1;
	}
	return take_fd(&fd);
}

int safepath_open(const char *path, struct err *e)
{
	struct walk w = { .path = path, .e = e };
	const char *slash = strrchr(path, '/');
	int fd = -1;

	if (*path != '/' || snprintf(w.rest, sizeof(w.rest), "%.*s", (int)(slash - path), path) >=
				    (int)sizeof(w.rest)) {
		(void)err_set(e, ERR_TARGET, "%s: not an absolute path, or too long", path);
		return -1;
	}
	w.at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (walk_folders(&w))
		fd = open_last(&w, slash + 1);
	if (w.at >= 0)
		(void)close(w.at);
	return fd;
}
