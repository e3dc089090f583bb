/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bundle.h: the programs with their loader and libraries, for hosts that have none of them.
 *
 * A bundle is made for /opt/pod-dns (make bundle): its programs ask for that loader. The plugin's
 * name in the runtime's folder is a link into it. Where the host's root is mounted elsewhere, as in
 * a container that installs, the folder beside that of plugins counts: of /host/opt/cni/bin it is
 * /host/opt/pod-dns.
 */
#ifndef POD_DNSCTL_BUNDLE_H
#define POD_DNSCTL_BUNDLE_H

#include "err.h"

#define BUNDLE_FOLDER "/opt/pod-dns"

/* Whether the program at this path lies in a bundle. */
bool bundle_is_at(const char *program);

/*
 * Copies the bundle of `program` to its place, the libraries first, and makes `plugin` a link to
 * it. *changed: something was not the same already. ERR_IO.
 */
bool bundle_install(const char *program, const char *plugin, bool *changed, struct err *e);

/* Removes the bundle if `plugin` is a link into it; the link is the caller's to remove. ERR_IO. */
bool bundle_remove(const char *plugin, struct err *e);

#endif
