/*
 * steer_pod.h: steering by a table in the pod's own namespace, claimed like a file that attachments
 * share (claim.h). The lock is held for all of it.
 */
#ifndef POD_DNS_STEER_POD_H
#define POD_DNS_STEER_POD_H

#include "place.h"
#include "rundir.h"
#include "steering.h"

bool steer_pod_install(const struct rundir *r, const struct place *p, const char *record,
		       struct steering *s, struct err *e);

/* Removes it, or makes it what the newest attachment that remains wants. */
bool steer_pod_release(const struct rundir *r, const char *record, const json_t *content,
		       struct err *e);

bool steer_pod_check(const struct rundir *r, const struct place *p, const char *record,
		     struct steering *s, struct warnings *w, struct err *e);

#endif
