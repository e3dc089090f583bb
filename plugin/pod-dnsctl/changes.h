/* SPDX-License-Identifier: Apache-2.0 */
/* changes.h: waits until a record of the node is made, changed or removed. */
#ifndef POD_DNSCTL_CHANGES_H
#define POD_DNSCTL_CHANGES_H

#include "err.h"

struct changes {
	int fd; /* inotify */
};
#define CHANGES_NONE ((struct changes){ -1 })

/* Begins to watch. Makes the run folder if there is none. ERR_IO. */
bool changes_begin(struct changes *c, struct err *e);

/* Waits until something has changed, and then nothing for 200 ms. ERR_IO. */
bool changes_wait(struct changes *c, struct err *e);

void changes_done(struct changes *c);

static inline void done_auto_changes(struct changes *c)
{
	changes_done(c);
}
#define auto_changes __attribute__((cleanup(done_auto_changes))) struct changes

#endif
