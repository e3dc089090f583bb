/* SPDX-License-Identifier: Apache-2.0 */
/* view.h: an attachment as its record tells of it, and every attachment of the node. */
#ifndef POD_DNSCTL_VIEW_H
#define POD_DNSCTL_VIEW_H

#include "arena.h"
#include "state/record.h"

/* What is not said is NULL; strings are good until view_done(). */
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
	const char *text;	  /* what was to be written */
	const char *runtime_text; /* what the runtime had written */
	const char *file;	  /* where the runtime has it */
	bool unrecognised;
	size_t warnings;
};

/* False: there is none by now, or it is of another version, or damaged: *why says so, or is NULL
 * where it is just gone. */
bool view_read(struct view *v, const struct rundir *r, const char *path, const char **why,
	       struct arena *a);

/* Fills the rest of *v from v->said. */
void view_fill(struct view *v, struct arena *a);

void view_done(struct view *v);

static inline void done_auto_view(struct view *v)
{
	view_done(v);
}
#define auto_view __attribute__((cleanup(done_auto_view))) struct view

/* The one that people mean who say `which`; ERR_IO where there is none. */
bool view_find(struct view *v, const struct rundir *r, const char *which, struct arena *a,
	       struct err *e);

/* Whether people who say `which` mean this one: NAMESPACE/POD, or how a container's ID begins. */
bool view_is(const struct view *v, const char *which);

/* The pod's namespace, if the record's path still leads to it, and it is not ours; -1: it does not.
 */
int view_open_netns(const struct view *v);

/* A JSON string, or null for NULL; and the texts of a list. The caller's. */
json_t *view_text(const char *text);
json_t *view_texts(const struct resolv_list *list);

#endif
