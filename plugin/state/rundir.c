/* SPDX-License-Identifier: Apache-2.0 */
/* rundir.c: the run folder /run/pod-dns, in which all state is kept. */
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
#include <time.h>

#define TEMP_PREFIX ".new-"

static bool check_run_folder(int fd, struct err *e)
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

static int open_run_folder(void)
{
	return open(RUNDIR, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool rundir_open(struct rundir *r, bool create, struct err *e)
{
	auto_fd fd = open_run_folder();
	bool made = false;

	*r = RUNDIR_NONE;
	if (fd < 0 && errno == ENOENT) {
		if (!create)
			return true;
		made = mkdir(RUNDIR, 0700) == 0;
		if (!made && errno != EEXIST)
			return err_errno(e, ERR_IO, RUNDIR);
		fd = open_run_folder();
	}
	if (fd < 0)
		return err_errno(e, ERR_IO, RUNDIR);
	if (made && fchmod(fd, 0700) < 0) /* /run may pass on its set-group-ID bit */
		return err_errno(e, ERR_IO, RUNDIR);
	if (!check_run_folder(fd, e))
		return false;
	r->fd = take_fd(&fd);
	return true;
}

static bool open_lock(struct rundir *r)
{
	r->lock = openat(r->fd, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return r->lock >= 0;
}

/* If the lock file was unlinked while we waited, our lock excludes no process: closes it and
 * returns true, so that the caller opens the new file. Returns whether. */
static bool close_removed_lock(struct rundir *r)
{
	struct stat st;

	if (fstat(r->lock, &st) < 0 || st.st_nlink)
		return false;
	(void)close(r->lock);
	r->lock = -1;
	return true;
}

void rundir_rest(struct rundir *r)
{
	enum { TURNS = 8 };
	const struct timespec rest = { .tv_nsec = 200000 };

	if (++r->turns % TURNS == 0)
		(void)nanosleep(&rest, NULL);
}

static bool take_lock(struct rundir_lock *held, struct rundir *r, int how, struct err *e)
{
	int done;

	*held = (struct rundir_lock){ NULL };
	do {
		if (r->lock < 0 && !open_lock(r))
			return err_errno(e, ERR_IO, RUNDIR_LOCK);
		do
			done = flock(r->lock, how);
		while (done < 0 && errno == EINTR);
		if (done < 0)
			return err_errno(e, ERR_IO, RUNDIR_LOCK);
	} while (close_removed_lock(r));
	held->run = r;
	return true;
}

bool rundir_lock(struct rundir_lock *held, struct rundir *r, struct err *e)
{
	return take_lock(held, r, LOCK_EX, e);
}

bool rundir_try_lock(struct rundir_lock *held, struct rundir *r)
{
	return take_lock(held, r, LOCK_EX | LOCK_NB, NULL);
}

void rundir_unlock(struct rundir_lock *held)
{
	if (held->run)
		(void)flock(held->run->lock, LOCK_UN);
	held->run = NULL;
}

bool rundir_is_locked(void)
{
	auto_fd fd = open(RUNDIR_LOCK, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0;
}

static bool make(int fd, const char *path, struct err *e)
{
	if (mkdirat(fd, path, 0700) == 0 || errno == EEXIST)
		return true;
	return err_errno(e, ERR_IO, RUNDIR "/%s", path);
}

bool rundir_mkdir(const struct rundir_lock *held, const char *path, struct err *e)
{
	char upper[512];

	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		(void)snprintf(upper, sizeof(upper), "%.*s", (int)(slash - path), path);
		if (!make(held->run->fd, upper, e))
			return false;
	}
	return make(held->run->fd, path, e);
}

void rundir_list_add(struct rundir_list *list, const char *name, struct arena *a)
{
	if (!arena_ok(a)) /* `name` may be what arena_print() gives then */
		return;
	if (list->n == list->room) {
		size_t room = list->room ? 2 * list->room : 16;
		const char **at = arena_alloc(a, room * sizeof(*at));

		if (!at)
			return;
		if (list->n)
			memcpy(at, list->at, list->n * sizeof(*at));
		list->at = at;
		list->room = room;
	}
	list->at[list->n++] = name;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool read_names(struct rundir_list *out, DIR *folder, struct arena *a)
{
	const struct dirent *entry;

	errno = 0;
	while ((entry = readdir(folder))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			rundir_list_add(out, arena_print(a, "%s", entry->d_name), a);
		errno = 0;
	}
	return !errno;
}

bool rundir_list(struct rundir_list *out, const struct rundir *r, const char *folder,
		 struct arena *a)
{
	int fd = openat(r->fd, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *names;
	bool whole;

	*out = (struct rundir_list){ 0 };
	if (fd < 0)
		return r->fd < 0 || errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
	names = fdopendir(fd);
	if (!names) {
		(void)close(fd);
		return false;
	}
	whole = read_names(out, names, a);
	(void)closedir(names);
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_name);
	return whole && arena_ok(a);
}

void rundir_temp(char out[static RUNDIR_TEMP], const char *path)
{
	(void)snprintf(out, RUNDIR_TEMP, TEMP_PREFIX "%016" PRIx64, text_hash(path, strlen(path)));
}

void rundir_remove_temp(const struct rundir_lock *held, const char *path)
{
	char temp[RUNDIR_TEMP];

	rundir_temp(temp, path);
	(void)unlinkat(held->run->fd, temp, 0);
}

static void remove_prefixed(const struct rundir *r, const char *prefix)
{
	auto_arena a = { 0 };
	struct rundir_list names;

	(void)rundir_list(&names, r, ".", &a);
	for (size_t i = 0; i < names.n; i++)
		if (strncmp(names.at[i], prefix, strlen(prefix)) == 0)
			(void)unlinkat(r->fd, names.at[i], 0);
}

void rundir_remove_temps(const struct rundir_lock *held)
{
	remove_prefixed(held->run, TEMP_PREFIX);
}

void rundir_remove_told(const struct rundir *r)
{
	remove_prefixed(r, RUNDIR_TOLD);
}

void rundir_close(struct rundir *r)
{
	if (r->lock >= 0)
		(void)close(r->lock);
	if (r->fd >= 0)
		(void)close(r->fd);
	*r = RUNDIR_NONE;
}
