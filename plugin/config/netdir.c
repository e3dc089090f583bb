/* SPDX-License-Identifier: Apache-2.0 */
/* netdir.c: finds the folders where a node's container runtime has networks and plugins. */
#include "config/netdir.h"
#include "file.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { CONFIGURATION_MAX = 1 << 20 /* bytes */ };

/*** configuration of runtimes ***/

/* The string at the beginning of a TOML value; NULL: it is missing. */
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

/* Both runtimes have more sockets than that of the CRI: only these sections count. */
static bool is_cri_section(const char *line)
{
	return strncmp(line, "[grpc]", strlen("[grpc]")) == 0 ||
	       strncmp(line, "[crio.api]", strlen("[crio.api]")) == 0;
}

void netdir_read(struct netdir *n, const char *text, struct arena *a)
{
	bool cri = false;

	for (const char *line = text; *line; line += *line == '\n') {
		const char *from = line + strspn(line, " \t"), *value, *socket;

		cri = *from == '[' ? is_cri_section(from) : cri;
		if (cri &&
		    ((value = toml_value(line, "address")) ||
		     (value = toml_value(line, "listen"))) &&
		    (socket = toml_string(&value, a)) && *socket)
			n->socket = socket;
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
		const char *before = n->socket;

		n->socket = runtimes[i].socket;
		read_files(n, runtimes[i].configuration, a);
		if (access(n->socket, F_OK) < 0)
			n->socket = before;
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
