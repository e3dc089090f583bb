/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.h: the node's runtime: its folders and socket, and whether it has loaded a chain. */
#ifndef POD_DNSCTL_RUNTIME_H
#define POD_DNSCTL_RUNTIME_H

#include "pod-dnsctl/cli/ctl.h"
#include "pod-dnsctl/install/chain_file.h"
#include "config/netdir.h"

/* The runtime's folders and socket, by the options conf-dir, bin-dir and cri-socket. A `conflist`
 * names the folder of networks. */
void runtime_dirs(struct ctl *ctl, struct netdir *dirs, const char *conflist);

/* The PID of the runtime that listens on the socket; 0: unknown, or not seen from here. */
int runtime_pid(const struct netdir *dirs);

enum runtime_answer {
	RUNTIME_LOADED,
	RUNTIME_SILENT, /* it does not run, or does not tell; a note says so */
	RUNTIME_REFUSES,
	RUNTIME_OVERTAKEN, /* the file's owner has changed it meanwhile */
};

/*
 * Waits until the runtime has loaded the file that was written: half a minute, and five seconds
 * where the runtime says why it could not load its networks; a note tells. A network that is not
 * the first of the folder is not loaded by name: nothing is asked.
 */
enum runtime_answer runtime_await_chain(struct ctl *ctl, const struct netdir *dirs,
					const struct chain_file *chain);

/* Waits half a minute until the runtime has loaded a chain without pod-dns. */
enum runtime_answer runtime_await_release(struct ctl *ctl, const struct netdir *dirs);

#endif
