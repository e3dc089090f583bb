/* SPDX-License-Identifier: Apache-2.0 */
/* Whether there is a table of ours, for IPv4, in the network namespace at a path. */
#ifndef NETNS_TABLE_H
#define NETNS_TABLE_H

#include "nft/nl.h"
#include "stage.h"
#include "steer/rules/table.h"

#include <fcntl.h>

static inline bool netns_has_table(const char *path)
{
	auto_fd fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_nl nl = NL_CLOSED;
	bool ours = false;
	struct err e = { 0 };

	if (!nl_open_in(&nl, fd, &e) || (!table_is_there(&nl, false, &ours, &e) && e.code))
		stage_broken("%s", e.text);
	return ours;
}

#endif
