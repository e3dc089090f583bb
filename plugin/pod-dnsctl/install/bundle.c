/* SPDX-License-Identifier: Apache-2.0 */
/* bundle.c: installs the programs with their loader and libraries, for hosts without these. */
#include "pod-dnsctl/install/bundle.h"
#include "pod-dnsctl/install/file_durable.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Libraries first, so that a program that is there can be loaded. */
static const char *const parts[] = { "lib", "bin" };

/* The target of the link at the plugin's name. */
static const char linked[] = BUNDLE_FOLDER "/bin/pod-dns";

/* The bundle's folder, from the path of a program in its bin. */
static bool bundle_folder(char out[static PATH_MAX], const char *program)
{
	const char *end = strrchr(program, '/');

	while (end && end > program && end[-1] != '/')
		end--;
	return end && end > program &&
	       snprintf(out, PATH_MAX, "%.*s", (int)(end - 1 - program), program) < PATH_MAX;
}

static bool join_path(char out[static PATH_MAX], const char *folder, const char *name,
		      struct err *e)
{
	return snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX ||
	       err_set(e, ERR_IO, "%s/%s: the path is too long", folder, name);
}

bool bundle_is_at(const char *program)
{
	char folder[PATH_MAX], loader[PATH_MAX];

	return bundle_folder(folder, program) && join_path(loader, folder, "lib/ld.so", NULL) &&
	       access(loader, F_OK) == 0;
}

/* The bundle's folder: below the root that `plugin` lies in, "" or "/host". */
static void bundle_of(char out[static PATH_MAX], const char *plugin)
{
	static const char *const bins[] = { "/opt/cni/bin/", "/usr/lib/cni/", "/usr/libexec/cni/" };
	const char *at = NULL;

	for (size_t i = 0; !at && i < LEN(bins); i++)
		at = strstr(plugin, bins[i]);
	if (!at ||
	    snprintf(out, PATH_MAX, "%.*s" BUNDLE_FOLDER, (int)(at - plugin), plugin) >= PATH_MAX)
		(void)snprintf(out, PATH_MAX, BUNDLE_FOLDER);
}

static bool make_bundle_folder(const char *path, struct err *e)
{
	return mkdir(path, 0755) == 0 || errno == EEXIST || err_errno(e, ERR_IO, "%s", path);
}

static int is_inside(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

/* Calls `what` for each file of a folder, which may be missing, with the path of that name in `to`,
 * until one returns false. */
typedef bool file_doer(const char *from, const char *to, struct err *e);
static bool each_file(const char *folder, const char *to, file_doer *what, struct err *e)
{
	struct dirent **names;
	int n = scandir(folder, &names, is_inside, alphasort);
	bool good = true;

	if (n < 0)
		return errno == ENOENT || err_errno(e, ERR_IO, "%s", folder);
	for (int i = 0; i < n; i++) {
		char old[PATH_MAX], new[PATH_MAX];

		good = good && join_path(old, folder, names[i]->d_name, e) &&
		       join_path(new, to, names[i]->d_name, e) && what(old, new, e);
		free(names[i]);
	}
	free(names);
	return good;
}

static bool is_same_file(const char *from, const char *to, struct err *e UNUSED)
{
	return file_durable_is_copy(from, to);
}

static bool remove_file(const char *path, const char *to UNUSED, struct err *e)
{
	return file_durable_remove(path, e);
}

static bool remove_folder(const char *path, struct err *e)
{
	return each_file(path, "", remove_file, e) &&
	       (rmdir(path) == 0 || errno == ENOENT || err_errno(e, ERR_IO, "%s", path));
}

/* In one step where the file system can. */
static bool put_bundle_folder(const char *fresh, const char *to, struct err *e)
{
	if (access(to, F_OK) < 0)
		return file_durable_rename(fresh, to, e);
	switch (file_durable_exchange(fresh, to, e)) {
	case DURABLE_FAILED:
		return false;
	case DURABLE_CANNOT:
		if (!each_file(fresh, to, file_durable_rename, e))
			return false;
		break;
	case DURABLE_EXCHANGED:
		break;
	}
	return remove_folder(fresh, e);
}

/*
 * One of the bundle's folders. It is made aside and then takes the old one's place: the loader of
 * one version and the C library of another start no program. Files of a killed run are replaced.
 */
static bool install_part(const char *from, const char *to, struct err *e)
{
	char fresh[PATH_MAX];

	if (snprintf(fresh, sizeof fresh, "%s" DURABLE_NEW, to) >= (int)sizeof fresh)
		return err_set(e, ERR_IO, "%s: the path is too long", to);
	if (!remove_folder(fresh, e))
		return false;
	if (each_file(from, to, is_same_file, e))
		return true;
	return !e->code && make_bundle_folder(fresh, e) &&
	       each_file(from, fresh, file_durable_copy, e) && put_bundle_folder(fresh, to, e);
}

static bool is_linked(const char *plugin)
{
	char now[PATH_MAX] = "";

	return readlink(plugin, now, sizeof now - 1) >= 0 && strcmp(now, linked) == 0;
}

static bool link_plugin(const char *plugin, struct err *e)
{
	char temp[PATH_MAX];

	if (is_linked(plugin))
		return true;
	if (snprintf(temp, sizeof temp, "%s" DURABLE_NEW, plugin) >= (int)sizeof temp)
		return err_set(e, ERR_IO, "%s: the path is too long", plugin);
	if (!file_durable_remove(temp, e))
		return false;
	return (symlink(linked, temp) == 0 || err_errno(e, ERR_IO, "%s", temp)) &&
	       file_durable_rename(temp, plugin, e);
}

bool bundle_is_installed(const char *program, const char *plugin)
{
	char from[PATH_MAX], place[PATH_MAX], part[PATH_MAX], to[PATH_MAX];
	bool same = is_linked(plugin) && bundle_folder(from, program);

	bundle_of(place, plugin);
	for (size_t i = 0; same && i < LEN(parts); i++)
		same = join_path(part, from, parts[i], NULL) &&
		       join_path(to, place, parts[i], NULL) &&
		       each_file(part, to, is_same_file, NULL);
	return same;
}

bool bundle_install(const char *program, const char *plugin, struct err *e)
{
	char from[PATH_MAX], to[PATH_MAX], place[PATH_MAX];

	bundle_of(place, plugin);
	if (!bundle_folder(from, program) || !make_bundle_folder(place, e))
		return false;
	for (size_t i = 0; i < LEN(parts); i++) {
		char part[PATH_MAX];

		if (!join_path(part, from, parts[i], e) || !join_path(to, place, parts[i], e) ||
		    !install_part(part, to, e))
			return false;
	}
	return link_plugin(plugin, e);
}

bool bundle_remove(const char *plugin, struct err *e)
{
	static const char *const states[] = { "", DURABLE_NEW };
	char place[PATH_MAX], part[PATH_MAX];

	if (!is_linked(plugin))
		return true;
	bundle_of(place, plugin);
	for (size_t i = LEN(parts); i-- > 0;)
		for (size_t j = 0; j < LEN(states); j++)
			if (snprintf(part, sizeof part, "%s/%s%s", place, parts[i], states[j]) <
				    (int)sizeof part &&
			    !remove_folder(part, e))
				return false;
	(void)rmdir(place);
	return true;
}
