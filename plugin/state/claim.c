/* SPDX-License-Identifier: Apache-2.0 */
/* claim.c: whose a file is that several attachments of one pod share. */
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

static void claim_path(char out[static CLAIM_PATH], const char *folder, const char *record)
{
	(void)snprintf(out, CLAIM_PATH, "%s/%016" PRIx64, folder,
		       text_hash(record, strlen(record)));
}

/*
 * Stamped, then renamed into place: a claim that is seen has its moment. The kernel's own stamp is
 * as coarse as its tick, and goes back with the wall clock.
 */
static bool put_claim(const struct rundir *r, const char *path, const char *record)
{
	char temp[RUNDIR_TEMP];
	struct timespec now[2];

	rundir_temp(temp, path);
	(void)unlinkat(r->fd, temp, 0);
	(void)clock_gettime(CLOCK_BOOTTIME, &now[0]);
	now[1] = now[0];
	return symlinkat(record, r->fd, temp) == 0 &&
	       utimensat(r->fd, temp, now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       renameat(r->fd, temp, r->fd, path) == 0;
}

bool claim_add(const struct rundir *r, const char *folder, const char *record, struct err *e)
{
	char path[CLAIM_PATH];

	claim_path(path, folder, record);
	if (!rundir_mkdir(r, folder, e))
		return false;
	if (put_claim(r, path, record))
		return true;
	(void)err_errno(e, ERR_IO, RUNDIR "/%s", path);
	rundir_remove_temp(r, path);
	return false;
}

bool claim_is_made(const struct rundir *r, const char *folder, const char *record)
{
	char path[CLAIM_PATH];

	claim_path(path, folder, record);
	return faccessat(r->fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool claim_remove(const struct rundir *r, const char *folder, const char *record, struct err *e)
{
	char path[CLAIM_PATH];

	claim_path(path, folder, record);
	rundir_remove_temp(r, path);
	if (unlinkat(r->fd, path, 0) < 0 && errno != ENOENT)
		return err_errno(e, ERR_IO, RUNDIR "/%s", path);
	drop_empty(r, folder);
	return true;
}

bool claim_is_newer(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* The record that a claim leads to, if it is there; else errno: ENOENT where it is not. */
static bool follow(char out[static RECORD_PATH], const struct rundir *r, const char *path)
{
	ssize_t len = readlinkat(r->fd, path, out, RECORD_PATH - 1);

	if (len < 0)
		return false;
	out[len] = '\0';
	return faccessat(r->fd, out, F_OK, 0) == 0;
}

struct walk {
	const struct rundir *r;
	const char *folder;
	claim_visitor *visit;
	void *context;
	bool blind; /* a claim could not be looked at */
};

static void visit_claim(const char *name, void *context)
{
	struct walk *w = context;
	char path[CLAIM_PATH], record[RECORD_PATH];
	struct stat st;

	if (strlen(name) != HASH_DIGITS)
		return;
	(void)snprintf(path, sizeof(path), "%s/%.16s", w->folder, name);
	if (fstatat(w->r->fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    (!S_ISLNK(st.st_mode) || follow(record, w->r, path))) {
		if (S_ISLNK(st.st_mode))
			w->visit(record, &st.st_mtim, w->context);
	} else if (errno != ENOENT) {
		w->blind = true;
	}
}

/* False: not all of them could be looked at. */
static bool walk(const struct rundir *r, const char *folder, claim_visitor *visit, void *context)
{
	struct walk w = { r, folder, visit, context, false };

	return record_each(r, folder, visit_claim, &w) && !w.blind;
}

void claim_each(const struct rundir *r, const char *folder, claim_visitor *visit, void *context)
{
	(void)walk(r, folder, visit, context);
}

struct newest {
	char *record;
	struct timespec since;
	bool found;
};

static void visit_newest(const char *record, const struct timespec *since, void *context)
{
	struct newest *n = context;

	if (n->found && !claim_is_newer(since, &n->since))
		return;
	n->found = true;
	n->since = *since;
	memcpy(n->record, record, strlen(record) + 1);
}

enum claim_found claim_owner(char out[static RECORD_PATH], const struct rundir *r,
			     const char *folder)
{
	struct newest n = { .record = out };

	if (!walk(r, folder, visit_newest, &n))
		return CLAIM_UNKNOWN;
	return n.found ? CLAIM_OWNED : CLAIM_NOBODYS;
}

bool claim_is_anothers(const struct rundir *r, const char *folder, const char *record)
{
	char owner[RECORD_PATH];

	switch (claim_owner(owner, r, folder)) {
	case CLAIM_OWNED:
		return strcmp(owner, record) != 0;
	case CLAIM_NOBODYS:
		return false;
	case CLAIM_UNKNOWN:
	default:
		return true;
	}
}

bool claim_sandbox_is_anothers(const struct rundir *r, const char *record)
{
	char folder[CLAIM_FOLDER], container_id[RECORD_NAME + 1];

	record_container(container_id, record);
	claim_sandbox(folder, container_id);
	return claim_is_anothers(r, folder, record);
}

struct hunt {
	const struct rundir *r;
	const char *record;
	claim_name_visitor *visit;
	void *context;
};

static void visit_name(const char *name, void *context)
{
	const struct hunt *h = context;
	char folder[CLAIM_FOLDER];

	claim_netns(folder, name);
	if (claim_is_made(h->r, folder, h->record))
		h->visit(name, h->context);
}

void claim_each_netns(const struct rundir *r, const char *record, claim_name_visitor *visit,
		      void *context)
{
	struct hunt h = { r, record, visit, context };

	(void)record_each(r, ".netns", visit_name, &h);
}

static void visit_dangling(const char *name, void *context)
{
	const struct walk *w = context;
	char path[CLAIM_PATH], record[RECORD_PATH];

	if (strlen(name) != HASH_DIGITS)
		return;
	(void)snprintf(path, sizeof(path), "%s/%.16s", w->folder, name);
	if (!follow(record, w->r, path) && errno == ENOENT)
		(void)unlinkat(w->r->fd, path, 0);
}

void claim_tidy(const struct rundir *r, const char *folder)
{
	struct walk w = { .r = r, .folder = folder };

	(void)record_each(r, folder, visit_dangling, &w);
	drop_empty(r, folder);
}
