/* SPDX-License-Identifier: Apache-2.0 */
/* host_pod.c: the DNS of a pod on the host's network, by a rule with hostNetwork. */
#include "attachment/host_pod.h"
#include "attachment/compute.h"
#include "attachment/compute_record.h"
#include "config/rule.h"
#include "netns.h"
#include "state/claim.h"
#include "targets/inplace.h"

bool host_pod_is_chosen(const struct host_pod *p)
{
	return !p->network->unusable && rule_of(&p->network->conf.rules, &p->pod) &&
	       compute_mode(p->network, &p->pod) != MODE_OFF;
}

/* One pod, its file and its record. */
struct writing {
	const struct rundir_lock *held;
	const struct host_pod *pod;
	const struct sandbox_file *file;
	char folder[CLAIM_FOLDER], id[RECORD_PATH];
	struct compute_input input;
	struct computed computed;
	struct inplace opened;
	struct warnings *w;
};

static bool compute_pod(struct writing *x, struct err *e)
{
	const char *text;

	if (x->file->fd < 0)
		return err_set(e, ERR_TARGET, "%s", x->file->why);
	if (!inplace_open(&x->opened, x->file->fd, x->file->path, e))
		return false;
	text = x->opened.old.at ? x->opened.old.at : "";
	x->input = (struct compute_input){
		.network = x->pod->network,
		.pod = x->pod->pod,
		.mode = compute_mode(x->pod->network, &x->pod->pod),
		.request.policy = POLICY_UNSET,
	};
	return runtime_dns_parse(&x->input.runtime_dns, text, x->w, e) &&
	       compute(&x->computed, &x->input, x->w, e);
}

static bool writes_file(const struct writing *x)
{
	return x->computed.serves && x->computed.outcome.text;
}

/* The node's own namespace: the record has no other to name. */
static bool write_record(const struct writing *x, struct err *e)
{
	struct record record = RECORD_BLANK;

	compute_record(&record, &x->computed, &x->computed.outcome);
	record.at = (struct attachment){ x->pod->network_name, x->pod->container_id,
					 RECORD_HOST_IFNAME };
	record.steer = STEER_OFF;
	record.netns.path = "/proc/1/ns/net";
	if (!netns_own(&record.netns.id, e))
		return false;
	record.file = x->file->path;
	if (writes_file(x)) {
		record.written.at[record.written.n++] = record.text;
		record.targets.at[record.targets.n++] = (struct record_target){
			.kind = TARGET_SANDBOX, .path = x->file->path, .taken = true
		};
	}
	record_add_warnings(&record, x->w);
	return record_write(x->held, x->id, &record, e);
}

static void undo_writing(struct writing *x)
{
	inplace_undo(&x->opened);
	(void)claim_remove(x->held, x->folder, x->id, NULL);
	(void)record_remove(x->held, x->id, NULL);
	claim_tidy(x->held, x->folder);
}

static enum host_pod_result write_pod(struct writing *x, struct err *e)
{
	if (!compute_pod(x, e))
		return HOST_POD_MISSED;
	if (write_record(x, e) && claim_add(x->held, x->folder, x->id, e) &&
	    (!writes_file(x) || inplace_write(&x->opened, x->computed.outcome.text, false, e)))
		return writes_file(x) ? HOST_POD_WRITTEN : HOST_POD_LEFT;
	undo_writing(x);
	return HOST_POD_MISSED;
}

enum host_pod_result host_pod_write(const struct rundir_lock *held, const struct host_pod *p,
				    const struct sandbox_file *file, struct warnings *w,
				    struct err *e)
{
	const struct attachment at = { p->network_name, p->container_id, RECORD_HOST_IFNAME };
	struct writing x = { .held = held, .pod = p, .file = file, .opened = INPLACE_NONE, .w = w };
	enum host_pod_result result;
	char owner[RECORD_PATH];

	claim_sandbox(x.folder, p->container_id);
	if (!record_path(x.id, &at, e))
		return HOST_POD_MISSED;
	if (claim_owner(owner, held->run, x.folder) != CLAIM_NOBODYS)
		return HOST_POD_LEFT;
	result = write_pod(&x, e);
	inplace_close(&x.opened);
	runtime_dns_done(&x.input.runtime_dns);
	return result;
}
