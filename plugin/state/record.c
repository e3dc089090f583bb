/* SPDX-License-Identifier: Apache-2.0 */
/* record.c: the record of an attachment: what ADD read, decided and did. */
#include "state/record.h"
#include "file.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a record: room for every place in it that a text of INPLACE_MAX goes to, escaped. */
enum { RECORD_MAX = 16 << 20 };

#define SUFFIX ".json"

bool record_path(char out[static RECORD_PATH], const struct attachment *at, struct err *e)
{
	size_t name = strlen(at->container_id) + 1 + strlen(at->ifname) + strlen(SUFFIX);

	if (name > RECORD_NAME)
		return err_set(
			e, ERR_ENV,
			"CNI_CONTAINERID and CNI_IFNAME make a name of %zu bytes, %d at most", name,
			RECORD_NAME);
	if (strlen(at->network) > RECORD_NAME)
		return err_set(e, ERR_ENV, "the network's name has %zu bytes, %d at most",
			       strlen(at->network), RECORD_NAME);
	(void)snprintf(out, RECORD_PATH, "%s/%s@%s" SUFFIX, at->network, at->container_id,
		       at->ifname);
	return true;
}

enum record_found record_read(struct record *out, const struct rundir *r, const char *path)
{
	auto_text text = TEXT_UP_TO(RECORD_MAX);
	enum record_found found = RECORD_DAMAGED;
	json_t *document, *version;

	*out = RECORD_BLANK;
	if (r->fd < 0)
		return RECORD_NONE;
	if (!file_read(&text, r->fd, path, false, NULL))
		return faccessat(r->fd, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT
			       ? RECORD_NONE
			       : RECORD_UNREADABLE;
	document = json_loadb(text.at, text.len, 0, NULL);
	version = json_object_get(document, "version");
	if (json_is_integer(version) && json_integer_value(version) != RECORD_VERSION)
		found = RECORD_ALIEN;
	else if (json_is_integer(version) && record_parse(out, document, NULL))
		return RECORD_KNOWN;
	json_decref(document);
	*out = RECORD_BLANK;
	return found;
}

bool record_write(const struct rundir *r, const char *path, const struct record *record,
		  struct err *e)
{
	json_auto_t *document = record_render(record);
	auto_mem char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
	char temp[RUNDIR_TEMP], folder[RECORD_NAME + 1];

	if (!text)
		return err_set(e, ERR_IO, "%s: out of memory", path);
	(void)snprintf(folder, sizeof(folder), "%.*s", (int)strcspn(path, "/"), path);
	rundir_temp(temp, path);
	return rundir_mkdir(r, folder, e) &&
	       (file_replace(r->fd, path, temp, text, strlen(text), 0600, e) ||
		err_in(e, RUNDIR "/"));
}

bool record_remove(const struct rundir *r, const char *path, struct err *e)
{
	char folder[RECORD_NAME + 1];

	rundir_remove_temp(r, path);
	if (unlinkat(r->fd, path, 0) < 0 && errno != ENOENT)
		return err_errno(e, ERR_IO, RUNDIR "/%s", path);
	(void)snprintf(folder, sizeof(folder), "%.*s", (int)strcspn(path, "/"), path);
	(void)unlinkat(r->fd, folder, AT_REMOVEDIR); /* another attachment's record may be there */
	return true;
}

void record_container(char out[static RECORD_NAME + 1], const char *record)
{
	const char *id = strchr(record, '/') + 1;

	(void)snprintf(out, RECORD_NAME + 1, "%.*s", (int)strcspn(id, "@"), id);
}

bool record_has_dns(const struct record *record)
{
	return record->decision.state == COMPUTED || record->decision.state == LEFT;
}

bool record_has_steering(const struct record *record)
{
	return record && record->steering.plan.mode != STEER_OFF && record->steering.plan.n;
}

bool record_wrote(const struct record *record, const char *text)
{
	for (size_t i = 0; i < record->written.n; i++)
		if (text_same_lines(record->written.at[i], text))
			return true;
	return false;
}

void record_add_warnings(struct record *record, const struct warnings *w)
{
	for (size_t i = 0; i < w->n && record->warnings.n < RECORD_WARNINGS; i++)
		record->warnings.at[record->warnings.n++] = w->at[i];
}

bool record_each(const struct rundir *r, const char *folder, record_visitor *visit, void *context)
{
	int fd = openat(r->fd, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool absent = fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP);
	DIR *open_folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool read;

	errno = 0;
	while (open_folder && (entry = readdir(open_folder))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			visit(entry->d_name, context);
		errno = 0;
	}
	read = absent || (open_folder && !errno);
	if (open_folder)
		(void)closedir(open_folder);
	else if (fd >= 0)
		(void)close(fd);
	return read;
}

struct walk {
	const struct rundir *r;
	const char *network;
	record_visitor *visit;
	void *context;
	bool blind; /* a network's folder cannot be read */
};

static void visit_record(const char *name, void *context)
{
	const struct walk *walk = context;
	const char *suffix = strrchr(name, '.');
	char path[RECORD_PATH];

	if (!strchr(name, '@') || !suffix || strcmp(suffix, SUFFIX) != 0)
		return;
	(void)snprintf(path, sizeof(path), "%s/%s", walk->network, name);
	walk->visit(path, walk->context);
}

static void visit_network(const char *name, void *context)
{
	struct walk *all = context, walk = *all;

	if (*name == '.')
		return;
	walk.network = name;
	if (!record_each(walk.r, name, visit_record, &walk))
		all->blind = true;
}

bool record_each_path(const struct rundir *r, const char *network, record_visitor *visit,
		      void *context)
{
	struct walk walk = { r, network, visit, context, false };

	if (network)
		return record_each(r, network, visit_record, &walk);
	return record_each(r, ".", visit_network, &walk) && !walk.blind;
}
