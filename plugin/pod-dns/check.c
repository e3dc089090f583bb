/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c: CHECK: repairs what ADD made, with warnings.
 *
 * CRI-O calls it right after ADD and after its own restart, and an error makes kubelet replace the
 * pod. So it fails only if it cannot repair something, or if the result has lost our `dns`.
 */
#include "state/claim.h"
#include "targets/inplace.h"
#include "targets/netnsfile.h"
#include "targets/rootfs.h"
#include "targets/sandbox.h"
#include "cni/pod_netns.h"
#include "enum_names.h"
#include "cni/result.h"
#include "steer/health.h"
#include "steer/steer.h"
#include "pod-dns/verbs.h"

#include <fcntl.h>
#include <string.h>

/* Whether the attachment owns the file. A claim that was removed is made again. */
static bool claim_or_check_owner(const struct rundir_lock *held, const char *folder, const char *id)
{
	char owner[RECORD_PATH];

	switch (claim_owner(owner, held->run, folder)) {
	case CLAIM_NOBODYS:
		return claim_add(held, folder, id, NULL);
	case CLAIM_OWNED:
		return strcmp(owner, id) == 0;
	case CLAIM_UNKNOWN:
	default:
		return false;
	}
}

static bool check_netns(const struct rundir_lock *held, const char *id, const struct record *record,
			struct warnings *w, struct err *e)
{
	const char *name = netnsfile_name(record->netns.path);
	const char *text = record->text;
	char folder[CLAIM_FOLDER];

	if (!name || !text || !record_taken(record, TARGET_NETNS))
		return true;
	claim_netns(folder, name);
	if (!claim_or_check_owner(held, folder, id) || netnsfile_is_whole(held->run, name, text))
		return true;
	if (netnsfile_is_foreign(name)) {
		warn(w, "drift", NETNSFILE_ETC "/%s/resolv.conf: not made by pod-dns: left", name);
		return true;
	}
	if (!netnsfile_write(held, name, text, e))
		return false;
	warn(w, "restored", NETNSFILE_ETC "/%s/resolv.conf: was not as ADD left it: made again",
	     name);
	return true;
}

static bool check_text(const char *path, const char *text, struct arena *a, struct err *e)
{
	auto_sandbox_file file = sandbox_open_timeout(path, NULL, NULL, a);
	struct inplace f = INPLACE_NONE;
	bool done;

	if (file.fd < 0)
		return file.why ? err_set(e, ERR_TARGET, "%s", file.why)
				: err_set(e, ERR_TARGET, "%s: it is gone", path);
	done = inplace_look(&f, file.fd, path, e);
	if (done && (!f.old.at || !text_same_lines(f.old.at, text)))
		done = err_set(e, ERR_TARGET, "%s: not as ADD left it", path);
	inplace_close(&f);
	return done;
}

static bool check_root(const struct pod_netns *netns, const char *text, struct err *e)
{
	if (netns->own || !rootfs_is_proc(netns->path))
		return err_set(e, ERR_TARGET, "CNI_NETNS %s leads to no container", netns->path);
	return rootfs_check(netns, text, e);
}

/* The workload may change its file: a difference is only a warning. */
static void check_drift(const struct pod_netns *netns, const struct record_target *target,
			const char *text, struct warnings *w)
{
	const char *kind = target_names[target->kind];
	struct err e = { 0 };

	if (!target->taken || !target->path || target->kind == TARGET_NETNS)
		return;
	if (target->kind == TARGET_ROOTFS ? !check_root(netns, text, &e)
					  : !check_text(target->path, text, w->arena, &e))
		warn(w, "drift", "target %s: %s", kind, e.text);
}

static bool check_result(const json_t *prev, const struct record *record, struct err *e)
{
	char lacks[300];

	if (!result_lacks(lacks, sizeof(lacks), prev, record->printed))
		return true;
	return err_set(e, ERR_TARGET, "prevResult: %s, which ADD printed", lacks);
}

/* Repairs what is ours. The record is read again under the lock: DEL may have removed it. */
static enum record_found repair(struct record *record, struct rundir *r,
				const struct pod_netns *netns, const char *id, struct warnings *w,
				struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	enum record_found found;

	if (r->fd < 0)
		return RECORD_NONE;
	if (!rundir_lock(&held, r, e))
		return RECORD_UNREADABLE;
	found = record_read(record, r, id);
	if (found != RECORD_KNOWN || !check_netns(&held, id, record, w, e))
		return found;
	rundir_unlock(&held);
	if (record->measured && !health_check(netns, w, e))
		return found;
	(void)steer_check(r, netns, id, record, w, e);
	return found;
}

/* Warns of differences in what the runtime and the workload may change. */
static void check_targets(const struct rundir *r, const struct pod_netns *netns, const char *id,
			  const struct record *record, struct warnings *w)
{
	if (record->late == RECORD_AWAITED)
		warn(w, "pending", "the runtime's file has not been written yet");
	/* Not if a later attachment owns the file. */
	else if (record->text && !claim_sandbox_is_anothers(r, id))
		for (size_t i = 0; i < record->targets.n; i++)
			check_drift(netns, &record->targets.at[i], record->text, w);
}

static bool check(const struct call *call, FILE *out UNUSED, struct warnings *w, struct err *e)
{
	static const char *const says[] = {
		[RECORD_NONE] = "there is no record of this attachment",
		[RECORD_OTHER_VERSION] = "the record is not this version's",
		[RECORD_DAMAGED] = "the record is damaged",
		[RECORD_UNREADABLE] = "the record cannot be read",
	};
	struct attachment at = { call->name, call->container_id, call->ifname };
	auto_rundir run = RUNDIR_NONE;
	auto_record record = RECORD_BLANK;
	enum record_found found = RECORD_NONE;
	char id[RECORD_PATH];
	auto_pod_netns netns = POD_NETNS_NONE;
	struct err fault = { 0 };

	if (!result_check(call->prev_result, call->version, e))
		return false;
	(void)pod_netns_open(&netns, call, &fault);
	if (record_path(id, &at, &fault) && rundir_open(&run, false, e))
		found = repair(&record, &run, &netns, id, w, e);
	if (found == RECORD_KNOWN)
		check_targets(&run, &netns, id, &record, w);
	else if (!e->code)
		warn(w, "no-record", "%s", says[found]);
	return !e->code && (found != RECORD_KNOWN || check_result(call->prev_result, &record, e));
}

const struct verb verb_check = {
	.command = "CHECK",
	.needs = NEEDS_CONTAINERID | NEEDS_NETNS | NEEDS_IFNAME | NEEDS_PATH,
	.since = "0.4.0",
	.run = check,
};
