/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helper.h: a child process for what may hang.
 *
 * Who asks a file system that hangs (a FUSE of a workload's, a server that is gone) waits for ever,
 * and not even SIGKILL ends the wait. So a child asks: it holds nothing of its parent's but a
 * socket, and one that gives no answer in time is left to its fate.
 */
#ifndef POD_DNS_HELPER_H
#define POD_DNS_HELPER_H

#include "err.h"

#include <sys/types.h>

enum { HELPER_PATIENCE = 5000 }; /* ms: a slow disk answers in that time */

/* Does what a request byte asks for, in the child: `context` is the child's own copy. */
typedef bool helper_job(void *context, char request, struct err *e);

struct helper {
	const char *what; /* it is asked about, for errors */
	pid_t pid;
	int socket;
};

#define HELPER_NONE ((struct helper){ .socket = -1 })

bool helper_start(struct helper *h, const char *what, helper_job *job, void *context,
		  struct err *e);

/*
 * Has the child do what `request` asks for; false: *e is the job's, or ERR_TARGET where no answer
 * came in time: there is no child any more then.
 */
bool helper_ask(struct helper *h, char request, struct err *e);

bool helper_is_there(const struct helper *h);

/* The child ends. */
void helper_end(struct helper *h);

#endif
