/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netnsfile.h: /etc/netns/NAME/resolv.conf, which `ip netns exec NAME` mounts over
 * /etc/resolv.conf.
 *
 * Ours is a link to /run/pod-dns/.netns/NAME/resolv.conf. Its target tells that it is ours. After a
 * reboot it dangles, which `ip netns exec` tolerates. Anything else there is the administrator's
 * and is left. The file behind the link is replaced, never rewritten: commands that run keep the
 * old text, as with any file of /etc/netns. Nothing temporary is made in /etc/netns/NAME, since
 * `ip` mounts every entry of it.
 */
#ifndef POD_DNS_NETNSFILE_H
#define POD_DNS_NETNSFILE_H

#include "state/rundir.h"

#define NETNSFILE_ETC "/etc/netns"

/* NAME, a part of `path`, if that is /run/netns/NAME or /var/run/netns/NAME; else NULL. */
const char *netnsfile_name(const char *path);

/*
 * Makes the file with `text`, beside the claim that the caller has made, and the link. ERR_TARGET:
 * the administrator has a file there, or it cannot be written; then nothing of it is left.
 */
bool netnsfile_write(const struct rundir_lock *held, const char *name, const char *text,
		     struct err *e);

/* Whether link and file are there as netnsfile_write() left them; `text` is what it wrote. */
bool netnsfile_is_whole(const struct rundir *r, const char *name, const char *text);

/* Whether something that is not ours stands in the link's place. */
bool netnsfile_is_foreign(const char *name);

/* Removes link, file, and the folders that are empty then. */
bool netnsfile_remove(const struct rundir_lock *held, const char *name, struct err *e);

/*
 * Removes our links that dangle, after a reboot or a killed process. The lock is held if the run
 * folder exists. If not, a simultaneous ADD may lose its link, which CHECK makes again.
 */
void netnsfile_remove_dangling(void);

#endif
