/* SPDX-License-Identifier: Apache-2.0 */
/* view.c: the records of this node, one after the other, each with the words that are shown. */
#include "enum_names.h"
#include "pod-dnsctl/inventory/view.h"
#include "hint.h"
#include "netns.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* How the record says that the pod's queries get to the cache. */
static const char *steer_of(const struct record *record)
{
	if (record_has_steering(record) && record->mode == MODE_ENFORCE)
		return steer_names[record->steering.plan.mode];
	return steer_names[record->steer == STEER_NAMESERVER ? STEER_NAMESERVER : STEER_OFF];
}

void view_fill(struct view *v, struct arena *a)
{
	static const char *const late[] = { NULL, "pending", "written", "missed" };
	const struct record *record = &v->record;
	const struct record_decision *decision = &record->decision;

	v->pod = *record->pod.name
			 ? arena_print(a, "%s/%s", record->pod.namespace, record->pod.name)
			 : record->at.container_id;
	v->state = state_names[decision->state];
	v->policy = decision->policy < 0 ? NULL : policy_names[decision->policy];
	v->by = decision->from < 0 ? NULL : from_name(a, decision->from);
	v->mode = mode_names[record->mode];
	v->steer = steer_of(record);
	v->late = late[record->late];
}

bool view_is(const struct view *v, const char *which)
{
	if (v->fault)
		return false;
	if (strchr(which, '/'))
		return strcmp(v->pod, which) == 0;
	return *which && strncmp(v->record.at.container_id, which, strlen(which)) == 0;
}

int view_open_netns(const struct view *v)
{
	const struct record_netns *netns = &v->record.netns;
	auto_fd fd = netns->path ? open(netns->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct file_id own;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !netns_own(&own, NULL) ||
	    !file_same(file_id(&st), netns->id) || file_same(netns->id, own))
		return -1;
	return take_fd(&fd);
}

/*** all of them ***/

void views_begin(struct views *all, const struct rundir *r)
{
	*all = (struct views){ .run = r };
	all->whole = record_list(&all->paths, r, NULL, &all->names);
}

struct place {
	const char *pod, *path;
};

static int by_pod(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->pod, y->pod);

	return order ? order : strcmp(x->path, y->path);
}

void views_begin_sorted(struct views *all, const struct rundir *r)
{
	auto_views first = { .run = NULL };
	struct place *places;
	const struct view *v;
	size_t n = 0;

	views_begin(&first, r);
	views_begin(all, r);
	places = arena_alloc(&all->names, (all->paths.n + 1) * sizeof(*places));
	while (places && n < all->paths.n && (v = views_next(&first)))
		places[n++] = (struct place){
			arena_print(&all->names, "%s", v->fault ? v->path : v->pod),
			arena_print(&all->names, "%s", v->path),
		};
	if (!places || !arena_ok(&all->names))
		return;
	qsort(places, n, sizeof(*places), by_pod);
	all->paths.n = n;
	for (size_t i = 0; i < n; i++)
		all->paths.at[i] = places[i].path;
}

static void forget(struct views *all)
{
	record_done(&all->now.record);
	arena_done(&all->words);
}

static const char *fault_of(enum record_found found)
{
	switch (found) {
	case RECORD_OTHER_VERSION:
		return "is of another version";
	case RECORD_DAMAGED:
		return "is damaged: DEL and GC remove it, no sweep does; remove it once its "
		       "container is gone";
	case RECORD_UNREADABLE:
		return "cannot be read";
	case RECORD_NONE:
	case RECORD_KNOWN:
	default:
		return NULL;
	}
}

const struct view *views_next(struct views *all)
{
	struct view *v = &all->now;
	enum record_found found = RECORD_NONE; /* a record that was removed meanwhile is skipped */

	while (found == RECORD_NONE) {
		forget(all);
		if (all->next == all->paths.n)
			return NULL;
		*v = (struct view){ .path = all->paths.at[all->next++] };
		found = record_read(&v->record, all->run, v->path);
	}
	v->fault = fault_of(found);
	if (!v->fault)
		view_fill(v, &all->words);
	return v;
}

void views_done(struct views *all)
{
	forget(all);
	arena_done(&all->names);
}

bool err_incomplete(const struct views *all, struct err *e)
{
	return all->whole || err_set(e, ERR_IO, RUNDIR ": it cannot be read whole");
}

bool err_no_record(const char *which, const struct rundir *r, struct err *e)
{
	auto_views all = { .run = NULL };
	struct hint guess = HINT(which);
	auto_arena names = { 0 };
	const struct view *v;

	views_begin(&all, r);
	while ((v = views_next(&all)))
		if (!v->fault)
			hint_try(&guess, arena_print(&names, "%s", v->pod));
	if (guess.best)
		return err_set(e, ERR_IO, "%s: this node has no record of it (did you mean %s?)",
			       which, guess.best);
	return err_set(e, ERR_IO,
		       "%s: this node has no record of it: pod-dnsctl list shows the pods with a "
		       "record, list --missing those without one",
		       which);
}

/*** which of them ***/

bool view_choose(struct view_choice *c, const char *which, const struct rundir *r, struct err *e)
{
	auto_views all = { .run = NULL };
	bool exact = false, several = false;
	const struct view *v;

	*c = (struct view_choice){ .which = which };
	if (!which)
		return true;
	views_begin(&all, r);
	while (!exact && (v = views_next(&all))) {
		const char *id = v->record.at.container_id;

		if (!view_is(v, which))
			continue;
		exact = strcmp(id, which) == 0;
		several = !exact && (several || (*c->id && strcmp(c->id, id) != 0));
		(void)snprintf(c->id, sizeof(c->id), "%s", id);
	}
	if (!err_incomplete(&all, e))
		return false;
	if (!*c->id)
		return err_no_record(which, r, e);
	if (strchr(which, '/'))
		*c->id = '\0';
	else if (several)
		return err_set(e, ERR_CONFIG, "%s: more than one pod is called so", which);
	return true;
}

bool view_is_chosen(const struct view *v, const struct view_choice *c)
{
	if (v->fault || !c->which)
		return !v->fault;
	return *c->id ? strcmp(v->record.at.container_id, c->id) == 0 : view_is(v, c->which);
}

/*** JSON ***/

json_t *view_texts(const struct resolv_list *list)
{
	json_t *texts = json_array();

	for (size_t i = 0; i < list->n; i++)
		(void)json_array_append_new(texts, json_string(list->at[i].text));
	return texts;
}

json_t *view_dns(const struct resolv *dns)
{
	return json_pack("{s:o, s:o, s:o}", "nameservers", view_texts(&dns->nameservers),
			 "searches", view_texts(&dns->searches), "options",
			 view_texts(&dns->options));
}
