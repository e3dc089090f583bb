/* SPDX-License-Identifier: Apache-2.0 */
/* view.h: an attachment's record in the words that are shown. */
#ifndef POD_DNSCTL_VIEW_H
#define POD_DNSCTL_VIEW_H

#include "arena.h"
#include "state/record.h"

/* NULL: the record does not say. Strings are valid until view_done(). */
struct view {
	struct record said;
	const char *network, *container_id, *ifname;
	const char *pod;	  /* "NAMESPACE/NAME", or the container's ID where it has no name */
	const char *uid;	  /* the pod's; "" */
	const char *policy;	  /* of a computed pod */
	const char *by;		  /* who chose the policy */
	const char *state;	  /* computed, left, passed, pending */
	const char *mode;	  /* enforce, observe */
	const char *steer;	  /* pod, node, dnat, off */
	const char *late;	  /* pending, written, missed */
	const char *text;	  /* what the file should hold */
	const char *runtime_text; /* what the runtime wrote */
	const char *file;	  /* the runtime's file */
	bool unrecognised;
	size_t warnings;
};

/* False: *why says what is wrong with the record (another version, damaged), or is NULL: it is
 * gone. */
bool view_read(struct view *v, const struct rundir *r, const char *path, const char **why,
	       struct arena *a);

/* Fills the rest of *v from v->said. */
void view_fill(struct view *v, struct arena *a);

void view_done(struct view *v);
#define auto_view __attribute__((cleanup(view_done))) struct view

/* The first attachment that `which` matches; ERR_IO: none. */
bool view_find(struct view *v, const struct rundir *r, const char *which, struct arena *a,
	       struct err *e);

/* Whether `which`, NAMESPACE/POD or the begin of a container's ID, matches this one. */
bool view_is(const struct view *v, const char *which);

/* Opens the pod's namespace, if the record's path still leads to it and it is not our own; else -1.
 */
int view_open_netns(const struct view *v);

/* A JSON string, or null for NULL; and the texts of a list. The caller's. */
json_t *view_text(const char *text);
json_t *view_texts(const struct resolv_list *list);

#endif
