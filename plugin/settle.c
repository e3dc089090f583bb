/* settle.c: a PENDING record and the runtime's file that has come since. */
#include "settle.h"
#include "account.h"
#include "inplace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

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

/* The text to write, deciding first where that had to wait; NULL, without an error: none. */
static bool decide(const char **text, json_t *record, const char *now, struct warnings *w,
		   struct err *e)
{
	static struct verdict verdict; /* large */
	const char *expected = record_string(json_object_get(record, "inputs"), "runtimeText");
	bool done;

	*text = record_string(record, "text");
	if (*text) {
		if (!expected || inplace_same(now, expected) || inplace_same(now, *text))
			return true;
		return err_set(e, ERR_TARGET, "the file is not as the runtime wrote it: left");
	}
	if (!json_is_object(json_object_get(record, "deferred")))
		return true;
	done = verdict_resume(&verdict, record, now, w, e) && account_settle(record, &verdict, w);
	*text = record_string(record, "text");
	if (verdict.decision.state == LEFT && !verdict.ask.dns.present)
		*text = NULL;
	verdict_done(&verdict);
	return done || err_set(e, ERR_IO, "out of memory");
}

static bool write_file(json_t *record, const char *path, bool readers, struct warnings *w,
		       struct err *e)
{
	struct inplace f = INPLACE_NONE;
	const char *text = NULL;
	bool done;

	if (!inplace_open(&f, path, NULL, e))
		return false;
	done = decide(&text, record, f.old.at, w, e) &&
	       (!text || inplace_write(&f, text, readers, e));
	inplace_close(&f);
	return done;
}

/* Says in the record what became of it. */
static bool conclude(const struct rundir *r, const char *path, json_t *record, const char *late,
		     const char *why, struct err *e)
{
	bool told = json_object_set_new(record, "late", json_string(late)) == 0 &&
		    (!why || json_object_set_new(record, "lateWhy", json_string(why)) == 0);

	if (!why)
		(void)json_object_del(record, "lateWhy");
	return (told || err_set(e, ERR_IO, "out of memory")) && record_write(r, path, record, e);
}

static bool waits(const json_t *record, bool again)
{
	const char *late = record_string(record, "late");

	return late && (strcmp(late, "pending") == 0 || (again && strcmp(late, "missed") == 0));
}

static enum settled settle_locked(const struct rundir *r, const char *path, const char *file,
				  bool again, bool readers, struct warnings *w, struct err *e)
{
	json_auto_t *record = NULL;
	struct err ignored = { 0 };
	char why[sizeof(e->text)];
	const char *named;

	if (record_read(&record, r, path) != RECORD_KNOWN || !waits(record, again))
		return SETTLED;
	named = record_string(record, "file");
	if (named)
		file = named;
	if (!file || !is_whole(file))
		return SETTLE_LATER;
	if (write_file(record, file, readers, w, e))
		return conclude(r, path, record, "written", NULL, e) ? SETTLED : SETTLE_FAILED;
	text_escape(why, sizeof(why), e->text);
	(void)conclude(r, path, record, "missed", why, &ignored);
	return SETTLE_FAILED;
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
