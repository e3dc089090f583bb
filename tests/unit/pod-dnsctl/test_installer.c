/* SPDX-License-Identifier: Apache-2.0 */
/* A chain that the runtime does not load is taken back, and each file is what it was. */
#include "pod-dnsctl/install/runtime.h"

static enum runtime_answer answer(struct ctl *ctl, const struct netdir *dirs,
				  const struct chain_file *chain);

#define runtime_await_chain answer
#include "pod-dnsctl/install/installer.c"

#include "file.h"
#include "rows.h"

#include <fcntl.h>

#define PLAIN  "{'name':'n','plugins':[{'type':'a'}]}"
#define WITH   "{'name':'n','plugins':[{'type':'a'},{'type':'pod-dns','mode':'off'}]}"
#define SINGLE "{'name':'n','type':'a'}"
#define OTHER  "{'name':'n','plugins':[{'type':'b'}]}"

static const struct row {
	const char *name, *file, *text;
	const char *saved;     /* what an earlier install has kept; NULL: nothing */
	const char *installed; /* what the lock's file holds; NULL: it is not there */
	bool overtaken;	       /* the file's owner writes OTHER while the runtime is asked */
} rows[] = {
	{ "a list", "10-n.conflist", PLAIN, NULL, NULL, false },
	{ "one plugin", "10-n.conf", SINGLE, NULL, NULL, false },
	{ "a list that has pod-dns", "10-n.conflist", WITH, PLAIN, "x", false },
	{ "a list that has pod-dns by other hands", "10-n.conflist", WITH, NULL, NULL, false },
	{ "its owner writes it meanwhile", "10-n.conflist", PLAIN, NULL, NULL, true },
};

static char folder[] = "/tmp/pdt-installer-XXXXXX";
static const struct row *row;

static const char *place(const char *name)
{
	static char path[4][PATH_MAX];
	static unsigned turn;
	char *out = path[turn++ % 4];

	(void)snprintf(out, PATH_MAX, "%s/%s", folder, name);
	return out;
}

static void put_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	assert_true(fd >= 0 && file_write_at(fd, text, strlen(text), 0));
	(void)close(fd);
}

static void holds(const char *name, const char *text)
{
	auto_text now = TEXT_UP_TO(1 << 16);

	if (!text) {
		assert_int_equal(access(place(name), F_OK), -1);
		return;
	}
	assert_true(file_read(&now, AT_FDCWD, place(name), false, NULL));
	assert_string_equal(now.at, rows_json(text));
}

/* The runtime is asked while the new chain is there. */
static enum runtime_answer answer(struct ctl *ctl UNUSED, const struct netdir *dirs UNUSED,
				  const struct chain_file *chain)
{
	assert_non_null(strstr(chain->new.at, "observe"));
	assert_true(chain_file_is_current(chain));
	if (!row->overtaken)
		return RUNTIME_REFUSES;
	put_file(chain->target, rows_json(OTHER), 0640);
	return RUNTIME_OVERTAKEN;
}

static bool accept_all(struct ctl *ctl UNUSED, const char *file UNUSED, const char *text UNUSED,
		       struct err *e UNUSED)
{
	return true;
}

static bool run_install(struct err *e)
{
	static const struct ctl_verb verb = { .name = "install" };
	json_auto_t *set = json_pack("{s:s}", "mode", "observe");
	auto_arena a = { 0 };
	struct out out;
	struct ctl ctl = { .verb = &verb, .out = &out, .err = &out, .arena = &a };
	struct install i = {
		.ctl = &ctl,
		.dirs = { .conf = folder, .bins = { place("bin") }, .socket = "/nowhere" },
		.set = set,
		.check = accept_all
	};

	out_open(&out, stdout);
	return install_once(&i, e);
}

static void puts_back(void **state)
{
	struct err e = { 0 };
	struct stat before, after;
	char saved[64];
	row = *state;

	(void)snprintf(saved, sizeof(saved), "%s.pod-dns-saved", row->file);
	assert_int_equal(mkdir(place("bin"), 0755), 0);
	put_file(place("bin/pod-dns"), "", 0755);
	put_file(place(row->file), rows_json(row->text), 0640);
	if (row->saved)
		put_file(place(saved), rows_json(row->saved), 0640);
	if (row->installed)
		put_file(place(TURN_FILE), row->installed, 0600);
	assert_int_equal(stat(place(row->file), &before), 0);

	assert_false(run_install(&e));
	holds(row->file, row->overtaken ? OTHER : row->text);
	holds(TURN_FILE, row->installed);
	assert_int_equal(stat(place(row->file), &after), 0);
	assert_int_equal(after.st_mode, before.st_mode);
	if (row->overtaken) {
		assert_int_equal(e.code, ERR_AGAIN);
		holds(saved, row->text);
	} else {
		assert_non_null(strstr(e.text, "is put back as it was"));
		holds(saved, row->saved);
	}
	if (!text_ends_with(row->file, ".conflist"))
		holds("10-n.conflist", NULL);
}

static int begin(void **state UNUSED)
{
	return !mkdtemp(folder);
}

static int end(void **state UNUSED)
{
	char command[64];

	(void)snprintf(command, sizeof command, "rm -r %s", folder);
	(void)snprintf(folder, sizeof folder, "/tmp/pdt-installer-XXXXXX");
	return system(command); /* NOLINT: a folder of the test's own */
}

int main(void)
{
	return RUN_ROWS("installer: the runtime refuses", rows, puts_back, NULL, begin, end);
}
