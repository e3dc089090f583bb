/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.c: the node's runtime: its folders and socket, and whether it has loaded a chain. */
#include "pod-dnsctl/install/runtime.h"
#include "pod-dnsctl/cli/out.h"
#include "pod-dnsctl/install/cri_status.h"
#include "file.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

enum { WAIT_SECONDS = 30, FAULT_SECONDS = 5, PAUSE_MS = 100 };

void runtime_dirs(struct ctl *ctl, struct netdir *dirs, const char *conflist)
{
	const char *slash = conflist ? strrchr(conflist, '/') : NULL;
	const char *conf = ctl_value(ctl, "conf-dir"), *bin = ctl_value(ctl, "bin-dir");
	const char *socket = ctl_value(ctl, "cri-socket");

	netdir_find(dirs, ctl->arena);
	if (conf)
		dirs->conf = conf;
	if (conflist)
		dirs->conf =
			slash ? arena_print(ctl->arena, "%.*s", (int)(slash - conflist), conflist)
			      : ".";
	if (bin)
		dirs->bins[0] = bin, dirs->bins[1] = NULL;
	if (socket)
		dirs->socket = socket;
}

int runtime_pid(const struct netdir *dirs)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	auto_fd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred peer = { 0 };
	socklen_t len = sizeof(peer);

	if (!dirs->socket || strlen(dirs->socket) >= sizeof(to.sun_path))
		return 0;
	memcpy(to.sun_path, dirs->socket, strlen(dirs->socket) + 1);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof(to)) < 0 ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		return 0;
	return peer.pid;
}

static time_t now_seconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static enum runtime_answer await_loaded(struct ctl *ctl, const struct netdir *dirs,
					const struct chain_file *chain)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	const time_t begun = now_seconds();
	enum cri_chain seen = CRI_NO_RUNTIME;
	char fault[CRI_FAULT] = "";

	while (dirs->socket) {
		if (chain && !chain_file_is_current(chain))
			return RUNTIME_OVERTAKEN;
		seen = cri_status_chain(fault, dirs->socket, dirs->conf,
					chain ? chain->new.at : NULL);
		if (seen != CRI_NOT_LOADED ||
		    now_seconds() - begun >= (chain && *fault ? FAULT_SECONDS : WAIT_SECONDS))
			break;
		(void)nanosleep(&pause, NULL);
	}
	if (seen == CRI_NOT_LOADED && *fault)
		ctl_note(ctl, "%s: the runtime says: %s", dirs->socket, fault);
	if (seen == CRI_NOT_LOADED)
		return RUNTIME_REFUSES;
	if (seen == CRI_LOADED)
		out_line(ctl->out, "%s: the runtime has loaded it", dirs->socket);
	else if (seen == CRI_NO_RUNTIME)
		ctl_note(ctl, "no runtime was found running: it loads the chain when it starts");
	else
		ctl_note(ctl, "%s: the runtime does not say which chain it has loaded from %s",
			 dirs->socket, dirs->conf);
	return seen == CRI_LOADED ? RUNTIME_LOADED : RUNTIME_SILENT;
}

enum runtime_answer runtime_await_chain(struct ctl *ctl, const struct netdir *dirs,
					const struct chain_file *chain)
{
	const char *slash = strrchr(chain->target, '/');
	char first[NAME_MAX + 1];
	struct err e = { 0 };

	if (netdir_first(first, dirs->conf, &e) &&
	    strcmp(first, slash ? slash + 1 : chain->target) != 0) {
		ctl_note(ctl, "%s: the runtime loads %s, which comes before it by name",
			 chain->target, first);
		return RUNTIME_SILENT;
	}
	return await_loaded(ctl, dirs, chain);
}

enum runtime_answer runtime_await_release(struct ctl *ctl, const struct netdir *dirs)
{
	return await_loaded(ctl, dirs, NULL);
}
