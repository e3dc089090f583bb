/*
 * steer_node.h: steering by the node's table: an element a pod.
 *
 * An element's comment names its attachment; whoever deletes one asks for that name first, so that
 * an address that was given to another pod is never taken from it. The lock is held for all of it.
 */
#ifndef POD_DNS_STEER_NODE_H
#define POD_DNS_STEER_NODE_H

#include "rundir.h"
#include "steering.h"

/* The table, if it is not so already, and the pod's elements. ERR_STEER. */
bool steer_node_install(const struct rundir *r, const char *record, struct steering *s,
			const json_t *addresses, struct warnings *w, struct err *e);

/* Deletes elements of these addresses: this attachment's, or with `others` those of all others. */
void steer_node_delete(const struct rundir *r, const char *record, const json_t *addresses,
		       bool others, struct warnings *w);

bool steer_node_check(const struct rundir *r, const char *record, const json_t *addresses,
		      struct steering *s, struct warnings *w, struct err *e);

/* Elements that name the network without a record go; the table comes back if it is gone. */
void steer_node_collect(const struct rundir *r, const char *network, struct warnings *w);

#endif
