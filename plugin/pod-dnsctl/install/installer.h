/* SPDX-License-Identifier: Apache-2.0 */
/* installer.h: puts the plugin and its chain on a node, once or whenever the chain is lost. */
#ifndef POD_DNSCTL_INSTALLER_H
#define POD_DNSCTL_INSTALLER_H

#include "pod-dnsctl/cli/ctl.h"
#include "config/netdir.h"

#include <jansson.h>

struct install {
	struct ctl *ctl;
	struct netdir dirs;
	const char *conflist;	       /* NULL: the folder's first, looked up each time */
	const json_t *set;	       /* the keys of --set */
	void (*then)(struct ctl *ctl); /* called when the runtime has the chain; NULL: nothing */
	/* Looks at the text that `file` would get. False: it must not be written. */
	bool (*check)(struct ctl *ctl, const char *file, const char *text, struct err *e);
};

/*
 * Copies the plugin, chains it, and waits until the runtime has loaded the chain. If the runtime
 * does not load it, the old file is put back, and that is an error.
 */
bool install_once(const struct install *i, struct err *e);

/* Prints what install_once() would do. It fails where that would. */
bool install_dry_run(const struct install *i, struct err *e);

/* Waits until the folder has a network: on a new node its installer may come later. */
bool install_await_network(const struct install *i, struct err *e);

/* Chains again whenever the network's installer takes pod-dns out. Returns when it cannot go on. */
bool install_watch(const struct install *i, struct err *e);

#endif
