/* SPDX-License-Identifier: Apache-2.0 */
/* steer_disable.c: the kill switch of steering. */
#include "steer/steer_disable.h"
#include "steer/steer_pod.h"
#include "steer/rules/table.h"

#include <errno.h>
#include <fcntl.h>

#define SWITCHED_OFF ".steer-off"

static bool switch_families(const struct nl *nl, bool on, struct err *e)
{
	return table_switch(nl, false, on, e) && table_switch(nl, true, on, e);
}

bool steer_switch_pod(const struct record *record, bool on, bool *there, struct err *e)
{
	const struct record_netns *netns = &record->netns;
	auto_nl nl = NL_CLOSED;

	*there = false;
	if (!netns->path)
		return true;
	return steer_pod_open(&nl, netns->path, &netns->id, there, e) &&
	       (!*there || switch_families(&nl, on, e));
}

static bool keep_file(const struct rundir *r, bool on, struct err *e)
{
	auto_fd fd = -1;

	if (on)
		return unlinkat(r->fd, SWITCHED_OFF, 0) == 0 || errno == ENOENT ||
		       err_errno(e, ERR_IO, RUNDIR "/" SWITCHED_OFF);
	fd = openat(r->fd, SWITCHED_OFF, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd >= 0 || err_errno(e, ERR_IO, RUNDIR "/" SWITCHED_OFF);
}

bool steer_switch_node(struct rundir *r, bool on, bool keep, struct err *e)
{
	auto_nl nl = NL_CLOSED;
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	return rundir_lock(&held, r, e) && (!(on || keep) || keep_file(r, on, e)) &&
	       nl_open_in(&nl, -1, e) && switch_families(&nl, on, e);
}

static bool switch_off(const struct pod_netns *netns, const struct steering *s, struct err *e)
{
	auto_nl nl = NL_CLOSED;

	return nl_open_in(&nl, s->mode == STEER_NODE ? -1 : netns->fd, e) &&
	       switch_families(&nl, false, e);
}

bool steer_switch_keep(const struct rundir_lock *held, const struct pod_netns *netns,
		       const struct steering *s, struct warnings *w, struct err *e)
{
	if (faccessat(held->run->fd, SWITCHED_OFF, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return true;
	warn(w, "steer-off",
	     "steering is switched off on this node (pod-dnsctl steer on --node): the rules are "
	     "made, and dormant");
	return switch_off(netns, s, e);
}
