/* SPDX-License-Identifier: Apache-2.0 */
/* steer_in_pod.c: work on the tables of a pod's network namespace, in a child. */
#include "steer/steer_in_pod.h"
#include "netns.h"
#include "targets/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*** the namespace ***/

static bool is_known(int fd, struct file_id id, const struct record_netns *known)
{
	uint64_t cookie;

	if (!known)
		return true;
	cookie = known->cookie ? netns_cookie(fd) : 0;
	return file_same(id, known->id) && (!cookie || cookie == known->cookie);
}

bool steer_pod_open(struct nl *nl, const char *path, const struct record_netns *known, bool *there,
		    struct err *e)
{
	auto_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	*there = false;
	if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != ESRCH)
		return err_errno(e, ERR_STEER, "%s", path);
	*there = fd >= 0 && fstat(fd, &st) == 0 && !netns_is_nodes(file_id(&st)) &&
		 is_known(fd, file_id(&st), known);
	return !*there || nl_open_in(nl, fd, e);
}

/* The child does not have its parent's descriptors, but can open what they refer to. */
static bool open_of_parent(const struct pod_netns *netns, struct nl *nl, bool *there, struct err *e)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", getppid(), netns->fd);
	return steer_pod_open(nl, path, &(struct record_netns){ .id = netns->id }, there, e);
}

/* Opens it by the path in the record, else by that of the call. */
static bool open_place(const struct steer_place *where, struct nl *nl, bool *there, struct err *e)
{
	const struct record_netns *known = where->known;

	*there = false;
	if (where->call)
		return open_of_parent(where->call, nl, there, e);
	if (known && known->path && !steer_pod_open(nl, known->path, known, there, e))
		return false;
	return *there || !*where->path || steer_pod_open(nl, where->path, known, there, e);
}

/*** the child ***/

struct shared {
	bool there;
	_Alignas(max_align_t) char data[];
};

struct job {
	const struct steer_place *where;
	steer_work *work;
	struct shared *shared;
};

/* Waits before it begins: see nl_wait(). */
static bool run_work(void *context, char request UNUSED, struct err *e)
{
	const struct job *job = context;
	bool *there = &job->shared->there;
	auto_nl nl = NL_CLOSED;

	if (!open_place(job->where, &nl, there, e) || !*there)
		return !e->code;
	nl_wait(&nl);
	if (!open_place(job->where, &nl, there, e) || !*there)
		return !e->code;
	return job->work(&nl, job->shared->data, e);
}

/* The name for errors. */
static const char *path_of(const struct steer_place *where)
{
	if (where->call)
		return where->call->path;
	return where->known && where->known->path ? where->known->path : where->path;
}

static bool run_in_child(struct job *job, struct err *e)
{
	struct helper helper = HELPER_NONE;
	struct err fault = { 0 };
	bool done = helper_start(&helper, path_of(job->where), run_work, job, &fault) &&
		    helper_ask(&helper, 'w', &fault);

	helper_end(&helper);
	return done || err_set(e, ERR_STEER, "%s", fault.text);
}

bool steer_in_pod(const struct steer_place *where, steer_work *work, void *data, size_t size,
		  bool *there, struct err *e)
{
	const size_t len = sizeof(struct shared) + size;
	struct shared *shared =
		mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct job job = { where, work, shared };
	bool done;

	*there = false;
	if (shared == MAP_FAILED)
		return err_errno(e, ERR_STEER, "%s", path_of(where));
	memcpy(shared->data, data, size);
	done = run_in_child(&job, e);
	if (done) {
		*there = shared->there;
		memcpy(data, shared->data, size);
	}
	(void)munmap(shared, len);
	return done;
}
