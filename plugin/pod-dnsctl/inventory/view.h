/* SPDX-License-Identifier: Apache-2.0 */
/* view.h: the records of this node, one after the other, each with the words that are shown. */
#ifndef POD_DNSCTL_VIEW_H
#define POD_DNSCTL_VIEW_H

#include "arena.h"
#include "state/record.h"

/* A record. A word is NULL where the record does not say. */
struct view {
	const char *path;  /* below the run folder */
	const char *fault; /* why the record cannot be read, and nothing else is filled; or NULL */
	struct record record;
	const char *pod;    /* "NAMESPACE/NAME", or the container's ID if the name is unknown */
	const char *policy; /* of a computed pod */
	const char *by;	    /* who chose the policy */
	const char *state;  /* computed, left, passed, pending; without a record: missing, gone */
	const char *mode;   /* enforce, observe */
	const char *steer;  /* pod, node, dnat, off */
	const char *late;   /* pending, written, missed */
};

/* Fills the words of *v from v->said. They lie in the arena and in the record. */
void view_fill(struct view *v, struct arena *a);

/* Whether `which`, NAMESPACE/POD or the begin of a container's ID, matches this one. */
bool view_is(const struct view *v, const char *which);

/* Opens the pod's namespace, if the record's path still leads to it and it is not our own; else -1.
 */
int view_open_netns(const struct view *v);

/* A walk over the records, by their paths. */
struct views {
	const struct rundir *run;
	struct rundir_list paths;
	size_t next;
	bool whole; /* every folder could be read */
	struct view now;
	struct arena names, words; /* of the paths; of `now` */
};
void views_begin(struct views *all, const struct rundir *r);
/* The same, by pod. Each record is read once more for that. */
void views_begin_sorted(struct views *all, const struct rundir *r);
void views_done(struct views *all);
#define auto_views __attribute__((cleanup(views_done))) struct views

/* The next record, until the next call. NULL: that was the last one. */
const struct view *views_next(struct views *all);

/* The pods that a verb acts on. */
struct view_choice {
	const char *which;	  /* as given; NULL: every record */
	char id[RECORD_NAME + 1]; /* the container that it means; "": `which` is NAMESPACE/POD */
};

/*
 * Chooses what `which` matches. An ID means the container with this ID, else the only one with an
 * ID that begins so. ERR_IO: no record matches. ERR_CONFIG: more than one container does.
 */
bool view_choose(struct view_choice *c, const char *which, const struct rundir *r, struct err *e);
bool view_is_chosen(const struct view *v, const struct view_choice *c);

/* Fails with ERR_IO where a folder could not be read. */
bool err_incomplete(const struct views *all, struct err *e);

/* Fails with ERR_IO: no record matches `which`. Names the pod that was probably meant. */
bool err_no_record(const char *which, const struct rundir *r, struct err *e);

/* The texts of lists, as JSON; the caller's. */
json_t *view_texts(const struct resolv_list *list);
json_t *view_dns(const struct resolv *dns);

#endif
