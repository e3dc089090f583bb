/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sandbox.h: where a runtime keeps the resolv.conf of a pod on the host.
 *
 * Every container of the pod has that one file bound over its own. Which runtime has it where, and
 * what the runtime's process reveals of a root that is not the usual one, was read in their sources
 * and seen (pod-dns(8), TARGETS).
 */
#ifndef POD_DNS_SANDBOX_H
#define POD_DNS_SANDBOX_H

#include "arena.h"
#include "domain.h"

#include <limits.h>

/* A file of the runtime's, found and held: it is read and written through this descriptor alone. */
struct sandbox_file {
	const char *path; /* NULL: none is there */
	int fd;		  /* O_PATH; -1: what stands there is no such file, `why` says more */
	const char *why;
};

struct sandbox {
	const char *container_id;
	bool cri;		       /* a call of a CRI runtime */
	const char *node_file;	       /* conf's resolvConf or NULL: never taken for the pod's */
	struct sandbox_file runtimes;  /* where the runtime keeps it */
	struct sandbox_file templated; /* the first template of `targets` that leads to one */
	const char *expected; /* where containerd 2.x will write it; NULL: not known, or there */
};

#define SANDBOX_FILE_NONE ((struct sandbox_file){ .fd = -1 })
#define SANDBOX_NONE	  ((struct sandbox){ .runtimes.fd = -1, .templated.fd = -1 })

/*
 * Finds and opens the runtime's file of the pod, under the roots known and, in a call of a CRI
 * runtime, under those that the parent process (a pid) or mountinfo reveals. Paths lie in the
 * arena. sandbox_done() gives back.
 */
void sandbox_locate(struct sandbox *s, const struct conf *c, const char *container_id, bool cri,
		    int parent, struct arena *a);

/* The file that says what the runtime decided; NULL: none is there. */
const struct sandbox_file *sandbox_input(const struct sandbox *s);

void sandbox_done(struct sandbox *s);

/*
 * What stands at `path` (NULL: none is known), which the result borrows: no path where that is no
 * regular file; no descriptor, and why, where it cannot be a runtime's (inplace_find()).
 */
struct sandbox_file sandbox_hold(const char *path, const char *node, struct arena *a);
void sandbox_file_done(struct sandbox_file *file);
#define auto_sandbox_file __attribute__((cleanup(sandbox_file_done))) struct sandbox_file

/* The path of an existing file under the known roots alone: where no runtime is the parent. */
bool sandbox_find_known(char out[static PATH_MAX], const char *container_id, bool cri);

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
