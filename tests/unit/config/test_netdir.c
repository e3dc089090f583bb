/* SPDX-License-Identifier: Apache-2.0 */
/* Where runtimes look for networks and plugins: their configurations, and the order of names. */
#include "config/netdir.h"
#include "rows.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const struct row {
	const char *name, *text;
	const char *conf, *bin, *bin2, *socket;
} rows[] = {
	{ "nothing", "", "/d", "/b", NULL, NULL },
	{ "containerd 1.6",
	  "version = 2\n[plugins.'x'.cni]\n  bin_dir = '/opt/b'\n  conf_dir = '/etc/c'\n", "/etc/c",
	  "/opt/b", NULL, NULL },
	{ "containerd 2", "[x]\nbin_dirs = ['/one', \"/two\"]\nconf_dir=\"/etc/c\"", "/etc/c",
	  "/one", "/two", NULL },
	{ "CRI-O",
	  "[crio.network]\nnetwork_dir = \"/n\"\nplugin_dirs = [\n\t\"/p\",\n\t\"/q\",\n]\n", "/n",
	  "/p", "/q", NULL },
	{ "containerd's sockets",
	  "[debug]\naddress = '/no'\n[grpc]\n  gid = 0\n  address = '/s'\n[ttrpc]\naddress = "
	  "'/no'\n",
	  "/d", "/b", NULL, "/s" },
	{ "CRI-O's socket",
	  "[crio]\nlisten = '/no'\n[crio.api]\nlisten = \"/s\"\n[crio.metrics]\naddress = '/no'\n",
	  "/d", "/b", NULL, "/s" },
	{ "a socket without a name", "[grpc]\naddress = ''\n", "/d", "/b", NULL, NULL },
	{ "a comment", "# conf_dir = '/no'\n", "/d", "/b", NULL, NULL },
	{ "an empty word", "conf_dir = ''\nbin_dir = ''\n", "/d", "/b", NULL, NULL },
	{ "a longer key", "conf_dir_old = '/no'\nbin_dirs_x = ['/no']\n", "/d", "/b", NULL, NULL },
	{ "a string without an end", "conf_dir = '/no\nbin_dir = '/yes'\n", "/d", "/yes", NULL,
	  NULL },
};

static void reads(void **state)
{
	const struct row *row = *state;
	auto_arena a = { 0 };
	struct netdir n = { .conf = "/d", .bins = { "/b" } };

	netdir_read(&n, row->text, &a);
	assert_string_equal(n.conf, row->conf);
	assert_string_equal(n.bins[0], row->bin);
	if (row->bin2)
		assert_string_equal(n.bins[1], row->bin2);
	else
		assert_null(n.bins[1]);
	if (row->socket)
		assert_string_equal(n.socket, row->socket);
	else
		assert_null(n.socket);
}

static void touch(const char *folder, const char *name)
{
	char path[PATH_MAX];
	int fd;

	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
}

static void takes_the_first_by_name(void **state UNUSED)
{
	static const char *const names[] = { "20-b.conflist",
					     "10-a.conflist.pod-dns-saved",
					     ".00-x.conflist.pod-dns-new",
					     "00-readme",
					     "15-c.json",
					     "15-c.conf" };
	char folder[] = "/tmp/pdt-netdir-XXXXXX", first[NAME_MAX + 1], command[64];
	struct err e = { 0 };

	assert_non_null(mkdtemp(folder));
	assert_true(netdir_first(first, folder, &e));
	assert_string_equal(first, "");
	for (size_t i = 0; i < LEN(names); i++)
		touch(folder, names[i]);
	assert_true(netdir_first(first, folder, &e));
	assert_string_equal(first, "15-c.conf");
	(void)snprintf(command, sizeof command, "rm -r %s", folder);
	assert_int_equal(system(command), 0); /* NOLINT: a folder of the test's own */
	assert_false(netdir_first(first, folder, &e));
}

int main(void)
{
	const struct CMUnitTest others[] = { cmocka_unit_test(takes_the_first_by_name) };

	return RUN_ROWS("netdir", rows, reads) + RUN_TESTS("files", others);
}
