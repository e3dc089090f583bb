/* SPDX-License-Identifier: Apache-2.0 */
/* A child that does what may hang: what it answers, what it holds, how it ends. */
#include <signal.h>

static int killing(pid_t pid, int signal);

#define kill killing
#include "targets/helper.c"
#undef kill

#include "rows.h"
#include "stage.c"
#include "state/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { COUNT = 'n', FAIL = 'f', STREAMS = 's' };

static bool count_descriptors(struct err *e)
{
	DIR *folder = opendir("/proc/self/fd");
	int n = -1; /* the folder itself */

	while (folder && readdir(folder))
		n++;
	if (folder)
		(void)closedir(folder);
	return err_set(e, ERR_IO, "%d", n - 2);
}

static bool job(void *context, char request, struct err *e)
{
	int *calls = context;

	switch (request) {
	case COUNT:
		return ++*calls == 3 || err_set(e, ERR_IO, "call %d", *calls);
	case FAIL:
		return err_set(e, ERR_STEER, "no %s", "luck");
	case STREAMS:
		return count_descriptors(e);
	default:
		abort();
	}
}

static void answers(void **state UNUSED)
{
	struct helper h = HELPER_NONE;
	int calls = 0;
	struct err e = { 0 };

	assert_false(helper_is_there(&h));
	assert_true(helper_start(&h, "it", job, &calls, &e));
	assert_true(helper_is_there(&h));
	assert_false(helper_ask(&h, COUNT, &e));
	assert_string_equal(e.text, "call 1");
	e = (struct err){ 0 };
	assert_false(helper_ask(&h, FAIL, &e));
	assert_int_equal(e.code, ERR_STEER);
	assert_string_equal(e.text, "no luck");
	e = (struct err){ 0 };
	assert_false(helper_ask(&h, COUNT, &e));
	e = (struct err){ 0 };
	assert_true(helper_ask(&h, COUNT, &e));
	assert_int_equal(calls, 0); /* the child has its own */
	helper_end(&h);
	assert_false(helper_is_there(&h));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* Who waits until the plugin's streams are closed does not wait for it. */
static void holds_nothing_of_its_parent(void **state UNUSED)
{
	int more[] = { open("/dev/null", O_RDONLY), open("/dev/null", O_RDONLY) };
	struct helper h = HELPER_NONE;
	struct err e = { 0 };

	assert_true(helper_start(&h, "it", job, NULL, &e));
	assert_false(helper_ask(&h, STREAMS, &e));
	assert_string_equal(e.text, "4"); /* three of /dev/null, and the socket */
	helper_end(&h);
	for (size_t i = 0; i < LEN(more); i++)
		(void)close(more[i]);
}

static void outlives_its_child(void **state UNUSED)
{
	struct helper h = HELPER_NONE;
	struct err e = { 0 };

	assert_true(helper_start(&h, "it", job, NULL, &e));
	assert_int_equal(kill(h.pid, SIGKILL), 0);
	assert_false(helper_ask(&h, FAIL, &e));
	assert_int_equal(e.code, ERR_TARGET);
	assert_non_null(strstr(e.text, "it: "));
	e = (struct err){ 0 };
	assert_false(helper_ask(&h, FAIL, &e));
	helper_end(&h);
	helper_end(&h);
}

/*** a child that does not end ***/

static volatile sig_atomic_t *stuck; /* shared with the child */

static void map_stuck(void)
{
	stuck = mmap(NULL, sizeof(*stuck), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	assert_ptr_not_equal((const void *)stuck, MAP_FAILED);
}

static void stay(int signal UNUSED)
{
	*stuck = 1;
	while (true)
		(void)pause();
}

/* Answers, and is stuck soon after: as where closing a file waits for its file system. */
static bool answer_and_stay(void *context, char request, struct err *e)
{
	const struct itimerval soon = { .it_value.tv_usec = 1000 };

	(void)context, (void)request, (void)e;
	return signal(SIGALRM, stay) != SIG_ERR && setitimer(ITIMER_REAL, &soon, NULL) == 0;
}

static pid_t start_stuck(struct helper *h)
{
	struct err e = { 0 };

	map_stuck();
	assert_true(helper_start(h, "it", answer_and_stay, NULL, &e));
	assert_true(helper_ask(h, COUNT, &e));
	while (!*stuck)
		(void)usleep(1000);
	return h->pid;
}

static void waits_for_no_end(void **state UNUSED)
{
	struct helper h = HELPER_NONE;
	pid_t child = start_stuck(&h);

	(void)alarm(4 * HELPER_PATIENCE / 1000); /* whoever waits for ever has failed */
	helper_end(&h);
	(void)alarm(0);
	assert_false(helper_is_there(&h));
	assert_int_equal(waitpid(child, NULL, 0), child); /* it was killed */
	(void)munmap((void *)stuck, sizeof(*stuck));
}

/*** one at a time ***/

static bool queue_and_stay(void *context, char request, struct err *e)
{
	helper_queue("/a/path");
	return answer_and_stay(context, request, e);
}

static bool queue(void *path, char request UNUSED, struct err *e UNUSED)
{
	helper_queue(path);
	helper_queue(path);
	return true;
}

static bool ask_once(helper_job *work, char *path)
{
	struct helper h = HELPER_NONE;
	bool answered = helper_start(&h, "it", work, path, NULL) && helper_ask(&h, COUNT, NULL);

	helper_end(&h);
	return answered;
}

static bool unkillable; /* as where a file system hangs */

static int killing(pid_t pid, int signal)
{
	return unkillable ? 0 : kill(pid, signal);
}

/* A long run has other files to look at. */
static void is_not_asked_again(void **state UNUSED)
{
	struct helper h = HELPER_NONE;
	struct err e = { 0 };
	pid_t child = start_stuck(&h);

	unkillable = true;
	helper_end(&h);
	unkillable = false;
	assert_false(helper_start(&h, "it", job, NULL, &e));
	assert_string_equal(e.text, "it: still no answer to an earlier question");
	helper_end(&h);
	assert_true(helper_start(&h, "another", job, NULL, &e));
	helper_end(&h);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)child, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
	assert_true(ask_once(queue, "/a/path"));
	(void)munmap((void *)stuck, sizeof(*stuck));
}

/* Of those that wait for the one that is stuck, none stays; nor does it, once it has ended. */
static void one_is_stuck_at_most(void **state UNUSED)
{
	struct helper stuck_one = HELPER_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	auto_rundir run = RUNDIR_NONE;
	siginfo_t ended = { .si_pid = 0 };
	pid_t child;

	map_stuck();
	assert_true(rundir_open(&run, true, NULL) && rundir_lock(&held, &run, NULL));
	assert_true(helper_start(&stuck_one, "it", queue_and_stay, NULL, NULL));
	assert_true(helper_ask(&stuck_one, COUNT, NULL));
	child = stuck_one.pid;
	assert_true(ask_once(queue, "/another/path"));
	assert_false(ask_once(queue, "/a/path"));
	assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
	assert_int_equal(ended.si_pid, 0);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
	helper_end(&stuck_one);
	assert_int_equal(waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT), 0); /* the one that waited */
	assert_true(ask_once(queue, "/a/path"));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	(void)munmap((void *)stuck, sizeof(*stuck));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers),
		cmocka_unit_test(holds_nothing_of_its_parent),
		cmocka_unit_test(outlives_its_child),
		cmocka_unit_test(waits_for_no_end),
	};
	const struct CMUnitTest queues[] = { cmocka_unit_test(is_not_asked_again),
					     cmocka_unit_test(one_is_stuck_at_most) };

	return RUN_TESTS("helper", tests) + RUN_TESTS("helper: the queue", queues, STAGE);
}
