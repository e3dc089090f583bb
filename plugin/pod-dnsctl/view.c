/* SPDX-License-Identifier: Apache-2.0 */
/* view.c: an attachment's record in the words that are shown. */
#include "names.h"
#include "pod-dnsctl/view.h"
#include "netns.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* How the record says that the pod's queries get to the cache. */
static const char *steer_of(const struct record *said)
{
	if (record_has_steering(said) && said->mode == MODE_ENFORCE)
		return steer_names[said->steering.plan.mode];
	return steer_names[said->steer == STEER_NAMESERVER ? STEER_NAMESERVER : STEER_OFF];
}

void view_fill(struct view *v, struct arena *a)
{
	static const char *const late[] = { NULL, "pending", "written", "missed" };
	const struct record *said = &v->said;
	const struct record_decision *decision = &said->decision;

	v->network = said->at.network;
	v->container_id = said->at.container_id;
	v->ifname = said->at.ifname;
	v->uid = said->pod.uid;
	v->pod = *said->pod.name ? arena_print(a, "%s/%s", said->pod.namespace, said->pod.name)
				 : v->container_id;
	v->state = state_names[decision->state];
	v->policy = decision->policy < 0 ? NULL : policy_names[decision->policy];
	v->by = decision->from < 0 ? NULL : from_name(a, decision->from);
	v->unrecognised = decision->unrecognised;
	v->mode = mode_names[said->mode];
	v->steer = steer_of(said);
	v->late = late[said->late];
	v->text = said->text;
	v->runtime_text = said->inputs.runtime_text;
	v->file = said->file;
	v->warnings = said->warnings.n;
}

bool view_read(struct view *v, const struct rundir *r, const char *path, const char **why,
	       struct arena *a)
{
	*why = NULL;
	switch (record_read(&v->said, r, path)) {
	case RECORD_KNOWN:
		view_fill(v, a);
		return true;
	case RECORD_DAMAGED:
		*why = "is damaged: DEL and GC remove it, no sweep does; remove it once its "
		       "container is gone";
		return false;
	case RECORD_ALIEN:
		*why = "is of another version";
		return false;
	case RECORD_UNREADABLE:
		*why = "cannot be read";
		return false;
	case RECORD_NONE:
	default:
		return false;
	}
}

void view_done(struct view *v)
{
	record_done(&v->said);
}

bool view_is(const struct view *v, const char *which)
{
	if (strchr(which, '/'))
		return strcmp(v->pod, which) == 0;
	return *which && strncmp(v->container_id, which, strlen(which)) == 0;
}

bool view_find(struct view *v, const struct rundir *r, const char *which, struct arena *a,
	       struct err *e)
{
	struct rundir_list records;
	const char *why;

	(void)record_list(&records, r, NULL, a);
	for (size_t i = 0; i < records.n; i++) {
		if (view_read(v, r, records.at[i], &why, a) && view_is(v, which))
			return true;
		view_done(v);
	}
	return err_set(e, ERR_IO, "%s: there is no record of it on this node", which);
}

int view_open_netns(const struct view *v)
{
	const struct record_netns *netns = &v->said.netns;
	auto_fd fd = netns->path ? open(netns->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct file_id own;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !netns_own(&own, NULL) ||
	    !file_same(file_id(&st), netns->id) || file_same(netns->id, own))
		return -1;
	return take_fd(&fd);
}

json_t *view_text(const char *text)
{
	return text ? json_string(text) : json_null();
}

json_t *view_texts(const struct resolv_list *list)
{
	json_t *texts = json_array();

	for (size_t i = 0; i < list->n; i++)
		(void)json_array_append_new(texts, json_string(list->at[i].text));
	return texts;
}
