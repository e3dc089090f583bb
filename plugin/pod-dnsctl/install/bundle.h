/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bundle.h: installs the programs with their loader and libraries, for hosts without these.
 *
 * A bundle works at /opt/pod-dns only (make bundle), where its programs expect the loader. In the
 * runtime's folder of plugins there is a link to it. If the host's root is mounted elsewhere, as in
 * a container that installs, the bundle goes below that root: with /host/opt/cni/bin to
 * /host/opt/pod-dns.
 */
#ifndef POD_DNSCTL_BUNDLE_H
#define POD_DNSCTL_BUNDLE_H

#include "err.h"

#define BUNDLE_FOLDER "/opt/pod-dns"

/* Whether the program at this path lies in a bundle. */
bool bundle_is_at(const char *program);

/* Whether bundle_install() would change nothing. */
bool bundle_is_installed(const char *program, const char *plugin);

/*
 * Copies the bundle of `program` to its place, libraries first, and makes `plugin` a link to it.
 * ERR_IO.
 */
bool bundle_install(const char *program, const char *plugin, struct err *e);

/* Removes the bundle if `plugin` is a link into it; the caller removes the link. ERR_IO. */
bool bundle_remove(const char *plugin, struct err *e);

#endif
