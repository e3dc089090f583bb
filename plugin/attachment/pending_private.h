/* SPDX-License-Identifier: Apache-2.0 */
/* pending_private.h: what pending.c and pending_file.c share. */
#ifndef POD_DNS_PENDING_PRIVATE_H
#define POD_DNS_PENDING_PRIVATE_H

#include "attachment/pending.h"
#include "text.h"

/* Whether two texts mean the same, whatever the order of lines and the comments. */
bool pending_says(const struct text *now, const char *wanted);

/*
 * Whether a process has the file open for writing: if not, the kernel grants a read lease
 * (fcntl(2)). False also where the file system does not know leases.
 */
bool pending_is_being_written(int fd);

/*
 * Whether the runtime may still write again, for a short time after the last write: the text is
 * neither the runtime's nor ours, or empty though that is not expected, or our own over an empty
 * one.
 */
bool pending_is_early(int fd, const struct record *record);

/* Whether its file system has birth times. */
bool pending_has_birth(int fd);

/*
 * Whether the file was not written since it was made, by its times: a runtime makes and writes it
 * at once. If the file system has no birth times, this is unknown and the result is false.
 */
bool pending_is_as_made(int fd);

#endif
