/*
 * steer.h: a pod's DNS traffic on its way to the node's cache: rules in the pod's namespace, or an
 * element of the node's table.
 *
 * A pod's table is claimed like a file that attachments share (claim.h). An element's comment names
 * its attachment; whoever deletes one asks for that name first, so that an address that was given
 * to another pod is never taken from it.
 */
#ifndef POD_DNS_STEER_H
#define POD_DNS_STEER_H

#include "err.h"
#include "place.h"
#include "rundir.h"
#include "steering.h"

/* The pod's own addresses in prevResult: of interfaces in the sandbox, or of none. The caller's. */
json_t *steer_addresses(const json_t *prev);

/*
 * Installs for the attachment `record` what `s` says, in the place that its mode says. Its rung is
 * noted in s. The lock is not held. ERR_STEER names the rule and the kernel's reason.
 */
bool steer_install(struct rundir *r, const struct place *p, const char *record, struct steering *s,
		   const json_t *addresses, struct warnings *w, struct err *e);

/* For an ADD that steers nothing: a stranger's element of one of its addresses goes. */
void steer_disown(const struct rundir *r, const char *record, const json_t *addresses,
		  struct warnings *w);

/*
 * Removes what is this attachment's, or gives it to the newest that remains. `content` is its
 * record, or NULL. The lock is held. Returns whether it is gone.
 */
bool steer_release(const struct rundir *r, const char *record, const json_t *content,
		   struct warnings *w);

/* Sets right what differs from the record, and tells by rule. The lock is held. ERR_STEER. */
bool steer_check(const struct rundir *r, const struct place *p, const char *record,
		 const json_t *content, struct warnings *w, struct err *e);

/* GC: elements that name this network without a record; and the node's table again, if it is gone.
 * The lock is held. */
void steer_collect(const struct rundir *r, const char *network, struct warnings *w);

/* Whether the kernel can do what `plan` says: it is asked, and nothing stays. ERR_STEER. */
bool steer_is_possible(const struct steering *plan, struct err *e);

#endif
