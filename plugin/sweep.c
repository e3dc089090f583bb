/* sweep.c: what nobody will call DEL for: now and then, records whose namespace is gone. */
#include "sweep.h"
#include "netnsfile.h"
#include "record.h"
#include "release.h"
#include "settle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

enum { SWEEP_EVERY = 60 }; /* seconds */

#define STAMP ".swept"

bool sweep_is_due(const struct rundir *r)
{
	struct stat st;
	time_t now = time(NULL);

	return fstatat(r->fd, STAMP, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_mtime > now ||
	       now - st.st_mtime >= SWEEP_EVERY;
}

struct walk {
	struct rundir *r;
	struct warnings *w;
};

/* A late child that was killed leaves the workload the runtime's text for ever. */
static void visit(const char *record, void *context)
{
	const struct walk *walk = context;
	struct err fault = { 0 };

	release_if_due(walk->r, record, walk->w);
	if (settle_is_due(walk->r, record) &&
	    settle(walk->r, record, NULL, BY_SWEEP, walk->w, &fault) != SETTLED && fault.code)
		warn(walk->w, "late-missed", "%s: %s", record, fault.text);
}

void sweep(struct rundir *r, struct warnings *w)
{
	auto_fd stamp = openat(r->fd, STAMP, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct walk walk = { r, w };
	struct err e = { 0 };

	if (stamp < 0 || futimens(stamp, NULL) < 0) {
		(void)err_errno(&e, ERR_IO, RUNDIR "/" STAMP);
		warn(w, "sweep", "%s", e.text);
		return;
	}
	record_each_path(r, NULL, visit, &walk);
	if (!rundir_lock(r, &e)) {
		warn(w, "sweep", "%s", e.text);
		return;
	}
	netnsfile_remove_dangling();
	rundir_unlock(r);
}
