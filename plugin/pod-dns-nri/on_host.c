/* SPDX-License-Identifier: Apache-2.0 */
/* on_host.c: pods on the host's network, for which the runtime calls no CNI plugin. */
#include "pod-dns-nri/on_host.h"
#include "attachment/host_pod.h"
#include "cni/cni.h"
#include "config/conflist.h"
#include "netns.h"
#include "state/record.h"

#include <string.h>
#include <time.h>

bool on_host(const struct nri_pod *pod)
{
	struct file_id id;
	auto_fd fd = -1;

	if (!pod->has_netns)
		return true;
	fd = netns_open(&id, pod->netns, NULL);
	return fd >= 0 && netns_is_nodes(id);
}

static enum completed write_locked(const struct rundir_lock *held, const struct host_pod *p,
				   const struct sandbox_file *file, struct warnings *w,
				   struct err *e)
{
	switch (host_pod_write(held, p, file, w, e)) {
	case HOST_POD_WRITTEN:
		return COMPLETED_WRITTEN;
	case HOST_POD_MISSED:
		return COMPLETED_MISSED;
	case HOST_POD_LEFT:
	default:
		return COMPLETED_NOTHING;
	}
}

/* Tries for COMPLETE_PATIENCE to get the lock. */
static enum completed try_write(const struct host_pod *p, const struct sandbox_file *file,
				struct warnings *w, struct err *e)
{
	const int64_t end = complete_clock() + COMPLETE_PATIENCE;
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_open(&run, true, e))
		return COMPLETED_MISSED;
	while (!rundir_try_lock(&held, &run)) {
		if (complete_clock() >= end) {
			(void)err_set(e, ERR_AGAIN, "another process holds the lock");
			return COMPLETED_MISSED;
		}
		(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return write_locked(&held, p, file, w, e);
}

static enum completed find_and_write(const struct host_pod *p, int runtime, struct warnings *w,
				     struct err *e)
{
	struct sandbox sandbox;
	const struct sandbox_file *file;
	enum completed done = COMPLETED_ABSENT;

	sandbox_locate(&sandbox, &p->network->conf, p->container_id, true, runtime, w->arena);
	file = sandbox_input(&sandbox);
	if (file)
		done = try_write(p, file, w, e);
	sandbox_done(&sandbox);
	return done;
}

static enum completed complete_in(const struct nri_pod *pod, const struct conflist *list,
				  int runtime, struct warnings *w, struct err *e)
{
	struct network_conf network = { 0 };
	const struct host_pod p = {
		.network = &network,
		.network_name = list->name,
		.pod = { .name = pod->name,
			 .namespace = *pod->namespace ? pod->namespace : "default",
			 .uid = pod->uid,
			 .cri = true,
			 .host_network = true },
		.container_id = pod->id,
	};
	enum completed done = COMPLETED_NOTHING;

	if (conf_file_read(&network, list->network, w, e) && host_pod_is_chosen(&p))
		done = find_and_write(&p, runtime, w, e);
	conf_file_done(&network);
	return done;
}

enum completed on_host_complete(const struct nri_pod *pod, const struct on_host_runtime *runtime,
				struct warnings *w, struct err *e)
{
	enum completed done = COMPLETED_NOTHING;
	struct conflist list = { 0 };
	const char *path;

	if (!cni_is_id(pod->id) || strlen(pod->id) > RECORD_NAME)
		return COMPLETED_NOTHING;
	path = conflist_first(runtime->conf_dir, w->arena, e);
	if (path && conflist_read(&list, path, e))
		done = complete_in(pod, &list, runtime->pid, w, e);
	conflist_done(&list);
	return done;
}
