/* SPDX-License-Identifier: Apache-2.0 */
/* purge.c: what attachments have left on the node, for uninstall. */
#include "pod-dnsctl/install/purge.h"
#include "pod-dnsctl/cli/out.h"
#include "attachment/adopt.h"
#include "attachment/release.h"
#include "attachment/sweep.h"
#include "nft/nl.h"
#include "state/record.h"
#include "steer/rules/table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool list_all(struct rundir_list *out, const struct rundir *r, struct ctl *ctl,
		     struct err *e)
{
	return record_list(out, r, NULL, ctl->arena) ||
	       err_set(e, ERR_IO, RUNDIR ": it cannot be read whole");
}

static int by_container(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Attachments of one pod have the same container ID. If memory ends, each attachment counts. */
static size_t count_pods(const struct rundir_list *records, struct ctl *ctl)
{
	const char **ids = arena_alloc(ctl->arena, (records->n + 1) * sizeof(*ids));
	size_t pods = 0;

	for (size_t i = 0; ids && i < records->n; i++) {
		char id[RECORD_NAME + 1];

		record_container(id, records->at[i]);
		ids[i] = arena_print(ctl->arena, "%s", id);
	}
	if (!ids || !arena_ok(ctl->arena))
		return records->n;
	qsort(ids, records->n, sizeof(*ids), by_container);
	for (size_t i = 0; i < records->n; i++)
		pods += i == 0 || strcmp(ids[i - 1], ids[i]) != 0;
	return pods;
}

static const char *name_pod(const struct rundir *r, const char *path, struct ctl *ctl)
{
	auto_record record = RECORD_BLANK;

	if (record_read(&record, r, path) != RECORD_KNOWN || !*record.pod.name)
		return path;
	return arena_print(ctl->arena, "%s/%s", record.pod.namespace, record.pod.name);
}

static void release_all(struct rundir *r, struct ctl *ctl, struct warnings *w)
{
	struct rundir_list records;

	(void)list_all(&records, r, ctl, NULL); /* what is left is counted */
	for (size_t i = 0; i < records.n; i++) {
		const char *pod = name_pod(r, records.at[i], ctl);

		adopt_restore(r, records.at[i], w);
		if (release(r, records.at[i], "", w))
			out_line(ctl->out, "%s: released", pod);
	}
}

/* `r` is open. */
static bool tell_rest(const struct rundir *r, struct ctl *ctl, const struct warnings *w,
		      size_t *left, struct err *e)
{
	struct rundir_list records;
	bool whole = list_all(&records, r, ctl, e);

	*left = count_pods(&records, ctl);
	ctl_tell(ctl, w);
	return whole;
}

bool purge_ended(struct ctl *ctl, size_t *left, struct err *e)
{
	struct warnings w = { .arena = ctl->arena };
	auto_rundir run = RUNDIR_NONE;

	*left = 0;
	if (!rundir_open(&run, false, e))
		return false;
	return run.fd < 0 || (sweep(&run, &w, e) && tell_rest(&run, ctl, &w, left, e));
}

bool purge_all(struct ctl *ctl, size_t *left, struct err *e)
{
	struct warnings w = { .arena = ctl->arena };
	auto_rundir run = RUNDIR_NONE;

	*left = 0;
	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	release_all(&run, ctl, &w);
	return tell_rest(&run, ctl, &w, left, e);
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
	static const char *const files[] = { ".lock", ".swept", ".steer-off", ".nri" };
	static const char *const folders[] = { ".netns", ".sandbox", ".steer", ".health", ".node" };
	struct warnings w = { .arena = ctl->arena };
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_open(&run, false, e))
		return false;
	if (run.fd < 0)
		return true;
	release_leftovers(&run, &w);
	if (!rundir_lock(&held, &run, e))
		return false;
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
