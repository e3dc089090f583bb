/* settle.c: a PENDING record and the runtime's file that has come since. */
#include "settle.h"
#include "account.h"
#include "claim.h"
#include "inplace.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Whether nobody has the file open for writing: the kernel grants a read lease only then
 * (fcntl(2)). An empty file that is closed is whole. Where leases are not to be had, what is there
 * counts.
 */
static bool is_whole(const char *path)
{
	auto_fd fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		return errno != EAGAIN;
	(void)fcntl(fd, F_SETLEASE, F_UNLCK);
	return true;
}

/*
 * Whether nobody has written since the file was made, as far as its stamps tell: a runtime makes it
 * and writes it in one go. Without a birth stamp nothing is known, and nothing is overwritten.
 */
static bool is_as_made(int fd)
{
	enum { IN_ONE_GO = 2 }; /* seconds */
	struct statx st;

	return statx(fd, "", AT_EMPTY_PATH, STATX_MTIME | STATX_BTIME, &st) == 0 &&
	       (st.stx_mask & STATX_BTIME) &&
	       st.stx_mtime.tv_sec - st.stx_btime.tv_sec <= IN_ONE_GO;
}

/* What the runtime's text comes to, with what the record keeps of the call. */
static bool resume(json_t *record, const char *now, struct warnings *w, struct err *e)
{
	static struct verdict verdict;		     /* large */
	struct warnings own = { .arena = w->arena }; /* those of this pod, for its record */
	bool decided = verdict_resume(&verdict, record, now, &own, e);
	bool told = decided && account_settle(record, &verdict, &own);

	verdict_done(&verdict);
	for (size_t i = 0; i < own.n; i++)
		warn(w, own.at[i].kind, "%s", own.at[i].text);
	return told || err_set(e, ERR_IO, "out of memory");
}

/* Decides first where that had to wait. The record's text is then what is to be written, if any. */
static enum settled decide(json_t *record, const struct inplace *f, struct warnings *w,
			   struct err *e)
{
	const char *now = f->old.at;
	const char *expected = record_string(json_object_get(record, "inputs"), "runtimeText");
	const char *text = record_string(record, "text");

	bool deferred = !text && json_is_object(json_object_get(record, "deferred"));

	if (deferred && is_as_made(f->fd))
		return resume(record, now, w, e) ? SETTLED : SETTLE_FAILED;
	if (!deferred &&
	    (!text || !expected || text_same_lines(now, expected) || text_same_lines(now, text)))
		return SETTLED;
	(void)err_set(e, ERR_TARGET, "the file is not as the runtime wrote it: left");
	return SETTLE_LEFT;
}

static enum settled write_file(json_t *record, const char *path, bool readers, struct warnings *w,
			       struct err *e)
{
	struct inplace f = INPLACE_NONE;
	enum settled settled;
	const char *text;

	if (!inplace_open(&f, path, NULL, e))
		return SETTLE_FAILED;
	settled = decide(record, &f, w, e);
	text = record_string(record, "text");
	if (settled == SETTLED && text &&
	    !(inplace_write(&f, text, readers, e) || err_in(e, "%s: ", path)))
		settled = SETTLE_FAILED;
	inplace_close(&f);
	return settled;
}

/* Says in the record what became of it: `late` NULL where nothing was to be written. */
static bool conclude(const struct rundir *r, const char *path, json_t *record, const char *late,
		     const char *why, struct err *e)
{
	const char *text = record_string(record, "text");
	json_t *news = json_pack("{s:s?, s:s?}", "late", late, "lateWhy", why);
	bool told = news && json_object_update(record, news) == 0;

	json_decref(news);
	if (told && text && !why)
		told = json_object_set_new(record, "written", json_pack("[s]", text)) == 0;
	return (told || err_set(e, ERR_IO, "out of memory")) && record_write(r, path, record, e);
}

static bool waits(const json_t *record, bool again)
{
	const char *late = record_string(record, "late");

	return late && (strcmp(late, "pending") == 0 || (again && strcmp(late, "missed") == 0));
}

static void container_of(char out[static RECORD_NAME + 1], const char *record)
{
	const char *id = strchr(record, '/') + 1;

	(void)snprintf(out, RECORD_NAME + 1, "%.*s", (int)strcspn(id, "@"), id);
}

/* The latest ADD of a pod's attachments owns the file. */
static bool is_owner(const struct rundir *r, const char *record)
{
	char folder[CLAIM_FOLDER], owner[RECORD_PATH], container_id[RECORD_NAME + 1];

	container_of(container_id, record);
	claim_sandbox(folder, container_id);
	return !claim_owner(owner, r, folder) || strcmp(owner, record) == 0;
}

/* The one that the record names, else what the caller was told, else what is there by now. */
static const char *file_of(const json_t *record, const char *path, const char *told,
			   char known[static PATH_MAX])
{
	const char *named = record_string(record, "file");
	char container_id[RECORD_NAME + 1];

	if (named || told)
		return named ? named : told;
	container_of(container_id, path);
	return sandbox_find_known(known, container_id, true) ? known : NULL;
}

static enum settled settle_locked(const struct rundir *r, const char *path, const char *file,
				  bool again, bool readers, struct warnings *w, struct err *e)
{
	json_auto_t *record = NULL;
	struct err ignored = { 0 };
	char known[PATH_MAX];
	enum settled settled;

	if (record_read(&record, r, path) != RECORD_KNOWN || !waits(record, again))
		return SETTLED;
	file = file_of(record, path, file, known);
	if (!is_owner(r, path)) {
		(void)conclude(r, path, record, "missed",
			       "a later attachment of the pod has the file", &ignored);
		return SETTLED;
	}
	if (!file || !is_whole(file))
		return SETTLE_LATER;
	settled = write_file(record, file, readers, w, e);
	if (settled == SETTLED)
		return conclude(r, path, record, record_string(record, "text") ? "written" : NULL,
				NULL, e)
			       ? SETTLED
			       : SETTLE_FAILED;
	(void)conclude(r, path, record, "missed", arena_print(w->arena, "%s", e->text), &ignored);
	return settled;
}

enum settled settle(struct rundir *r, const char *record, const char *path, bool again,
		    bool readers, struct warnings *w, struct err *e)
{
	enum settled settled;

	if (!rundir_lock(r, e))
		return SETTLE_FAILED;
	settled = settle_locked(r, record, path, again, readers, w, e);
	rundir_unlock(r);
	return settled;
}

bool settle_is_due(const struct rundir *r, const char *path)
{
	json_auto_t *record = NULL;

	return record_read(&record, r, path) == RECORD_KNOWN && waits(record, false);
}

void settle_miss(struct rundir *r, const char *path, const char *why)
{
	json_auto_t *record = NULL;
	struct err ignored = { 0 };

	if (!rundir_lock(r, &ignored))
		return;
	if (record_read(&record, r, path) == RECORD_KNOWN && waits(record, false))
		(void)conclude(r, path, record, "missed", why, &ignored);
	rundir_unlock(r);
}
