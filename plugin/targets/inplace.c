/* SPDX-License-Identifier: Apache-2.0 */
/* inplace.c: opens a resolv.conf that belongs to another program with care, and rewrites it in
 * place. */
#include "targets/inplace.h"
#include "targets/helper.h"
#include "targets/hostfile.h"
#include "targets/safepath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*** what may be written ***/

static bool check_regular(struct stat *st, int fd, const char *path, struct err *e)
{
	if (fstat(fd, st) < 0)
		return err_errno(e, ERR_TARGET, "%s", path);
	if (!S_ISREG(st->st_mode))
		return err_set(e, ERR_TARGET, "%s: not a regular file", path);
	if (st->st_nlink != 1)
		return err_set(e, ERR_TARGET, "%s: has %lu names", path,
			       (unsigned long)st->st_nlink);
	if (st->st_size > INPLACE_MAX)
		return err_set(e, ERR_TARGET, "%s: longer than %d bytes", path, INPLACE_MAX);
	return true;
}

bool inplace_check(int found, const char *path, const char *node, struct err *e)
{
	struct stat st;

	if (!check_regular(&st, found, path, e))
		return false;
	if (hostfile_is(file_id(&st), node))
		return err_set(e, ERR_TARGET, "%s: is the host's own resolver file", path);
	return true;
}

static bool adopt(struct inplace *f, int *fd, const char *path, struct err *e)
{
	f->old = TEXT_UP_TO(INPLACE_MAX);
	if (!file_read_fd(&f->old, *fd, path, e)) {
		text_done(&f->old);
		return false;
	}
	f->fd = take_fd(fd);
	return true;
}

/*
 * Opens what an O_PATH descriptor refers to, with O_RDWR or O_RDONLY, after its kind was checked: a
 * container's root may have a device or a FIFO there, and merely opening one can have effects.
 */
static bool reopen(struct inplace *f, int found, int access, const char *path, struct err *e)
{
	auto_fd fd = -1;
	struct stat st;
	char self[64];

	if (!check_regular(&st, found, path, e))
		return false;
	(void)snprintf(self, sizeof(self), "/proc/self/fd/%d", found);
	fd = open(self, access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(e, ERR_TARGET, "%s", path);
	return adopt(f, &fd, path, e);
}

int inplace_find(const char *path, const char *node, struct err *e)
{
	auto_fd found = safepath_open(path, e);

	return found >= 0 && inplace_check(found, path, node, e) ? take_fd(&found) : -1;
}

bool inplace_open(struct inplace *f, int found, const char *path, struct err *e)
{
	return reopen(f, found, O_RDWR, path, e);
}

bool inplace_look(struct inplace *f, int found, const char *path, struct err *e)
{
	return reopen(f, found, O_RDONLY, path, e);
}

/*** writing ***/

bool inplace_refresh(struct inplace *f, const char *path, struct err *e)
{
	text_done(&f->old);
	f->old = TEXT_UP_TO(INPLACE_MAX);
	if (lseek(f->fd, 0, SEEK_SET) < 0)
		return err_errno(e, ERR_IO, "%s", path);
	return file_read_fd(&f->old, f->fd, path, e);
}

bool inplace_write(struct inplace *f, const char *text, bool readers, struct err *e)
{
	struct text wanted = { .at = (char *)text, .len = strlen(text) };

	if (wanted.len == f->old.len && memcmp(f->old.at ? f->old.at : "", text, wanted.len) == 0)
		return true;
	f->wrote = text_hash(text, wanted.len);
	f->written = true;
	if (file_rewrite(f->fd, &f->old, &wanted, readers, e))
		return true;
	f->written = false; /* the old text is back */
	return false;
}

/* Only if the file still holds our text: another attachment may have written since. */
void inplace_undo(struct inplace *f)
{
	auto_text now = TEXT_UP_TO(INPLACE_MAX);

	if (helper_is_there(&f->helper))
		(void)helper_ask(&f->helper, INPLACE_UNDO, NULL);
	else if (f->written && lseek(f->fd, 0, SEEK_SET) == 0 &&
		 file_read_fd(&now, f->fd, "", NULL) && text_hash(now.at, now.len) == f->wrote)
		(void)file_rewrite(f->fd, &now, &f->old, false, NULL);
	f->written = false;
}

void inplace_close(struct inplace *f)
{
	if (f->fd >= 0)
		(void)close(f->fd);
	helper_end(&f->helper);
	text_done(&f->old);
	*f = INPLACE_NONE;
}
