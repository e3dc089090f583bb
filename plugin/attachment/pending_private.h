/* SPDX-License-Identifier: Apache-2.0 */
/* pending_private.h: what the parts of pending.c share. */
#ifndef POD_DNS_PENDING_PRIVATE_H
#define POD_DNS_PENDING_PRIVATE_H

#include "attachment/pending.h"
#include "text.h"

/* What is to be written, and over what. */
struct pending_aim {
	bool undecided;	      /* the text that comes decides */
	const char *text;     /* ours; NULL: none, or none yet */
	const char *expected; /* the runtime's; NULL: not known */
};
struct pending_aim pending_aim_of(const struct record *record);

/* Whether a file says what `wanted` says, in whatever order of lines and with comments. */
bool pending_says(const struct text *now, const char *wanted);

/*
 * Whether somebody has it open for writing: else the kernel grants a read lease (fcntl(2)). Where
 * leases are not to be had, what is there counts.
 */
bool pending_is_being_written(int fd);

/*
 * Whether the runtime may come back to what it has closed: a text that is neither its nor ours, an
 * empty one where nothing says that it shall be, our own that went over an empty one. Not for long.
 */
bool pending_is_early(int fd, const struct pending_aim *aim);

/*
 * Whether nobody has written since the file was made, as far as its stamps tell: a runtime makes it
 * and writes it in one go. Without a birth stamp nothing is known, and nothing is overwritten.
 */
bool pending_is_as_made(int fd);

#endif
