/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hook.h: `pod-dns hook`, an OCI createRuntime hook: the strict form of `late`, and the whole of it
 * for podman 5, which has no CNI.
 */
#ifndef POD_DNS_HOOK_H
#define POD_DNS_HOOK_H

#include "err.h"
#include "warn.h"

/*
 * Run once per container, with its state on `fd`. Where the container is of a pod whose record
 * waits for the runtime's file, that file is written before the workload starts; containers that
 * are not ours are left, and that is no error. Waits a second at most. ERR_TARGET: the workload
 * would start with another DNS.
 */
bool hook_run(int fd, struct warnings *w, struct err *e);

/*
 * The same for containers without CNI (`--config FILE`): FILE holds the keys of a configFile, the
 * container's annotations pod-dns/policy and pod-dns/config are its channel. A wrong FILE leaves
 * the container as it is, with a warning.
 */
bool hook_run_with_config(int fd, const char *path, struct warnings *w, struct err *e);

#endif
