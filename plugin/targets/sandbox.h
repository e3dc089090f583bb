/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sandbox.h: where a runtime keeps the resolv.conf of a pod on the host.
 *
 * Every container of the pod has that one file mounted over its own. pod-dns(8), TARGETS, lists
 * where each runtime keeps it, and how the runtime's process reveals an unusual root.
 */
#ifndef POD_DNS_SANDBOX_H
#define POD_DNS_SANDBOX_H

#include "arena.h"
#include "domain.h"

#include <limits.h>

/* A file of the runtime's, found and held open: it is accessed through this descriptor only. */
struct sandbox_file {
	const char *path; /* NULL: none is there */
	int fd;		  /* O_PATH; -1: what stands at `path` is not acceptable, see `why` */
	const char *why;
};

struct sandbox {
	const char *container_id;
	bool cri;		       /* a call of a CRI runtime */
	const char *node_file;	       /* resolvConf or NULL: never taken for the pod's */
	struct sandbox_file runtimes;  /* found where runtimes keep it */
	struct sandbox_file templated; /* found by the first template of `targets` that has one */
	const char *expected; /* where containerd 2.x will write it; NULL: unknown, or written */
};

#define SANDBOX_FILE_NONE ((struct sandbox_file){ .fd = -1 })
#define SANDBOX_NONE	  ((struct sandbox){ .runtimes.fd = -1, .templated.fd = -1 })

/*
 * Finds and opens the runtime's file of the pod: under the usual roots and, in a call of a CRI
 * runtime, under those that the parent process (a PID) or mountinfo reveals. Paths lie in the
 * arena. The caller calls sandbox_done().
 */
void sandbox_locate(struct sandbox *s, const struct conf *c, const char *container_id, bool cri,
		    int parent, struct arena *a);

/* The file that holds what the runtime decided; NULL: there is none. */
const struct sandbox_file *sandbox_input(const struct sandbox *s);

void sandbox_done(struct sandbox *s);

/*
 * The file at `path` (NULL: none is known), opened. No path in the result: a regular file is not
 * there. No descriptor: inplace_find() refuses it, `why` says the reason.
 */
struct sandbox_file sandbox_hold(const char *path, const char *node, struct arena *a);

/*
 * The same for callers that find the file after ADD and must not wait for a file system that hangs:
 * the result has no descriptor if the file cannot be read within HELPER_PATIENCE. `named` is the
 * path in a record, which may be a guess of ADD. If it is not there and the container's ID is
 * given, the file is looked for under the known roots of CRI runtimes.
 */
struct sandbox_file sandbox_open_timeout(const char *named, const char *container_id,
					 const char *node, struct arena *a);

/* The same without that bound: for a caller that may not fork. */
struct sandbox_file sandbox_open_now(const char *named, const char *container_id, struct arena *a);
void sandbox_file_done(struct sandbox_file *file);
#define auto_sandbox_file __attribute__((cleanup(sandbox_file_done))) struct sandbox_file

/* The path of an existing file under the usual roots; for callers that are not runtimes' children.
 */
bool sandbox_find_known(char out[static PATH_MAX], const char *container_id, bool cri);

/*
 * Whether `path` has the form in which CRI-O and podman name the file of that container, whatever
 * the root of their storage.
 */
bool sandbox_is_storage_of(const char *path, const char *container_id);

/* Whether a regular file is there. True where that cannot be seen: opening it will say why. */
bool sandbox_is_file(const char *path);

/* Fills {containerID} into a template of `targets`. False: too long. */
bool sandbox_fill(char out[static PATH_MAX], const char *pattern, const char *container_id);

#endif
