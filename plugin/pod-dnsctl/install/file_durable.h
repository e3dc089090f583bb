/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_durable.h: replaces files of a node's configuration so that a crash or a power cut leaves
 * the old file or the new one.
 *
 * The new file is written in the same folder under a name that no runtime loads, fsynced, and
 * renamed. It must be the same folder: containerd does not reload its networks for a file that is
 * moved in from elsewhere.
 */
#ifndef POD_DNSCTL_DURABLE_H
#define POD_DNSCTL_DURABLE_H

#include "err.h"
#include "text.h"

#include <sys/stat.h>

/* Endings of the names of a new file before its rename, and of a kept original. */
#define DURABLE_NEW   ".pod-dns-new"
#define DURABLE_SAVED ".pod-dns-saved"

/* Whether `path` is still the file that was seen, and as it was. ERR_AGAIN. */
bool file_durable_check(const char *path, const struct stat *seen, struct err *e);

/* Replaces `path` by `text`, with the owner and the mode of `like`. ERR_IO. */
bool file_durable_write(const char *path, const struct text *text, const struct stat *like,
			struct err *e);

/* The same with the owner and mode of the file. ERR_AGAIN: the file is not as it was seen. */
bool file_durable_replace(const char *path, const struct text *text, const struct stat *seen,
			  struct err *e);

/* Whether `path` has the bytes of `from`, and mode 0755. */
bool file_durable_is_copy(const char *from, const char *path);

/* Copies the file `from`, mode 0755, to `path`, unless it is the same already. ERR_IO. */
bool file_durable_copy(const char *from, const char *path, struct err *e);

/* rename(2), link(2) and unlink(2), then fsync of the folder. A file to remove may be missing. */
bool file_durable_rename(const char *from, const char *to, struct err *e);

enum file_durable_exchanged {
	DURABLE_EXCHANGED,
	DURABLE_CANNOT, /* not on this file system: nothing has changed */
	DURABLE_FAILED, /* ERR_IO */
};

/* Two folders that are there change places. */
enum file_durable_exchanged file_durable_exchange(const char *from, const char *to, struct err *e);

bool file_durable_link(const char *from, const char *to, struct err *e);
bool file_durable_remove(const char *path, struct err *e);

#endif
