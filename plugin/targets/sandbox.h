/*
 * sandbox.h: where a runtime keeps the resolv.conf of a pod on the host.
 *
 * Every container of the pod has that one file bound over its own. Which runtime has it where, and
 * what the runtime's process reveals of a root that is not the usual one, was read in their sources
 * and seen (pod-dns(8), TARGETS).
 */
#ifndef POD_DNS_SANDBOX_H
#define POD_DNS_SANDBOX_H

#include "domain.h"

#include <limits.h>

/*
 * The path of an existing file for the container; false: none is there. It is looked for under the
 * roots known and, in a call of a CRI runtime, under those that the parent process (a pid) or
 * mountinfo reveals.
 */
bool sandbox_find(char out[static PATH_MAX], const char *container_id, bool cri, int parent);

/* The same under the known roots alone: where no runtime is the parent. */
bool sandbox_find_known(char out[static PATH_MAX], const char *container_id, bool cri);

/*
 * Where containerd 2.x will put the file after ADD: below the root that the parent process reveals,
 * or else the likeliest of those known. False: the parent is a runtime that writes before ADD.
 */
bool sandbox_expect(char out[static PATH_MAX], const char *container_id, int parent);

/*
 * Whether `path` is where CRI-O and podman keep the file of that container, by its form, whatever
 * the root of their storage.
 */
bool sandbox_is_storage_of(const char *path, const char *container_id);

/* Whether a regular file is there. What cannot be looked at is: whoever opens it hears why not. */
bool sandbox_is_file(const char *path);

/* A template of `targets`, its {containerID} filled in; false: too long. */
bool sandbox_fill(char out[static PATH_MAX], const char *pattern, const char *container_id);

#endif
