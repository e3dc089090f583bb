/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_version.h: the container runtime on this machine, and the newest CNI it knows. */
#ifndef POD_DNSCTL_RUNTIME_VERSION_H
#define POD_DNSCTL_RUNTIME_VERSION_H

#include "base.h"

struct runtime_version {
	const char *name; /* "containerd" */
	char version[32]; /* "1.6.20" */
	const char *cni;  /* "1.0.0" */
};

/*
 * Asks containerd, then CRI-O, by `--version`, in the usual folders. False: there is neither, or no
 * version in its output. containerd knows CNI 1.1.0 from 2.0 on, CRI-O from 1.32 at the latest.
 */
bool runtime_version_find(struct runtime_version *out);

#endif
