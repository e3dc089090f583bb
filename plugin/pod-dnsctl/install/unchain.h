/* SPDX-License-Identifier: Apache-2.0 */
/* unchain.h: takes pod-dns out of the networks of a folder. */
#ifndef POD_DNSCTL_UNCHAIN_H
#define POD_DNSCTL_UNCHAIN_H

#include "err.h"
#include "pod-dnsctl/cli/ctl.h"

#include <jansson.h>

struct unchain {
	struct ctl *ctl;
	json_t *shown; /* of a dry run: a list, which gets what -o json shows; NULL: files are
			  changed */
};

/* One file, which pod-dns need not be in. Errors as in chain_file.h. */
bool unchain_file(struct unchain *u, const char *path, struct err *e);

/* Every list of a folder, which may be missing: an installer may have added one before ours.
 * Removes saved originals of lists that are gone. */
bool unchain_folder(struct unchain *u, const char *folder, struct err *e);

#endif
