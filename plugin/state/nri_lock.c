/* SPDX-License-Identifier: Apache-2.0 */
/* nri_lock.c: the file /run/pod-dns/.nri, by which the one pod-dns-nri of a node is known. */
#include "state/nri_lock.h"
#include "file.h"
#include "json.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

enum { REPORT_MAX = 4096 };

/*** the program's side ***/

static bool was_removed(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && !st.st_nlink;
}

static bool open_and_lock(struct nri_lock *lock, const struct rundir *r, struct err *e)
{
	lock->fd = openat(r->fd, NRI_LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (lock->fd < 0)
		return err_errno(e, ERR_IO, RUNDIR "/" NRI_LOCK);
	if (flock(lock->fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	(void)close(lock->fd);
	lock->fd = -1;
	return err_set(e, ERR_AGAIN, RUNDIR "/" NRI_LOCK ": another pod-dns-nri runs");
}

bool nri_lock_take(struct nri_lock *lock, struct err *e)
{
	auto_rundir run = RUNDIR_NONE;

	*lock = NRI_LOCK_NONE;
	if (!rundir_open(&run, true, e))
		return false;
	do {
		if (lock->fd >= 0) /* the process that held it has removed the file */
			(void)close(lock->fd);
		if (!open_and_lock(lock, &run, e))
			return false;
	} while (was_removed(lock->fd));
	nri_lock_unstamp(lock);
	return true;
}

bool nri_lock_keep(struct nri_lock *lock, struct err *e)
{
	if (lock->fd >= 0 && !was_removed(lock->fd))
		return true;
	if (lock->fd >= 0)
		(void)close(lock->fd);
	return nri_lock_take(lock, e);
}

void nri_lock_stamp(const struct nri_lock *lock)
{
	(void)futimens(lock->fd, NULL);
}

void nri_lock_unstamp(const struct nri_lock *lock)
{
	const struct timespec never[2] = { 0 };

	(void)futimens(lock->fd, never);
}

void nri_lock_report(const struct nri_lock *lock, const struct nri_report *report)
{
	json_auto_t *all =
		json_pack("{s:s, s:I, s:I, s:I, s:I}", "runtime", report->runtime, "pods",
			  (json_int_t)report->pods, "written", (json_int_t)report->written,
			  "missed", (json_int_t)report->missed, "connections",
			  (json_int_t)report->connections);
	auto_mem char *text = json_dumps(all, JSON_COMPACT);
	struct stat st;

	if (!text || fstat(lock->fd, &st) < 0 || !file_write_at(lock->fd, text, strlen(text), 0) ||
	    ftruncate(lock->fd, (off_t)strlen(text)) < 0)
		return;
	(void)futimens(lock->fd, (struct timespec[]){ st.st_atim, st.st_mtim });
}

void nri_lock_release(struct nri_lock *lock)
{
	auto_rundir run = RUNDIR_NONE;

	if (lock->fd < 0)
		return;
	if (!was_removed(lock->fd) && rundir_open(&run, false, NULL) && run.fd >= 0)
		(void)unlinkat(run.fd, NRI_LOCK, 0);
	(void)close(lock->fd);
	*lock = NRI_LOCK_NONE;
}

/*** the others' side ***/

/* The file, if a process holds its lock; -1: not so. */
static int open_held(const struct rundir *r)
{
	auto_fd fd = openat(r->fd, NRI_LOCK, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || flock(fd, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return -1;
	return take_fd(&fd);
}

bool nri_lock_serves(const struct rundir *r)
{
	auto_fd fd = open_held(r);
	time_t now = time(NULL);
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_mtime >= now - NRI_LOCK_STAMP_MAX &&
	       st.st_mtime <= now + NRI_LOCK_STAMP_MAX;
}

static uint64_t report_number(const json_t *all, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(all, key));

	return value > 0 ? (uint64_t)value : 0;
}

bool nri_lock_read(struct nri_report *out, const struct rundir *r, struct arena *a)
{
	auto_text text = TEXT_UP_TO(REPORT_MAX);
	auto_fd fd = open_held(r);
	json_auto_t *all = NULL;
	const char *runtime;

	*out = (struct nri_report){ .runtime = "" };
	if (fd < 0)
		return false;
	if (file_read_fd(&text, fd, RUNDIR "/" NRI_LOCK, NULL) && text.at)
		all = json_loadb(text.at, text.len, 0, NULL);
	runtime = json_string_value(json_object_get(all, "runtime"));
	*out = (struct nri_report){
		.runtime = runtime ? arena_print(a, "%s", runtime) : "",
		.pods = report_number(all, "pods"),
		.written = report_number(all, "written"),
		.missed = report_number(all, "missed"),
		.connections = report_number(all, "connections"),
	};
	return true;
}
