/* SPDX-License-Identifier: Apache-2.0 */
/* claim.c: which attachment owns a file that several attachments of a pod share. */
#include "state/claim.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { CLAIM_PATH = CLAIM_FOLDER + 18, HASH_DIGITS = 16 };

void claim_sandbox(char out[static CLAIM_FOLDER], const char *container_id)
{
	(void)snprintf(out, CLAIM_FOLDER, ".sandbox/%s", container_id);
}

void claim_netns(char out[static CLAIM_FOLDER], const char *name)
{
	(void)snprintf(out, CLAIM_FOLDER, ".netns/%s", name);
}

/* Removes a folder of claims, and the one above it, if they are empty. */
static void drop_empty(const struct rundir *r, const char *folder)
{
	char above[CLAIM_FOLDER];

	(void)snprintf(above, sizeof(above), "%.*s", (int)strcspn(folder, "/"), folder);
	(void)unlinkat(r->fd, folder, AT_REMOVEDIR);
	(void)unlinkat(r->fd, above, AT_REMOVEDIR);
}

static void claim_path(char out[static CLAIM_PATH], const char *folder, const char *id)
{
	(void)snprintf(out, CLAIM_PATH, "%s/%016" PRIx64, folder, text_hash(id, strlen(id)));
}

/* A killed process may have left the temporary link. */
static bool put_link(int fd, const char *temp, const char *id)
{
	return symlinkat(id, fd, temp) == 0 ||
	       (errno == EEXIST && unlinkat(fd, temp, 0) == 0 && symlinkat(id, fd, temp) == 0);
}

/*
 * Stamped, then renamed into place: a claim that is seen has its moment. The kernel's own stamp is
 * as coarse as its tick, and goes back with the wall clock.
 */
