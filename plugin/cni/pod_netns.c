/* SPDX-License-Identifier: Apache-2.0 */
/* pod_netns.c: the network namespace that a call is about. */
#include "cni/pod_netns.h"
#include "netns.h"
#include "text.h"

bool pod_netns_check(const struct pod_netns *n, const struct call *call, struct err *e)
{
	if (!n->own || call->netns_override)
		return true;
	return err_set(e, ERR_NETNS,
		       "plugin's netns and netns from CNI_NETNS should not be the same");
}

static bool open_path(struct pod_netns *n, struct err *e)
{
	struct file_id own;

	n->fd = netns_open(&n->id, n->path, e);
	if (n->fd < 0)
		return err_in(e, "CNI_NETNS ");
	if (!netns_own(&own, e))
		return false;
	n->own = file_same(own, n->id);
	return true;
}

bool pod_netns_open(struct pod_netns *n, const struct call *call, struct err *e)
{
	*n = POD_NETNS_NONE;
	n->path = call->netns;
	if (!text_is_line(call->netns))
		return err_set(e, ERR_ENV, "CNI_NETNS: no UTF-8, or a control character in it");
	if (!open_path(n, e))
		return false;
	if (!n->own)
		n->cookie = netns_cookie(n->fd);
	return pod_netns_check(n, call, e);
}

void pod_netns_look(struct pod_netns *n, const struct call *call)
{
	*n = POD_NETNS_NONE;
	n->path = call->netns;
	if (*call->netns)
		(void)open_path(n, NULL);
}

void pod_netns_close(struct pod_netns *n)
{
	if (n->fd >= 0)
		(void)close(n->fd);
	*n = POD_NETNS_NONE;
}
