/*
 * inplace.h: a resolv.conf that is somebody else's file, opened with care and rewritten in place.
 *
 * In place, because every container of the pod has this very inode bound over its own: a file
 * renamed over it would reach none that runs. Whoever opens one may put its old text back.
 */
#ifndef POD_DNS_INPLACE_H
#define POD_DNS_INPLACE_H

#include "err.h"
#include "text.h"

enum { INPLACE_MAX = 1 << 20 }; /* bytes of a resolv.conf */

struct inplace {
	int fd;
	struct text old;
	bool written;
	int folder; /* of a file that was created here; else -1 */
};

#define INPLACE_NONE ((struct inplace){ .fd = -1, .folder = -1 })

/*
 * Finds the runtime's file of a pod: on a way that is only root's (safepath.h), a regular file, no
 * link, of one name, of INPLACE_MAX bytes at most, not the host's own (`node` is conf's resolvConf
 * or NULL). Returns an O_PATH descriptor, which the caller closes; -1: ERR_TARGET. From then on the
 * file is that descriptor: whatever takes its place under its name is not looked at.
 */
int inplace_find(const char *path, const char *node, struct err *e);

/*
 * Opens for writing what inplace_find() has found, and reads `old`; `path` names it in errors.
 * ERR_TARGET where it has lost its name since, or cannot be written.
 */
bool inplace_open(struct inplace *f, int found, const char *path, struct err *e);

/* The same to read `old` alone. */
bool inplace_look(struct inplace *f, int found, const char *path, struct err *e);

/*
 * /etc/resolv.conf inside the root of the process in /proc/PID/ns/net, whose network namespace is
 * `netns`. A container's root is its workload's to shape: links are followed within it only, none
 * of /proc's, no FIFO blocks, and a root or mount namespace that is the plugin's own is the host's
 * and refused. With `create` it is made where it is absent. ERR_TARGET.
 */
struct file_id;
bool inplace_open_rootfs(struct inplace *f, const char *netns_path, const struct file_id *netns,
			 const char *node, bool create, struct err *e);

/* The same to read `old` alone: nothing is made, and what cannot be written will do. */
bool inplace_look_rootfs(struct inplace *f, const char *netns_path, const struct file_id *netns,
			 struct err *e);

/* Whether `path` is of the form /proc/PID/ns/net. */
bool inplace_is_proc(const char *path);

/* Writes, unless the file holds just that; with care for `readers` if there may be some. ERR_IO. */
bool inplace_write(struct inplace *f, const char *text, bool readers, struct err *e);

/* Takes the writing back: the old text, or no file where there was none. */
void inplace_undo(struct inplace *f);

void inplace_close(struct inplace *f);

#endif
