/* netns.h: which network namespace a path leads to. */
#ifndef PKG_NETNS_H
#define PKG_NETNS_H

#include "err.h"
#include "file.h"

/* The plugin's own. Fails where /proc is not mounted. */
bool netns_own(struct file_id *id, struct err *e);

/* ERR_IO where the path does not open, or is no network namespace. */
bool netns_identify(struct file_id *id, const char *path, struct err *e);

/* Whether `path` still leads to that very namespace, as far as can be seen. */
bool netns_is(const char *path, struct file_id id);

#endif
