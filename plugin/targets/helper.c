/* SPDX-License-Identifier: Apache-2.0 */
/* helper.c: a child process for work on file systems that may hang. */
#include "targets/helper.h"
#include "state/rundir.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

/*** the child ***/

bool helper_detach(int kept[], size_t n, const char *name)
{
	int next = STDERR_FILENO + 1, null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || setsid() < 0 || chdir("/") < 0)
		return false;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (dup2(null, fd) < 0)
			return false;
	for (size_t i = 0; i < n; i++) {
		if (kept[i] < 0)
			continue;
		if (kept[i] != next && dup2(kept[i], next) < 0)
			return false;
		kept[i] = next++;
	}
	(void)prctl(PR_SET_NAME, name);
	return close_range((unsigned)next, ~0U, 0) == 0;
}

static void serve(int socket, helper_job *job, void *context)
{
	char request;

	if (!helper_detach(&socket, 1, "pod-dns-helper"))
		return;
	while (recv(socket, &request, 1, 0) == 1) {
		struct err answer = { 0 };

		(void)job(context, request, &answer);
		if (send(socket, &answer, sizeof(answer), MSG_NOSIGNAL) < 0)
			return;
	}
}

static uint64_t hash_of(const char *what)
{
	return text_hash(what, strlen(what));
}

void helper_queue(const char *path)
{
	struct flock turn = { .l_type = F_WRLCK,
			      .l_whence = SEEK_SET,
			      .l_start = (off_t)(hash_of(path) >> 2),
			      .l_len = 1 };
	static int lock = -1; /* the end of the process gives it back */

	if (lock >= 0)
		return;
	lock = open(RUNDIR_LOCK, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (lock >= 0)
		(void)fcntl(lock, F_OFD_SETLKW, &turn);
}

/*** the parent ***/

/* Those that were killed and not waited for. Beyond these, zombies stay in a long run. */
static struct {
	pid_t pid; /* 0: none */
	uint64_t what;
} given_up[64];

static void keep_given_up(const struct helper *h)
{
	size_t i = 0;

	while (i < LEN(given_up) && given_up[i].pid)
		i++;
	if (i == LEN(given_up))
		return;
	given_up[i].pid = h->pid;
	given_up[i].what = hash_of(h->what);
}

/* Reaps those that have ended. Returns whether one is left that was asked about `what`. */
static bool is_stuck(const char *what)
{
	bool stuck = false;

	for (size_t i = 0; i < LEN(given_up); i++) {
		if (given_up[i].pid && waitpid(given_up[i].pid, NULL, WNOHANG) != 0)
			given_up[i].pid = 0;
		stuck |= given_up[i].pid && given_up[i].what == hash_of(what);
	}
	return stuck;
}

bool helper_start(struct helper *h, const char *what, helper_job *job, void *context, struct err *e)
{
	int ends[2];

	h->what = what;
	if (is_stuck(what))
		return err_set(e, ERR_TARGET, "%s: still no answer to an earlier question", what);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(e, ERR_TARGET, "%s: socketpair", what);
	h->pid = fork();
	if (h->pid == 0) {
		serve(ends[1], job, context);
		_exit(EXIT_SUCCESS); /* exit() would flush the parent's buffers again */
	}
	h->socket = ends[0];
	(void)close(ends[1]);
	if (h->pid > 0)
		return true;
	(void)err_errno(e, ERR_TARGET, "%s: fork", what);
	helper_end(h);
	return false;
}

bool helper_is_there(const struct helper *h)
{
	return h->socket >= 0;
}

/* Waits until there is something to read. Returns what poll() returns; 0: the time is over. */
static int poll_in_time(int fd)
{
	struct pollfd on = { .fd = fd, .events = POLLIN };
	int ready;

	do
		ready = poll(&on, 1, HELPER_PATIENCE);
	while (ready < 0 && errno == EINTR);
	return ready;
}

/* Not waited for: while its file system hangs, not even SIGKILL ends it. */
static bool give_up_helper(struct helper *h, struct err *e)
{
	(void)err_set(e, ERR_TARGET, "%s: no answer in %d seconds: given up", h->what,
		      HELPER_PATIENCE / 1000);
	(void)kill(h->pid, SIGKILL);
	keep_given_up(h);
	(void)close(h->socket);
	*h = HELPER_NONE;
	return false;
}

bool helper_ask(struct helper *h, char request, struct err *e)
{
	struct err answer;

	if (send(h->socket, &request, 1, MSG_NOSIGNAL) < 0)
		return err_errno(e, ERR_TARGET, "%s: helper", h->what);
	if (poll_in_time(h->socket) <= 0)
		return give_up_helper(h, e);
	if (recv(h->socket, &answer, sizeof(answer), 0) != sizeof(answer))
		return err_set(e, ERR_TARGET, "%s: the helper ended without an answer", h->what);
	if (!answer.code)
		return true;
	return err_set(e, answer.code, "%s", answer.text);
}

/* The end closes the child's files, and that too may hang (FUSE_FLUSH). */
static void await_end(const struct helper *h)
{
	auto_fd end = pidfd_open(h->pid, 0);

	if (end >= 0 && poll_in_time(end) > 0) {
		(void)waitpid(h->pid, NULL, 0);
		return;
	}
	(void)kill(h->pid, SIGKILL);
	keep_given_up(h);
}

void helper_end(struct helper *h)
{
	if (h->socket >= 0)
		(void)close(h->socket);
	if (h->pid > 0)
		await_end(h);
	*h = HELPER_NONE;
}
