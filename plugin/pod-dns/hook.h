/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hook.h: `pod-dns hook`, an OCI createRuntime hook: writes the file before the workload starts,
 * for runtimes that write it after CNI or (podman 5) have no CNI.
 */
#ifndef POD_DNS_HOOK_H
#define POD_DNS_HOOK_H

#include "err.h"
#include "warn.h"

/*
 * Runs once for each container, with its state on `fd`. If the pod's record is DEFERRED, the
 * runtime's file is written now. A container without one of these records is not changed; this is
 * not an error. Waits a second at most. ERR_TARGET: the workload would start with the wrong DNS.
 */
bool hook_run(int fd, struct warnings *w, struct err *e);

/*
 * The same for containers without CNI (`--config FILE`). FILE holds the keys of a configFile; the
 * container requests by its annotations pod-dns/policy and pod-dns/config. If FILE is faulty, the
 * container is not changed and there is a warning.
 */
bool hook_run_with_config(int fd, const char *path, struct warnings *w, struct err *e);

#endif
