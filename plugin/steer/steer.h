/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steer.h: a pod's DNS traffic on its way to the node's cache: rules in the pod's namespace, or an
 * element of the node's table.
 *
 * Either is claimed like a file that attachments share (claim.h): steer_pod.h, steer_node.h.
 */
#ifndef POD_DNS_STEER_H
#define POD_DNS_STEER_H

#include "err.h"
#include "cni/pod_netns.h"
#include "state/record.h"
#include "steer/steering.h"

/*
 * Installs for the attachment `record` what `s` says, in the place that its mode says. The features
 * are noted in s. Takes the lock. ERR_STEER names the rule and the kernel's reason; nothing of the
 * attachment is steered then. A stranger's element of one of its addresses goes in any case.
 */
bool steer_install(struct rundir *r, const struct pod_netns *netns, const char *record,
		   struct steering *s, const struct addresses *list, struct warnings *w,
		   struct err *e);

/* For an ADD that steers nothing: a stranger's element of one of its addresses goes. Takes the lock
 * where there may be one. */
void steer_evict_stale(struct rundir *r, const char *record, const struct addresses *list,
		       struct warnings *w);

/* Makes the node's table again if it is gone and pods need it. Takes the lock where there may be
 * one. */
void steer_restore(struct rundir *r, struct warnings *w);

/*
 * Removes what is this attachment's, or gives it to the newest that remains. `content` is its
 * record, or NULL: then what is of its name goes, as far as that can be seen. `netns` is the call's
 * CNI_NETNS, or "". Returns whether it is gone; if not, there is a warning.
 */
bool steer_release(const struct rundir_lock *held, const char *record, const struct record *content,
		   const char *netns, struct warnings *w);

/* For an ADD that is repeated: what the record (`content`) says of addresses that it has no more.
 */
bool steer_drop_addresses(const struct rundir_lock *held, const char *record,
			  const struct record *content, const struct addresses *now,
			  struct warnings *w);

/* Sets right what differs from the record, or of the node's table is gone, and tells by rule.
 * ERR_STEER. */
bool steer_check(const struct rundir_lock *held, const struct pod_netns *netns, const char *record,
		 const struct record *content, struct warnings *w, struct err *e);

/* GC: elements that name this network without a record; and the node's table again, if it is gone.
 */
void steer_collect(const struct rundir_lock *held, const char *network, struct warnings *w);

/* Whether the kernel can do what `plan` says: it is asked, and nothing stays. ERR_STEER. */
bool steer_is_possible(const struct steering *plan, struct err *e);

#endif
