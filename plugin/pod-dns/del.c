/* SPDX-License-Identifier: Apache-2.0 */
/* del.c: DEL: removes what was made for an attachment. */
#include "targets/netnsfile.h"
#include "cni/pod_netns.h"
#include "state/record.h"
#include "attachment/release.h"
#include "pod-dns/verbs.h"

/*
 * Whether CNI_NETNS is now the plugin's own namespace but was another at ADD: the PID of
 * /proc/PID/ns/net was given to a process of the host.
 */
static bool is_recycled(const struct pod_netns *netns, const struct rundir *r, const char *id)
{
	auto_record record = RECORD_BLANK;

	return netns->own && r->fd >= 0 && record_read(&record, r, id) == RECORD_KNOWN &&
	       !file_same(record.netns.id, netns->id);
}

/*
 * Fails only for a caller's mistake, because an error keeps the pod from ending. If something
 * cannot be removed, there is a warning; GC and the sweep try again.
 */
static bool del(const struct call *call, FILE *out UNUSED, struct warnings *w, struct err *e)
{
	struct attachment at = { call->name, call->container_id, call->ifname };
	auto_rundir run = RUNDIR_NONE;
	char id[RECORD_PATH];
	auto_pod_netns netns = POD_NETNS_NONE;
	struct err fault = { 0 };
	bool named, opened, recycled;

	pod_netns_look(&netns, call);
	named = record_path(id, &at, &fault);
	opened = named && rundir_open(&run, false, &fault);
	recycled = opened && is_recycled(&netns, &run, id);
	if (!recycled && !pod_netns_check(&netns, call, e))
		return false;
	if (!named)
		return true; /* no ADD has made one with this name */
	if (!opened)
		warn(w, "release", "%s", fault.text);
	else if (run.fd < 0)
		netnsfile_remove_dangling(); /* of before a reboot */
	else
		(void)release(&run, id, recycled ? "" : call->netns, w);
	return true;
}

const struct verb verb_del = {
	.command = "DEL",
	.needs = NEEDS_CONTAINERID | NEEDS_IFNAME | NEEDS_PATH,
	.run = del,
};
