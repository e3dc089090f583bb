/* SPDX-License-Identifier: Apache-2.0 */
/* purge.c: removes what attachments have left on this node. */
#include "pod-dnsctl/purge.h"
#include "pod-dnsctl/out.h"
#include "attachment/release.h"
#include "attachment/sweep.h"
#include "nft/nl.h"
#include "state/record.h"
#include "steer/table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*** records ***/

static bool list_all(struct rundir_list *out, const struct rundir *r, struct ctl *ctl,
		     struct err *e)
{
	return record_list(out, r, NULL, ctl->arena) ||
	       err_set(e, ERR_IO, RUNDIR ": it cannot be read whole");
}

static void release_all(struct rundir *r, struct ctl *ctl, struct warnings *w)
{
	struct rundir_list records;

	(void)list_all(&records, r, ctl, NULL); /* what is left is counted */
	for (size_t i = 0; i < records.n; i++)
		(void)release(r, records.at[i], "", w);
}

bool purge_records(struct ctl *ctl, bool all, size_t *left, struct err *e)
{
	struct warnings w = { .arena = ctl->arena };
	auto_rundir run = RUNDIR_NONE;
	struct rundir_list records;
	bool whole;

	*left = 0;
	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	if (all)
		release_all(&run, ctl, &w);
	else if (!sweep(&run, &w, e))
		return false;
	whole = list_all(&records, &run, ctl, e);
	*left = records.n;
	ctl_tell(ctl, &w);
	return whole;
}

/* Whether the folder of the namespace exists here. A path below /proc ends with its process. */
static bool was_seen(const char *netns, struct err *e)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(netns, '/');

	if (!slash || slash == netns || strncmp(netns, "/proc/", strlen("/proc/")) == 0)
		return true;
	(void)snprintf(folder, sizeof folder, "%.*s", (int)(slash - netns), netns);
	return access(folder, F_OK) == 0 ||
	       err_set(e, ERR_IO,
		       "%s: the network namespaces of pods cannot be seen from here, nor whether "
		       "they live",
		       folder);
}

bool purge_sees_pods(struct ctl *ctl, struct err *e)
{
	auto_rundir run = RUNDIR_NONE;
	struct rundir_list records;

	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	(void)list_all(&records, &run, ctl, e);
	for (size_t i = 0; !e->code && i < records.n; i++) {
		auto_record record = RECORD_BLANK;

		if (record_read(&record, &run, records.at[i]) == RECORD_KNOWN && record.netns.path)
			(void)was_seen(record.netns.path, e);
	}
	return !e->code;
}

/*** the node ***/

static bool remove_tables(struct err *e)
{
	auto_nl nl = { 0 };

	if (!nl_open_in(&nl, -1, e))
		return false;
	for (int v6 = 0; v6 < 2; v6++) {
		bool ours;

		if (table_is_there(&nl, v6, &ours, e) && ours)
			(void)table_remove(&nl, v6, e);
		if (e->code)
			return false;
	}
	return true;
}

/* Removes the run folder. Folders in it that are not empty hold things of others. */
static bool remove_rundir(struct ctl *ctl, struct err *e)
{
	static const char *const files[] = { ".lock", ".swept", ".steer-off" };
	static const char *const folders[] = { ".netns", ".sandbox", ".steer", ".node" };
	struct warnings w = { .arena = ctl->arena };
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	if (!rundir_lock(&held, &run, e))
		return false;
	release_leftovers(&held, &w);
	rundir_remove_temps(&held);
	rundir_remove_told(&run);
	for (size_t i = 0; i < LEN(folders); i++)
		(void)unlinkat(run.fd, folders[i], AT_REMOVEDIR);
	for (size_t i = 0; i < LEN(files); i++)
		(void)unlinkat(run.fd, files[i], 0);
	if (rmdir(RUNDIR) < 0 && errno != ENOENT)
		ctl_note(ctl, RUNDIR ": %s", strerror(errno));
	ctl_tell(ctl, &w);
	return true;
}

bool purge_node(struct ctl *ctl, struct err *e)
{
	return remove_tables(e) && remove_rundir(ctl, e);
}
