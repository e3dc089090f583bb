/* SPDX-License-Identifier: Apache-2.0 */
/* pending_file.c: whether the runtime has finished its file, and what may be overwritten. */
#include "arena.h"
#include "file.h"
#include "targets/inplace.h"
#include "resolv.h"
#include "attachment/pending_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { STILL = 2 }; /* seconds without a write: then the runtime has finished */

bool pending_is_undecided(const struct record *record)
{
	return !record->text && record->deferred.conf;
}

static bool same_list(const struct resolv_list *a, const struct resolv_list *b)
{
	if (a->n != b->n || a->lost || b->lost)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->at[i].text, b->at[i].text) != 0)
			return false;
	return true;
}

bool pending_says(const struct text *now, const char *wanted)
{
	auto_text a = TEXT_UP_TO(INPLACE_MAX), b = TEXT_UP_TO(INPLACE_MAX);
	auto_arena arena = { 0 };
	struct resolv x, y;

	text_put(&a, now->at, now->len);
	text_print(&b, "%s", wanted ? wanted : "");
	if (!wanted || !text_ok(&a) || !text_ok(&b))
		return false;
	(void)resolv_parse(&x, a.at, a.len, RESOLV_VERBATIM, 0, &arena);
	(void)resolv_parse(&y, b.at, b.len, RESOLV_VERBATIM, 0, &arena);
	return arena_ok(&arena) && same_list(&x.nameservers, &y.nameservers) &&
	       same_list(&x.searches, &y.searches) && same_list(&x.options, &y.options);
}

/*** the file as it is ***/

bool pending_is_being_written(int fd)
{
	(void)signal(SIGIO, SIG_IGN); /* comes when another process breaks the lease */
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		return errno == EAGAIN;
	(void)fcntl(fd, F_SETLEASE, F_UNLCK);
	return false;
}

static bool is_still(int fd)
{
	struct timespec now;
	struct stat st;

	if (fstat(fd, &st) < 0 || clock_gettime(CLOCK_REALTIME, &now) < 0)
		return true;
	return st.st_mtim.tv_sec > now.tv_sec || now.tv_sec - st.st_mtim.tv_sec > STILL;
}

bool pending_is_early(int fd, const struct record *record)
{
	const char *expected = record->inputs.runtime_text;
	auto_text now = TEXT_UP_TO(INPLACE_MAX);
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || is_still(fd) ||
	    !file_read_fd(&now, fd, "", NULL))
		return false;
	if (!record->text)
		return pending_is_undecided(record) && !now.len;
	return expected ? now.len && !pending_says(&now, expected)
			: pending_says(&now, record->text);
}

static bool read_times(struct statx *st, int fd)
{
	return statx(fd, "", AT_EMPTY_PATH, STATX_MTIME | STATX_BTIME, st) == 0 &&
	       (st->stx_mask & STATX_BTIME);
}

bool pending_has_birth(int fd)
{
	struct statx st;

	return read_times(&st, fd);
}

bool pending_is_as_made(int fd)
{
	enum { IN_ONE_GO = 2 }; /* seconds */
	struct statx st;

	return read_times(&st, fd) && st.stx_mtime.tv_sec - st.stx_btime.tv_sec <= IN_ONE_GO;
}
