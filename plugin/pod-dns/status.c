/* status.c: STATUS: whether ADD could work, and the sweep. containerd 2.x calls it every 5 s. */
#include "config/conf_file.h"
#include "steer/steer.h"
#include "attachment/sweep.h"
#include "pod-dns/verbs.h"

/* Where every pod must be steered, a kernel that cannot do it cannot have pods. */
static bool check_steering(const struct conf *c, struct warnings *w, struct err *e)
{
	struct steering s;

	if (!c->node_cache.required || !steering_plan(&s, c, NULL, NULL, w) ||
	    steer_is_possible(&s, e))
		return true;
	e->code = ERR_STATUS;
	return false;
}

static bool status(const struct call *call, FILE *out UNUSED, struct warnings *w, struct err *e)
{
	struct network_conf network;
	auto_rundir run = RUNDIR_NONE;
	bool usable = conf_file_read(&network, call->network, w, e) &&
		      check_steering(&network.conf, w, e);

	conf_file_done(&network);
	if (!usable)
		return false;
	if (rundir_open(&run, true, e) && sweep(&run, w, e))
		return true;
	e->code = ERR_STATUS; /* ADD could not work */
	return false;
}

const struct verb verb_status = {
	.command = "STATUS",
	.needs = NEEDS_PATH,
	.since = "1.1.0",
	.run = status,
};
