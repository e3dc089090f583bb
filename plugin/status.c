/* status.c: STATUS: whether ADD could work, and the sweep. containerd 2.x calls it every 5 s. */
#include "conf_file.h"
#include "sweep.h"
#include "verbs.h"

static bool status(const struct call *call, FILE *out UNUSED, struct warnings *w, struct err *e)
{
	static struct network_conf network; /* large, and main calls once */
	auto_rundir run = RUNDIR_NONE;
	bool usable = conf_file_read(&network, call->network, w, e);

	conf_file_done(&network);
	if (!usable)
		return false;
	if (!rundir_open(&run, true, e)) {
		e->code = ERR_STATUS; /* ADD could not work */
		return false;
	}
	sweep(&run, w);
	return true;
}

const struct verb verb_status = {
	.command = "STATUS",
	.needs = NEEDS_PATH,
	.since = "1.1.0",
	.run = status,
};
