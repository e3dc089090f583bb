/* SPDX-License-Identifier: Apache-2.0 */
/* steer_disable.c: the kill switch of steering. */
#include "steer/steer_disable.h"
#include "nft/nl.h"
#include "steer/rules/table.h"
#include "steer/steer_pod.h"

#include <errno.h>
#include <fcntl.h>

#define DISABLED ".steer-off"

bool steer_disable_pod(const struct record *record, bool on, bool *there, struct err *e)
{
	*there = false;
	const struct steer_place where = { .known = &record->netns, .path = "" };

	return !record->netns.path || steer_pod_disable(&where, on, there, e);
}

static bool keep_file(const struct rundir *r, bool on, struct err *e)
{
	auto_fd fd = -1;

	if (on)
		return unlinkat(r->fd, DISABLED, 0) == 0 || errno == ENOENT ||
		       err_errno(e, ERR_IO, RUNDIR "/" DISABLED);
	fd = openat(r->fd, DISABLED, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd >= 0 || err_errno(e, ERR_IO, RUNDIR "/" DISABLED);
}

static bool switch_node(bool on, struct err *e)
{
	auto_nl nl = NL_CLOSED;

	return nl_open_in(&nl, -1, e) && table_switch(&nl, false, on, e) &&
	       table_switch(&nl, true, on, e);
}

bool steer_disable_node(struct rundir *r, bool on, bool keep, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	return rundir_lock(&held, r, e) && (!(on || keep) || keep_file(r, on, e)) &&
	       switch_node(on, e);
}

bool steer_is_disabled(const struct rundir *r)
{
	return r->fd >= 0 && faccessat(r->fd, DISABLED, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool switch_new(const struct pod_netns *netns, const struct steering *s, bool on,
		       struct err *e)
{
	const struct steer_place where = { .call = netns };
	bool there;

	return s->mode == STEER_NODE ? switch_node(on, e)
				     : steer_pod_disable(&where, on, &there, e);
}

/* `steer on --node` removes the file first, and then wakes the tables that it finds. */
bool steer_disable_new(const struct rundir *r, const struct pod_netns *netns,
		       const struct steering *s, struct warnings *w, struct err *e)
{
	if (!steer_is_disabled(r))
		return true;
	warn(w, "steer-off",
	     "steering is switched off on this node (pod-dnsctl steer on --node): the rules are "
	     "made, and dormant");
	return switch_new(netns, s, false, e) &&
	       (steer_is_disabled(r) || switch_new(netns, s, true, e));
}
