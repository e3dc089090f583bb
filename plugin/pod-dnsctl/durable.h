/* SPDX-License-Identifier: Apache-2.0 */
/*
 * durable.h: files of a node's configuration, replaced so that a crash or a power cut leaves the
 * old file or the new one.
 *
 * The new file is written beside the old one, under a name that no runtime loads, fsynced, and
 * renamed within the folder: containerd reloads its networks for a rename within the folder, and
 * does not for a file that is moved in from elsewhere.
 */
#ifndef POD_DNSCTL_DURABLE_H
#define POD_DNSCTL_DURABLE_H

#include "err.h"

#include <sys/stat.h>

/* The name of the file that is on its way to `path`, and of what an installed file was before. */
#define DURABLE_NEW   ".pod-dns-new"
#define DURABLE_SAVED ".pod-dns-saved"

/* Replaces `path` by `text`, with the owner and the mode of `like`. ERR_IO. */
bool durable_write(const char *path, const char *text, size_t len, const struct stat *like,
		   struct err *e);

/* Whether `path` has the bytes of `from`, and mode 0755. */
bool durable_is_copy(const char *from, const char *path);

/* Copies the file `from`, mode 0755, to `path`. *changed: it was not the same already. ERR_IO. */
bool durable_copy(const char *from, const char *path, bool *changed, struct err *e);

/* rename(2), link(2) and unlink(2), and the folder is fsynced. Removing what is not there is well.
 */
bool durable_rename(const char *from, const char *to, struct err *e);

/* Two folders that are there change places. False without an error: the file system cannot. ERR_IO.
 */
bool durable_exchange(const char *from, const char *to, struct err *e);
bool durable_link(const char *from, const char *to, struct err *e);
bool durable_remove(const char *path, struct err *e);

#endif
