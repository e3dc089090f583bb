/* SPDX-License-Identifier: Apache-2.0 */
/* base.h: what every file of this project may assume. */
#ifndef PKG_BASE_H
#define PKG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define LEN(array)	   (sizeof(array) / sizeof((array)[0]))
#define PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define MUST_CHECK	   __attribute__((warn_unused_result))
#define UNUSED		   __attribute__((unused))

static inline void close_auto_fd(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

static inline void free_auto_mem(void *pointer)
{
	free(*(void **)pointer);
}

/* A descriptor that is closed, and memory that is freed, at the end of the scope. After writing use
 * close(take_fd()), which reports failures. */
#define auto_fd	 __attribute__((cleanup(close_auto_fd))) int
#define auto_mem __attribute__((cleanup(free_auto_mem)))

/* Moves a descriptor out of its auto_fd: the caller owns it now. */
static inline int take_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
