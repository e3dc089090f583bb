/* place.c: where a call's pod is. */
#include "cni/place.h"
#include "netns.h"
#include "text.h"

static bool judge(struct place *p, const struct call *call, struct err *e)
{
	struct file_id own;

	if (!netns_own(&own, e))
		return false;
	p->own_netns = file_same(own, p->netns_id);
	if (p->own_netns && !call->netns_override)
		return err_set(e, ERR_NETNS,
			       "plugin's netns and netns from CNI_NETNS should not be the same");
	return true;
}

static struct place blank(const struct call *call)
{
	return (struct place){ .container_id = call->container_id, .netns = call->netns };
}

bool place_open(struct place *p, const struct call *call, struct err *e)
{
	*p = blank(call);
	if (!text_is_line(call->netns))
		return err_set(e, ERR_ENV, "CNI_NETNS: no UTF-8, or a control character in it");
	return (netns_identify(&p->netns_id, call->netns, e) || err_in(e, "CNI_NETNS ")) &&
	       judge(p, call, e);
}

bool place_open_if_there(struct place *p, const struct call *call, struct err *e)
{
	struct err fault = { 0 };
	*p = blank(call);
	if (!*call->netns || !netns_identify(&p->netns_id, call->netns, &fault) ||
	    judge(p, call, &fault) || fault.code != ERR_NETNS)
		return true;
	*e = fault;
	return false;
}
