/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helper.h: a child process for work on file systems that may hang.
 *
 * A call into a file system that hangs (a workload's FUSE, a server that is gone) never returns,
 * and not even SIGKILL ends it. So a child makes the call. It holds nothing of its parent's but a
 * socket. If it does not answer in time, or does not end, it is killed and no longer waited for;
 * the next helper_start() reaps it if it has ended by then.
 */
#ifndef POD_DNS_HELPER_H
#define POD_DNS_HELPER_H

#include "err.h"

#include <sys/types.h>

enum { HELPER_PATIENCE = 5000 }; /* ms; enough for a slow disk */

/* Runs in the child for each request byte. `context` is the child's own copy. */
typedef bool helper_job(void *context, char request, struct err *e);

struct helper {
	const char *what; /* what the errors name */
	pid_t pid;
	int socket;
};

#define HELPER_NONE ((struct helper){ .what = "", .socket = -1 })

/* ERR_TARGET: it cannot be had, or one that was asked about `what` by this process is stuck. */
bool helper_start(struct helper *h, const char *what, helper_job *job, void *context,
		  struct err *e);

/*
 * Has the child run its job. False: *e is the job's error, or ERR_TARGET where no answer came in
 * time; then the child is given up.
 */
bool helper_ask(struct helper *h, char request, struct err *e);

bool helper_is_there(const struct helper *h);

/*
 * For a job: waits until no other helper on the node, of whatever process, works on that path, and
 * then is the one that does until it ends. So one process at most is stuck where a file system
 * hangs, however often it is asked. A second call does nothing.
 */
void helper_queue(const char *path);

/*
 * For a child of any kind, which gets the name. It gets its own session and keeps only the n
 * descriptors in `kept`, which may get other numbers (-1: unused; the others ascending, as they are
 * if they were opened in this order): the runtime waits until no process holds the plugin's
 * streams.
 */
bool helper_detach(int kept[], size_t n, const char *name);

/* Ends the child. One that does not end in time is killed and no longer waited for. */
void helper_end(struct helper *h);

#endif
