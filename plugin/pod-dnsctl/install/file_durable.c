/* SPDX-License-Identifier: Apache-2.0 */
/* file_durable.c: replaces files so that a crash leaves the old one or the new one. */
#include "pod-dnsctl/install/file_durable.h"
#include "file.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { PROGRAM_MAX = 64 << 20 }; /* bytes */

static bool sync_folder_of(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	auto_fd fd = -1;

	(void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
		       slash ? path : ".");
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0)
		return err_errno(e, ERR_IO, "%s", folder);
	return true;
}

/* A hidden name beside `path`, with an ending that no runtime loads. */
static bool new_name(char out[static PATH_MAX], const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	int len = snprintf(out, PATH_MAX, "%.*s.%s" DURABLE_NEW, (int)(name - path), path, name);

	return len < PATH_MAX || err_set(e, ERR_IO, "%s: the name is too long", path);
}

static bool write_copy(const char *path, const char *text, size_t len, const struct stat *like)
{
	auto_fd fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0 || !file_write_at(fd, text, len, 0) ||
	    fchown(fd, like->st_uid, like->st_gid) < 0 || fchmod(fd, like->st_mode & 07777) < 0 ||
	    fsync(fd) < 0)
		return false;
	return close(take_fd(&fd)) == 0;
}

bool file_durable_check(const char *path, const struct stat *seen, struct err *e)
{
	struct stat now;

	return (lstat(path, &now) == 0 && file_same(file_id(&now), file_id(seen)) &&
		now.st_size == seen->st_size && now.st_mtim.tv_sec == seen->st_mtim.tv_sec &&
		now.st_mtim.tv_nsec == seen->st_mtim.tv_nsec) ||
	       err_set(e, ERR_AGAIN, "%s: its owner has changed it meanwhile", path);
}

/* `seen`: what `path` must still be; or NULL. */
static bool replace_file(const char *path, const struct text *text, const struct stat *like,
			 const struct stat *seen, struct err *e)
{
	char temp[PATH_MAX];

	if (!new_name(temp, path, e))
		return false;
	if (unlink(temp) < 0 && errno != ENOENT)
		return err_errno(e, ERR_IO, "%s", temp);
	if (!write_copy(temp, text->at, text->len, like) ||
	    (seen && !file_durable_check(path, seen, e)) || rename(temp, path) < 0) {
		(void)err_errno(e, ERR_IO, "%s", path);
		(void)unlink(temp);
		return false;
	}
	return sync_folder_of(path, e);
}

bool file_durable_write(const char *path, const struct text *text, const struct stat *like,
			struct err *e)
{
	return replace_file(path, text, like, NULL, e);
}

bool file_durable_replace(const char *path, const struct text *text, const struct stat *seen,
			  struct err *e)
{
	return replace_file(path, text, seen, seen, e);
}

bool file_durable_is_copy(const char *from, const char *path)
{
	auto_text program = TEXT_UP_TO(PROGRAM_MAX), now = TEXT_UP_TO(PROGRAM_MAX);
	struct stat st;

	return file_read(&program, AT_FDCWD, from, true, NULL) &&
	       file_read(&now, AT_FDCWD, path, true, NULL) && now.len == program.len &&
	       memcmp(now.at, program.at, now.len) == 0 && stat(path, &st) == 0 &&
	       (st.st_mode & 0777) == 0755;
}

bool file_durable_copy(const char *from, const char *path, struct err *e)
{
	const struct stat like = { .st_uid = 0, .st_gid = 0, .st_mode = 0755 };
	auto_text program = TEXT_UP_TO(PROGRAM_MAX);

	if (file_durable_is_copy(from, path))
		return true;
	return file_read(&program, AT_FDCWD, from, true, e) &&
	       file_durable_write(path, &program, &like, e);
}

bool file_durable_rename(const char *from, const char *to, struct err *e)
{
	if (rename(from, to) < 0)
		return err_errno(e, ERR_IO, "%s", to);
	return sync_folder_of(to, e);
}

enum file_durable_exchanged file_durable_exchange(const char *from, const char *to, struct err *e)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0)
		return sync_folder_of(to, e) ? DURABLE_EXCHANGED : DURABLE_FAILED;
	if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP || errno == EXDEV)
		return DURABLE_CANNOT;
	(void)err_errno(e, ERR_IO, "%s", to);
	return DURABLE_FAILED;
}

bool file_durable_link(const char *from, const char *to, struct err *e)
{
	if (link(from, to) < 0)
		return err_errno(e, ERR_IO, "%s", to);
	return sync_folder_of(to, e);
}

bool file_durable_remove(const char *path, struct err *e)
{
	if (unlink(path) < 0 && errno != ENOENT)
		return err_errno(e, ERR_IO, "%s", path);
	return sync_folder_of(path, e);
}