static bool put_claim(int fd, const char *path, const char *id)
{
	char temp[RUNDIR_TEMP];
	struct timespec now[2];

	rundir_temp(temp, path);
	(void)clock_gettime(CLOCK_BOOTTIME, &now[0]);
	now[1] = now[0];
	return put_link(fd, temp, id) && utimensat(fd, temp, now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       renameat(fd, temp, fd, path) == 0;
}

bool claim_add(const struct rundir_lock *held, const char *folder, const char *id, struct err *e)
{
	char path[CLAIM_PATH];

	claim_path(path, folder, id);
	if (!rundir_mkdir(held, folder, e))
		return false;
	if (put_claim(held->run->fd, path, id))
		return true;
	(void)err_errno(e, ERR_IO, RUNDIR "/%s", path);
	rundir_remove_temp(held, path);
	return false;
}

bool claim_is_made(const struct rundir *r, const char *folder, const char *id)
{
	char path[CLAIM_PATH];

	claim_path(path, folder, id);
	return faccessat(r->fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool claim_remove(const struct rundir_lock *held, const char *folder, const char *id, struct err *e)
{
	char path[CLAIM_PATH];

	claim_path(path, folder, id);
	rundir_remove_temp(held, path);
	if (unlinkat(held->run->fd, path, 0) < 0 && errno != ENOENT)
		return err_errno(e, ERR_IO, RUNDIR "/%s", path);
	drop_empty(held->run, folder);
	return true;
}

/*** all of them ***/

/* The record that a claim leads to, if it is there; else errno: ENOENT where it is not. */
static bool follow(char out[static RECORD_PATH], const struct rundir *r, const char *path)
{
	ssize_t len = readlinkat(r->fd, path, out, RECORD_PATH - 1);

	if (len < 0)
		return false;
	out[len] = '\0';
	return faccessat(r->fd, out, F_OK, 0) == 0;
}

/* The paths of what is named like a claim. False: the folder cannot be read whole. */
static bool list_paths(struct rundir_list *out, const struct rundir *r, const char *folder,
		       struct arena *a)
{
	struct rundir_list names;
	bool whole = rundir_list(&names, r, folder, a);

	*out = (struct rundir_list){ 0 };
	for (size_t i = 0; i < names.n; i++)
		if (strlen(names.at[i]) == HASH_DIGITS)
			rundir_list_add(out, arena_print(a, "%s/%s", folder, names.at[i]), a);
	return whole;
}

/* A link that is named like a claim. */
struct stamp {
	const char *path;
	struct timespec since;
};

struct stamps {
	struct stamp *at;
	size_t n;
};

/* Adds that of the link at `path`, if it is one. False: it cannot be looked at. */
static bool add_stamp(struct stamps *stamps, const struct rundir *r, const char *path)
{
	struct stat st;

	if (fstatat(r->fd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT;
	if (S_ISLNK(st.st_mode))
		stamps->at[stamps->n++] = (struct stamp){ path, st.st_mtim };
	return true;
}

static int newest_first(const void *a, const void *b)
{
	const struct timespec *x = &((const struct stamp *)a)->since;
	const struct timespec *y = &((const struct stamp *)b)->since;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec > y->tv_sec ? -1 : 1;
	return x->tv_nsec == y->tv_nsec ? 0 : x->tv_nsec > y->tv_nsec ? -1 : 1;
}

static bool list_stamps(struct stamps *out, const struct rundir *r, const char *folder,
			struct arena *a)
{
	struct rundir_list paths;
	bool whole = list_paths(&paths, r, folder, a);

	*out = (struct stamps){ arena_alloc(a, paths.n * sizeof(*out->at)), 0 };
	for (size_t i = 0; out->at && i < paths.n; i++)
		whole = add_stamp(out, r, paths.at[i]) && whole;
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), newest_first);
	return whole && arena_ok(a);
}

bool claim_list(struct claim_list *out, const struct rundir *r, const char *folder, struct arena *a)
{
	struct stamps stamps;
	bool whole = list_stamps(&stamps, r, folder, a);
	char id[RECORD_PATH];

	*out = (struct claim_list){ arena_alloc(a, stamps.n * sizeof(*out->at)), 0 };
	for (size_t i = 0; out->at && i < stamps.n; i++)
		if (follow(id, r, stamps.at[i].path))
			out->at[out->n++] =
				(struct claim){ arena_print(a, "%s", id), stamps.at[i].since };
		else
			whole = errno == ENOENT && whole;
	return whole && arena_ok(a);
}

bool claim_find(const struct rundir *r, const char *folder,
		bool accept(const char *id, void *context), void *context)
{
	auto_arena a = { 0 };
	struct stamps stamps;
	char id[RECORD_PATH];

	(void)list_stamps(&stamps, r, folder, &a);
	for (size_t i = 0; i < stamps.n; i++)
		if (follow(id, r, stamps.at[i].path) && accept(id, context))
			return true;
	return false;
}

enum claim_found claim_owner(char out[static RECORD_PATH], const struct rundir *r,
			     const char *folder)
{
	auto_arena a = { 0 };
	struct claim_list claims;

	if (!claim_list(&claims, r, folder, &a))
		return CLAIM_UNKNOWN;
	if (!claims.n)
		return CLAIM_NOBODYS;
	(void)snprintf(out, RECORD_PATH, "%s", claims.at[0].id);
	return CLAIM_OWNED;
}

bool claim_is_anothers(const struct rundir *r, const char *folder, const char *id)
{
	char owner[RECORD_PATH];
	enum claim_found found = claim_owner(owner, r, folder);

	return found == CLAIM_UNKNOWN || (found == CLAIM_OWNED && strcmp(owner, id) != 0);
}

bool claim_sandbox_is_anothers(const struct rundir *r, const char *id)
{
	char folder[CLAIM_FOLDER], container_id[RECORD_NAME + 1];

	record_container(container_id, id);
	claim_sandbox(folder, container_id);
	return claim_is_anothers(r, folder, id);
}

bool claim_is_tidy(const struct rundir *r, const char *folder)
{
	auto_arena a = { 0 };
	struct rundir_list paths;
	char id[RECORD_PATH];

	(void)list_paths(&paths, r, folder, &a);
	for (size_t i = 0; i < paths.n; i++)
		if (!follow(id, r, paths.at[i]) && errno == ENOENT)
			return false;
	return paths.n;
}

void claim_tidy(const struct rundir_lock *held, const char *folder)
{
	auto_arena a = { 0 };
	struct rundir_list paths;
	char id[RECORD_PATH];

	(void)list_paths(&paths, held->run, folder, &a);
	for (size_t i = 0; i < paths.n; i++)
		if (!follow(id, held->run, paths.at[i]) && errno == ENOENT)
			(void)unlinkat(held->run->fd, paths.at[i], 0);
	drop_empty(held->run, folder);
}
