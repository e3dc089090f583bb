/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netnsfile.h: /etc/netns/NAME/resolv.conf, which `ip netns exec NAME` mounts over
 * /etc/resolv.conf.
 *
 * Ours is a link to /run/pod-dns/.netns/NAME/resolv.conf: so it is known as ours, and after a
 * reboot it dangles, which `ip netns exec` bears. Anything else there is the administrator's and is
 * left. The file behind the link is replaced, never rewritten: who runs already keeps the old text,
 * as with any file of /etc/netns. Nothing temporary is made in that folder: `ip` mounts every entry
 * of it.
 */
#ifndef POD_DNS_NETNSFILE_H
#define POD_DNS_NETNSFILE_H

#include "state/rundir.h"

#define NETNSFILE_ETC "/etc/netns"

/* NAME where `path` is /run/netns/NAME or /var/run/netns/NAME; else NULL. Borrowed from path. */
const char *netnsfile_name(const char *path);

/*
 * Makes text what the namespace's commands will see. ERR_TARGET where the place is the
 * administrator's or cannot be written; what it made is gone then.
 */
bool netnsfile_write(const struct rundir_lock *held, const char *name, const char *text,
		     struct err *e);

/* Whether link and file are there as netnsfile_write() left them; `text` is what it wrote. */
bool netnsfile_is_whole(const struct rundir *r, const char *name, const char *text);

/* Whether something that is not ours is in the link's place. */
bool netnsfile_is_foreign(const char *name);

/* Removes link, file, and the folders that are empty then. */
bool netnsfile_remove(const struct rundir_lock *held, const char *name, struct err *e);

/*
 * Removes links of ours that lead nowhere: a reboot's, a killed process's. The lock is held, but
 * where there is no run folder to lock: an ADD that makes both at that very moment may lose its
 * link, which its CHECK makes again.
 */
void netnsfile_remove_dangling(void);

#endif
