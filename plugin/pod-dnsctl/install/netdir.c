/* SPDX-License-Identifier: Apache-2.0 */
/* netdir.c: finds the folders where a node's container runtime has networks and plugins. */
#include "pod-dnsctl/install/netdir.h"
#include "file.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>

enum { CONFIGURATION_MAX = 1 << 20 /* bytes */, SETTLE_MS = 200 };

/*** configuration of runtimes ***/

/* The string at the beginning of a TOML value; NULL: there is none. */
static const char *toml_string(const char **rest, struct arena *a)
{
	const char *from = *rest + strspn(*rest, " \t[,\n"), *end;

	if (*from != '"' && *from != '\'')
		return NULL;
	end = strchr(from + 1, *from);
	if (!end || memchr(from, '\n', (size_t)(end - from)))
		return NULL;
	*rest = end + 1;
	return arena_print(a, "%.*s", (int)(end - from - 1), from + 1);
}

/* The value in a line "key = value"; NULL: it is another line. */
static const char *toml_value(const char *line, const char *key)
{
	size_t len = strlen(key);

	line += strspn(line, " \t");
	if (strncmp(line, key, len) != 0)
		return NULL;
	line += len + strspn(line + len, " \t");
	return *line == '=' ? line + 1 : NULL;
}

static void read_bins(struct netdir *n, const char *value, struct arena *a)
{
	const char *folder;
	size_t count = 0;

	while (count < NETDIR_BINS - 1 && (folder = toml_string(&value, a)))
		if (*folder)
			n->bins[count++] = folder;
	if (count)
		n->bins[count] = NULL;
}

static void read_toml_line(struct netdir *n, const char *line, struct arena *a)
{
	static const char *const confs[] = { "conf_dir", "network_dir" };
	static const char *const bins[] = { "bin_dirs", "bin_dir", "plugin_dirs" };
	const char *value, *folder;

	for (size_t i = 0; i < LEN(confs); i++)
		if ((value = toml_value(line, confs[i])) && (folder = toml_string(&value, a)) &&
		    *folder)
			n->conf = folder;
	for (size_t i = 0; i < LEN(bins); i++)
		if ((value = toml_value(line, bins[i])))
			read_bins(n, value, a);
}

void netdir_read(struct netdir *n, const char *text, struct arena *a)
{
	for (const char *line = text; *line; line += *line == '\n') {
		read_toml_line(n, line, a);
		line += strcspn(line, "\n");
	}
}

static void read_files(struct netdir *n, const char *pattern, struct arena *a)
{
	glob_t found;

	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		auto_text text = TEXT_UP_TO(CONFIGURATION_MAX);

		if (file_read(&text, AT_FDCWD, found.gl_pathv[i], true, NULL))
			netdir_read(n, text.at, a);
	}
	globfree(&found);
}

void netdir_find(struct netdir *n, struct arena *a)
{
	static const struct {
		const char *configuration, *socket;
	} runtimes[] = {
		{ "/etc/crio/crio.conf", "/run/crio/crio.sock" },
		{ "/etc/crio/crio.conf.d/*.conf", "/run/crio/crio.sock" },
		{ "/etc/containerd/config.toml", "/run/containerd/containerd.sock" },
	};

	*n = (struct netdir){
		.conf = "/etc/cni/net.d",
		.bins = { "/opt/cni/bin", "/usr/lib/cni", "/usr/libexec/cni" },
	};
	for (size_t i = 0; i < LEN(runtimes); i++) {
		read_files(n, runtimes[i].configuration, a);
		if (access(runtimes[i].socket, F_OK) == 0)
			n->socket = runtimes[i].socket;
	}
}

const char *netdir_bin_of(const struct netdir *n, const char *type)
{
	char path[PATH_MAX];

	for (size_t i = 0; type && !strchr(type, '/') && i < NETDIR_BINS && n->bins[i]; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", n->bins[i], type);
		if (access(path, X_OK) == 0)
			return n->bins[i];
	}
	return n->bins[0];
}

