/* gc.c: GC: what no valid attachment stands for. */
#include "json.h"
#include "netnsfile.h"
#include "record.h"
#include "release.h"
#include "steer.h"
#include "verbs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/*
 * libcni 1.2.0 to 1.2.2 sent valid-attachments alone, newer ones both, the SPEC of then said
 * attachments. null is what CRI-O sends when no pod is left: none is valid. Where both are absent
 * (cnitool gc) nobody has said anything: nothing is removed. False: absent.
 */
static bool valid_list(const json_t *network, const json_t **list)
{
	static const char *const keys[] = { "cni.dev/valid-attachments", "cni.dev/attachments" };
	const char *key;
	json_t *value;

	for (size_t i = 0; i < LEN(keys); i++)
		json_object_foreach ((json_t *)network, key, value)
			if (strcasecmp(key, keys[i]) == 0) {
				*list = value;
				return true;
			}
	return false;
}

/* The records of the valid attachments, as the keys of an object. */
static json_t *valid_records(const char *network, const json_t *list, struct err *e)
{
	json_t *valid = json_object(), *item;
	size_t i;

	if (!json_is_array(list) && !json_is_null(list))
		(void)err_set(e, ERR_CONFIG, "cni.dev/valid-attachments: expected a list");
	json_array_foreach (list, i, item) {
		json_t *id = json_get_nocase(item, "containerID");
		json_t *ifname = json_get_nocase(item, "ifname");
		struct attachment at = { network, json_string_value(id),
					 json_string_value(ifname) };
		struct err too_long = { 0 };
		char record[RECORD_PATH];

		if (!json_is_plain_string(id) || !json_is_plain_string(ifname))
			(void)err_set(e, ERR_CONFIG,
				      "cni.dev/valid-attachments[%zu]: expected containerID and "
				      "ifname",
				      i);
		else if (record_path(record, &at, &too_long))
			(void)json_object_set_new(valid, record, json_true());
	}
	if (!e->code)
		return valid;
	json_decref(valid);
	return NULL;
}

struct collection {
	const struct rundir *r;
	const json_t *valid;
	struct warnings *w;
	unsigned failed;
};

static void collect(const char *record, void *context)
{
	struct collection *c = context;

	if (!json_object_get(c->valid, record) && !release(c->r, record, "", c->w))
		c->failed++;
}

static bool gc(const struct call *call, FILE *out UNUSED, struct warnings *w, struct err *e)
{
	json_auto_t *valid = NULL;
	auto_rundir run = RUNDIR_NONE;
	struct collection c = { &run, NULL, w, 0 };
	const json_t *list;

	if (!valid_list(call->network, &list))
		return true;
	valid = valid_records(call->name, list, e);
	if (!valid || !rundir_open(&run, false, e))
		return false;
	if (run.fd < 0) {
		netnsfile_remove_dangling(); /* a reboot's */
		return true;
	}
	if (!rundir_lock(&run, e))
		return false;
	c.valid = valid;
	record_each_path(&run, call->name, collect, &c);
	(void)unlinkat(run.fd, call->name, AT_REMOVEDIR); /* a killed ADD's, if it is empty */
	rundir_remove_temps(&run);
	release_leftovers(&run, w);
	steer_collect(&run, call->name, w);
	if (c.failed)
		return err_set(e, ERR_TARGET, "%u attachments could not be removed: %s", c.failed,
			       w->n ? w->at[w->n - 1].text : "see the log");
	return true;
}

const struct verb verb_gc = {
	.command = "GC",
	.needs = NEEDS_PATH,
	.since = "1.1.0",
	.run = gc,
};
