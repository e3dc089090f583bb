/* SPDX-License-Identifier: Apache-2.0 */
/* rundir.c: /run/pod-dns, where the plugin keeps what it must remember. */
#include "state/rundir.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#define TEMP_PREFIX ".new-"

static bool check(int fd, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(e, ERR_IO, RUNDIR);
	if (st.st_uid != geteuid())
		return err_set(e, ERR_IO, RUNDIR ": belongs to uid %u", st.st_uid);
	if ((st.st_mode & 07777) != 0700)
		return err_set(e, ERR_IO, RUNDIR ": mode %03o, must be 700", st.st_mode & 07777);
	return true;
}

bool rundir_open(struct rundir *r, bool create, struct err *e)
{
	bool made = create && mkdir(RUNDIR, 0700) == 0;
	auto_fd fd = -1;

	*r = RUNDIR_NONE;
	if (create && !made && errno != EEXIST)
		return err_errno(e, ERR_IO, RUNDIR);
	fd = open(RUNDIR, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && !create)
		return true;
	if (fd < 0)
		return err_errno(e, ERR_IO, RUNDIR);
	if (made && fchmod(fd, 0700) < 0) /* whatever the umask */
		return err_errno(e, ERR_IO, RUNDIR);
	if (!check(fd, e))
		return false;
	r->fd = take_fd(&fd);
	return true;
}

bool rundir_lock(struct rundir *r, struct err *e)
{
	auto_fd fd = openat(r->fd, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	int done;

	if (fd < 0 || fchmod(fd, 0600) < 0) /* whatever the umask */
		return err_errno(e, ERR_IO, RUNDIR "/.lock");
	do
		done = flock(fd, LOCK_EX);
	while (done < 0 && errno == EINTR);
	if (done < 0)
		return err_errno(e, ERR_IO, RUNDIR "/.lock");
	r->lock = take_fd(&fd);
	return true;
}

void rundir_unlock(struct rundir *r)
{
	if (r->lock < 0)
		return;
	(void)flock(r->lock, LOCK_UN); /* close() may fail: the next lock must not wait for ever */
	(void)close(r->lock);
	r->lock = -1;
}

static bool make(const struct rundir *r, const char *path, struct err *e)
{
	if (mkdirat(r->fd, path, 0700) == 0 ? fchmodat(r->fd, path, 0700, 0) == 0 : errno == EEXIST)
		return true;
	return err_errno(e, ERR_IO, RUNDIR "/%s", path);
}

bool rundir_mkdir(const struct rundir *r, const char *path, struct err *e)
{
	char upper[512];

	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		(void)snprintf(upper, sizeof(upper), "%.*s", (int)(slash - path), path);
		if (!make(r, upper, e))
			return false;
	}
	return make(r, path, e);
}

void rundir_temp(char out[static RUNDIR_TEMP], const char *path)
{
	(void)snprintf(out, RUNDIR_TEMP, TEMP_PREFIX "%016" PRIx64, text_hash(path, strlen(path)));
}

void rundir_remove_temp(const struct rundir *r, const char *path)
{
	char temp[RUNDIR_TEMP];

	rundir_temp(temp, path);
	(void)unlinkat(r->fd, temp, 0);
}

static void remove_prefixed(const struct rundir *r, const char *prefix)
{
	int fd = openat(r->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
			(void)unlinkat(r->fd, entry->d_name, 0);
	if (folder)
		(void)closedir(folder);
	else if (fd >= 0)
		(void)close(fd);
}

void rundir_remove_temps(const struct rundir *r)
{
	remove_prefixed(r, TEMP_PREFIX);
}

void rundir_remove_told(const struct rundir *r)
{
	remove_prefixed(r, RUNDIR_TOLD);
}

void rundir_close(struct rundir *r)
{
	rundir_unlock(r);
	if (r->fd >= 0)
		(void)close(r->fd);
	r->fd = -1;
}
