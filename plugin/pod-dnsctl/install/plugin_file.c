/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_file.c: the program of the plugin, and its copy in the runtime's folder of plugins. */
#include "pod-dnsctl/install/plugin_file.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/install/bundle.h"
#include "pod-dnsctl/install/file_durable.h"
#include "file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define PLUGIN "pod-dns"

#ifndef CNI_BIN_DIR /* the Makefile's */
#define CNI_BIN_DIR "/opt/cni/bin"
#endif

/* The path of the plugin beside this program. */
static bool name_beside(char out[static PATH_MAX], struct err *e)
{
	ssize_t len = readlink("/proc/self/exe", out, PATH_MAX - 1);
	char *slash;

	if (len < 0)
		return err_errno(e, ERR_IO, "/proc/self/exe");
	out[len] = '\0';
	slash = strrchr(out, '/');
	if (!slash || (size_t)(slash + 1 - out) + strlen(PLUGIN) >= PATH_MAX)
		return err_set(e, ERR_IO, "%s: the path is too long", out);
	memcpy(slash + 1, PLUGIN, strlen(PLUGIN) + 1);
	return true;
}

bool plugin_file_find(struct plugin_file *p, const char *folder, struct err *e)
{
	const char *const folders[] = { CNI_BIN_DIR, folder, "/opt/cni/bin", "/usr/lib/cni" };

	if (snprintf(p->to, sizeof p->to, "%s/" PLUGIN, folder) >= PATH_MAX)
		return err_set(e, ERR_IO, "%s: the path is too long", folder);
	if (!name_beside(p->from, e))
		return false;
	for (size_t i = 0; i < LEN(folders) && access(p->from, X_OK) < 0; i++)
		(void)snprintf(p->from, sizeof p->from, "%s/" PLUGIN, folders[i]);
	return access(p->from, X_OK) == 0 ||
	       err_set(e, ERR_IO,
		       "the plugin " PLUGIN " is neither beside pod-dnsctl nor in %s: make install "
		       "CNI_BIN_DIR=%s",
		       folder, folder);
}

static bool is_same_path(const char *a, const char *b)
{
	struct stat one, two;

	return lstat(a, &one) == 0 && lstat(b, &two) == 0 &&
	       file_same(file_id(&one), file_id(&two));
}

bool plugin_file_is_there(const struct plugin_file *p)
{
	if (bundle_is_at(p->from))
		return bundle_is_installed(p->from, p->to);
	return is_same_path(p->from, p->to) || file_durable_is_copy(p->from, p->to);
}

bool plugin_file_copy(const struct plugin_file *p, struct out *out, struct err *e)
{
	const bool there = plugin_file_is_there(p), bundle = bundle_is_at(p->from);

	if (bundle ? !bundle_install(p->from, p->to, e)
		   : !there && !file_durable_copy(p->from, p->to, e))
		return false;
	if (!there)
		out_line(out, "%s: copied", p->to);
	return true;
}

bool plugin_file_remove(const struct netdir *dirs, struct out *out, struct err *e)
{
	char beside[PATH_MAX];
	bool own;

	if (!name_beside(beside, e))
		return false;
	own = access(beside, F_OK) == 0;
	for (size_t i = 0; i < NETDIR_BINS && dirs->bins[i]; i++) {
		struct plugin_file p = { 0 };

		if (!plugin_file_find(&p, dirs->bins[i], NULL) || is_same_path(p.from, p.to) ||
		    faccessat(AT_FDCWD, p.to, F_OK, AT_SYMLINK_NOFOLLOW) < 0 ||
		    (!own && !file_durable_is_copy(p.from, p.to)))
			continue;
		if (!bundle_remove(p.to, e) || !file_durable_remove(p.to, e))
			return false;
		out_line(out, "%s: removed", p.to);
	}
	return true;
}
