/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a pod's namespace is there: what cannot be opened is not therefore gone. */
#include "steer/steer_pod.h"
#include "nft/nl.h"

#include "rows.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define FOLDER "/tmp/pdt-steer-pod-XXXXXX"

static const struct row {
	const char *name, *path; /* below the folder */
	const char *says;	 /* of the error; NULL: it is gone */
} rows[] = {
	{ "gone", "none", NULL },
	{ "gone with its folder", "none/pod", NULL },
	{ "no folder", "file/pod", NULL },
	{ "another file", "file", NULL },
	{ "a link to itself", "loop", "loop: " },
};

static void is_looked_for(void **state)
{
	const struct row *row = *state;
	const struct file_id id = { 0 };
	char folder[] = FOLDER, file[64], loop[64], path[64];
	struct nl nl = NL_CLOSED;
	struct err e = { 0 };
	bool there = true, done;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(file, sizeof(file), "%s/file", folder);
	(void)snprintf(loop, sizeof(loop), "%s/loop", folder);
	(void)snprintf(path, sizeof(path), "%s/%s", folder, row->path);
	assert_int_equal(close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
	assert_int_equal(symlink("loop", loop), 0);
	done = steer_pod_open(&nl, path, &id, &there, &e);
	(void)unlink(loop);
	(void)unlink(file);
	(void)rmdir(folder);
	assert_false(there);
	assert_int_equal(done, row->says == NULL);
	assert_int_equal(e.code, row->says ? ERR_STEER : 0);
	if (row->says)
		assert_non_null(strstr(e.text, row->says));
	nl_close(&nl);
}

int main(void)
{
	return RUN_ROWS("a pod's namespace", rows, is_looked_for);
}
