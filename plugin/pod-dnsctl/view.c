/* view.c: an attachment as its record tells of it, and every attachment of the node. */
#include "pod-dnsctl/view.h"

#include <string.h>

/*** which there are ***/

static void keep_path(const char *path, void *context)
{
	struct view_paths *paths = context;
	char **more;

	if (paths->n == paths->room) {
		paths->room = paths->room ? 2 * paths->room : 256;
		more = realloc(paths->at, paths->room * sizeof(*more));
		if (!more) {
			paths->failed = true;
			paths->room = paths->n;
			return;
		}
		paths->at = more;
	}
	paths->at[paths->n] = strdup(path);
	if (paths->at[paths->n])
		paths->n++;
	else
		paths->failed = true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void view_list(struct view_paths *paths, const struct rundir *r)
{
	*paths = (struct view_paths){ .n = 0 };
	if (r->fd < 0)
		return;
	record_each_path(r, NULL, keep_path, paths);
	if (paths->n)
		qsort(paths->at, paths->n, sizeof(*paths->at), by_name);
}

void view_paths_done(struct view_paths *paths)
{
	for (size_t i = 0; i < paths->n; i++)
		free(paths->at[i]);
	free(paths->at);
	*paths = (struct view_paths){ .n = 0 };
}

/*** what it says ***/

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static const char *or_nothing(const char *s)
{
	return s ? s : "";
}

static void read_pod(struct view *v, struct arena *a)
{
	const json_t *pod = json_object_get(v->record, "pod");
	const char *name = or_nothing(text_of(pod, "name"));
	const char *namespace = or_nothing(text_of(pod, "namespace"));

	v->uid = or_nothing(text_of(pod, "uid"));
	v->pod = *name ? arena_print(a, "%s/%s", namespace, name) : v->container_id;
}

static void read_decision(struct view *v)
{
	const json_t *decision = json_object_get(v->record, "decision");

	v->state = or_nothing(text_of(decision, "state"));
	v->policy = text_of(decision, "policy");
	v->by = text_of(decision, "from");
	v->unrecognised = json_is_true(json_object_get(decision, "unrecognised"));
}

static bool fill(struct view *v, struct arena *a)
{
	const char *steer = text_of(json_object_get(v->record, "steering"), "mode");

	v->network = text_of(v->record, "network");
	v->container_id = text_of(v->record, "containerID");
	v->ifname = text_of(v->record, "ifname");
	if (!v->network || !v->container_id || !v->ifname)
		return false;
	read_pod(v, a);
	read_decision(v);
	v->mode = or_nothing(text_of(v->record, "mode"));
	v->steer = steer ? steer : "off";
	v->late = text_of(v->record, "late");
	v->text = text_of(v->record, "text");
	v->file = text_of(v->record, "file");
	v->config = text_of(v->record, "config");
	v->warnings = json_array_size(json_object_get(v->record, "warnings"));
	return true;
}

bool view_read(struct view *v, const struct rundir *r, const char *path, const char **why,
	       struct arena *a)
{
	*v = (struct view){ .record = NULL };
	*why = NULL;
	switch (record_read(&v->record, r, path)) {
	case RECORD_KNOWN:
		if (fill(v, a))
			return true;
		*why = "is not as a record is";
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
	json_decref(v->record);
	v->record = NULL;
}

bool view_is(const struct view *v, const char *which)
{
	if (strchr(which, '/'))
		return strcmp(v->pod, which) == 0;
	return *which && strncmp(v->container_id, which, strlen(which)) == 0;
}

json_t *view_texts(const struct view *v, const char *list)
{
	const json_t *entries = json_object_get(json_object_get(v->record, "dns"), list), *entry;
	json_t *texts = json_array();
	size_t i;

	json_array_foreach (entries, i, entry) {
		json_t *text = json_object_get(entry, "text");

		if (json_is_string(text))
			(void)json_array_append(texts, text);
	}
	return texts;
}
