/* SPDX-License-Identifier: Apache-2.0 */
/* gc.c: GC: removes what was made for attachments that are no longer valid. */
#include "json.h"
#include "state/record.h"
#include "attachment/release.h"
#include "steer/steer.h"
#include "pod-dns/verbs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/*
 * The key of the list of valid attachments; NULL: absent. libcni 1.2.0 to 1.2.2 sends
 * valid-attachments, later ones attachments too. CRI-O sends null if no pod is left: no attachment
 * is valid. If both keys are absent (cnitool gc) nothing is removed.
 */
static const char *valid_list(const json_t *network, const json_t **list)
{
	static const char *const keys[] = { "cni.dev/valid-attachments", "cni.dev/attachments" };
	const char *key;
	json_t *value;

	for (size_t i = 0; i < LEN(keys); i++)
		json_object_foreach ((json_t *)network, key, value)
			if (strcasecmp(key, keys[i]) == 0) {
				*list = value;
				return keys[i];
			}
	return NULL;
}

static bool add_valid(json_t *valid, const char *network, const json_t *item, struct err *e)
{
	json_t *container_id = json_get_nocase(item, "containerID");
	json_t *ifname = json_get_nocase(item, "ifname");
	struct attachment at = { network, json_string_value(container_id),
				 json_string_value(ifname) };
	struct err too_long = { 0 };
	char id[RECORD_PATH];

	if (!json_is_plain_string(container_id) || !json_is_plain_string(ifname))
		return json_fault(item, e, "an object with containerID and ifname");
	return !record_path(id, &at, &too_long) ||
	       json_object_set_new(valid, id, json_true()) == 0 ||
	       err_set(e, ERR_IO, ": out of memory");
}

/* Adds the records of the valid attachments, as keys. */
static bool add_all_valid(json_t *valid, const char *network, const json_t *list, struct err *e)
{
	json_t *item;
	size_t i;

	if (!json_is_array(list) && !json_is_null(list))
		return json_fault(list, e, "a list");
	json_array_foreach (list, i, item)
		if (!add_valid(valid, network, item, e))
			return err_in(e, "[%zu]", i);
	return true;
}

/* Releases what is not valid, and counts what could not be. False: not all can be seen. */
static bool release_invalid(struct rundir *r, const char *network, const json_t *valid,
			    unsigned *failed, struct warnings *w)
{
	struct rundir_list records;
	bool whole = record_list(&records, r, network, w->arena);

	for (size_t i = 0; i < records.n; i++) {
		if (json_object_get(valid, records.at[i]))
			continue;
		rundir_rest(r);
		if (record_is_host_pods(records.at[i])) { /* no runtime lists it */
			release_if_due(r, records.at[i], w);
			continue;
		}
		*failed += !release(r, records.at[i], "", w);
	}
	if (!whole)
		warn(w, "release", RUNDIR "/%s: cannot be read", network);
	return whole;
}

/* Removes what killed ADDs left: temporary files, and the network's folder if it is empty. */
static bool remove_temporary(struct rundir *r, const char *network, struct err *e)
{
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_lock(&held, r, e))
		return false;
	(void)unlinkat(r->fd, network, AT_REMOVEDIR);
	rundir_remove_temps(&held);
	return true;
}

static bool gc(const struct call *call, FILE *out UNUSED, struct warnings *w, struct err *e)
{
	json_auto_t *valid = json_object();
	auto_rundir run = RUNDIR_NONE;
	unsigned failed = 0;
	bool whole;
	const json_t *list;
	const char *key = valid_list(call->network, &list);

	if (!key)
		return true;
	if (!add_all_valid(valid, call->name, list, e))
		return err_in(e, "%s", key);
	if (!rundir_open(&run, true, e)) /* its removal leaves elements in the node's table */
		return false;
	whole = release_invalid(&run, call->name, valid, &failed, w);
	if (!remove_temporary(&run, call->name, e))
		return false;
	whole = release_leftovers(&run, w) && whole;
	steer_gc(&run, call->name, w);
	if (failed)
		return err_set(e, ERR_TARGET, "%u attachment%s could not be removed: %s", failed,
			       failed == 1 ? "" : "s", w->n ? w->at[w->n - 1].text : "see the log");
	if (!whole)
		return err_set(e, ERR_TARGET, "not everything could be looked at: %s",
			       w->n ? w->at[w->n - 1].text : "see the log");
	return true;
}

const struct verb verb_gc = {
	.command = "GC",
	.needs = NEEDS_PATH,
	.since = "1.1.0",
	.run = gc,
};
