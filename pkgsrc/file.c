/* SPDX-License-Identifier: Apache-2.0 */
/* file.c: files, read whole, replaced whole, or rewritten in place. */
#include "file.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct file_id file_id(const struct stat *st)
{
	return (struct file_id){ st->st_dev, st->st_ino };
}

bool file_same(struct file_id a, struct file_id b)
{
	return a.dev == b.dev && a.ino == b.ino;
}

bool file_read_fd(struct text *out, int fd, const char *what, struct err *e)
{
	char part[4096];
	ssize_t got;

	text_put(out, "", 0); /* an empty file is "", not NULL */
	while ((got = read(fd, part, sizeof(part))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_errno(e, ERR_IO, "%s", what);
		text_put(out, part, (size_t)got);
		if (!text_ok(out))
			return err_set(e, ERR_IO, "%s: longer than %zu bytes", what, out->max);
	}
	return true;
}

bool file_read(struct text *out, int dir, const char *path, bool follow, struct err *e)
{
	/* O_NONBLOCK: a FIFO in the file's place must not block. */
	auto_fd fd =
		openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(e, ERR_IO, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_IO, "%s: not a regular file", path);
	return file_read_fd(out, fd, path, e);
}

bool file_write_at(int fd, const char *bytes, size_t len, off_t at)
{
	while (len) {
		ssize_t put = pwrite(fd, bytes, len, at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		bytes += put;
		at += put;
		len -= (size_t)put;
	}
	return true;
}

static bool file_holds(int dir, const char *path, const char *text, size_t len, mode_t mode)
{
	auto_fd fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	auto_text now = TEXT_UP_TO(len);
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_mode & 07777) == mode && (size_t)st.st_size == len &&
	       file_read_fd(&now, fd, path, NULL) && now.len == len &&
	       (!len || memcmp(now.at, text, len) == 0);
}

static bool write_new(int dir, const char *temp, const char *text, size_t len, mode_t mode)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	auto_fd fd = openat(dir, temp, flags, mode);

	if (fd < 0 && errno == EEXIST && unlinkat(dir, temp, 0) == 0)
		fd = openat(dir, temp, flags, mode);
	if (fd < 0 || !file_write_at(fd, text, len, 0))
		return false;
	return close(take_fd(&fd)) == 0;
}

bool file_replace(int dir, const char *path, const char *temp, const char *text, size_t len,
		  mode_t mode, struct err *e)
{
	if (file_holds(dir, path, text, len, mode))
		return true;
	if (!write_new(dir, temp, text, len, mode) || renameat(dir, temp, dir, path) < 0) {
		(void)err_errno(e, ERR_IO, "%s", path);
		(void)unlinkat(dir, temp, 0);
		return false;
	}
	return true;
}

/*** in place ***/

static bool newlines_at(int fd, size_t count, off_t at)
{
	auto_text lf = TEXT_UP_TO(count);

	for (size_t i = 0; i < count; i++)
		text_put(&lf, "\n", 1);
	return text_ok(&lf) && file_write_at(fd, lf.at, lf.len, at);
}

static bool rewrite(int fd, const struct text *old, const struct text *text, bool readers)
{
	auto_text padded = TEXT_UP_TO(SIZE_MAX / 2);

	if (text->len > old->len) {
		if (!newlines_at(fd, text->len - old->len, (off_t)old->len))
			return false;
		if (readers)
			(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	text_put(&padded, text->at ? text->at : "", text->len);
	while (padded.len < old->len && text_ok(&padded))
		text_put(&padded, "\n", 1);
	return text_ok(&padded) && file_write_at(fd, padded.at, padded.len, 0) &&
	       ftruncate(fd, (off_t)text->len) == 0;
}

bool file_rewrite(int fd, const struct text *old, const struct text *text, bool readers,
		  struct err *e)
{
	if (rewrite(fd, old, text, readers))
		return true;
	(void)err_errno(e, ERR_IO, "write");
	if (!file_write_at(fd, old->at, old->len, 0) || ftruncate(fd, (off_t)old->len) < 0)
		return err_in(e, "the old text could not be put back: ");
	return false;
}