/*** its folder ***/

bool netdir_is_network(const char *name)
{
	static const char *const endings[] = { ".conf", ".conflist", ".json" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < LEN(endings); i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

bool netdir_first(char out[static NAME_MAX + 1], const char *folder, struct err *e)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	*out = '\0';
	if (!dir)
		return err_errno(e, ERR_IO, "%s", folder);
	for (errno = 0; (entry = readdir(dir)); errno = 0)
		if (netdir_is_network(entry->d_name) && (!*out || strcmp(entry->d_name, out) < 0))
			(void)snprintf(out, NAME_MAX + 1, "%s", entry->d_name);
	if (errno)
		(void)err_errno(e, ERR_IO, "%s", folder);
	(void)closedir(dir);
	return !e->code;
}

bool netdir_lock(int *turn, const char *folder, struct err *e)
{
	auto_fd fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*turn = -1;
	if (fd < 0)
		return errno == ENOENT || err_errno(e, ERR_IO, "%s", folder);
	while (flock(fd, LOCK_EX) < 0)
		if (errno != EINTR)
			return err_errno(e, ERR_IO, "%s: the lock", folder);
	*turn = take_fd(&fd);
	return true;
}

bool cni_dirs_announce(const char *folder, const char *name, struct err *e)
{
	char path[PATH_MAX];
	auto_fd fd = -1;

	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0) /* in what is read-only nobody chains again */
		return errno == ENOENT || errno == EROFS || err_errno(e, ERR_IO, "%s", path);
	return unlink(path) == 0 || err_errno(e, ERR_IO, "%s", path);
}

/*** watching it ***/

/* Again after lost events: the folder may be another one by then, or gone. */
static bool add_watch(const struct netdir_watch *w, struct err *e)
{
	static const uint32_t what =
		IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF;

	return inotify_add_watch(w->fd, w->folder, what) >= 0 ||
	       err_errno(e, ERR_IO, "%s", w->folder);
}

bool netdir_watch_begin(struct netdir_watch *w, const char *folder, struct err *e)
{
	w->folder = folder;
	w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	return w->fd >= 0 ? add_watch(w, e) : err_errno(e, ERR_IO, "inotify");
}

static bool take_event(struct netdir_watch *w, const struct inotify_event *event, struct err *e)
{
	if (event->mask & IN_IGNORED)
		return err_set(e, ERR_IO, "%s: the folder of networks is gone", w->folder);
	if (event->mask & IN_Q_OVERFLOW) {
		w->lost = true;
		return add_watch(w, e);
	}
	if (event->len && strcmp(event->name, NETDIR_UNINSTALL) == 0)
		w->uninstalled = true;
	if (event->len && strcmp(event->name, NETDIR_INSTALL) == 0)
		w->uninstalled = false;
	return true;
}

bool netdir_watch_read(struct netdir_watch *w, struct err *e)
{
	_Alignas(struct inotify_event) char buffer[4096];
	ssize_t len;

	while ((len = read(w->fd, buffer, sizeof buffer)) > 0)
		for (const char *at = buffer; at < buffer + len;) {
			const struct inotify_event *event = (const void *)at;

			if (!take_event(w, event, e))
				return false;
			at += sizeof *event + event->len;
		}
	return len == 0 || errno == EAGAIN || errno == EINTR || err_errno(e, ERR_IO, "inotify");
}

bool netdir_watch_wait(struct netdir_watch *w, struct err *e)
{
	struct pollfd on = { .fd = w->fd, .events = POLLIN };
	int ready = poll(&on, 1, -1);

	while (ready > 0) {
		if (!netdir_watch_read(w, e))
			return false;
		ready = poll(&on, 1, SETTLE_MS);
	}
	return ready == 0 || errno == EINTR || err_errno(e, ERR_IO, "inotify");
}
