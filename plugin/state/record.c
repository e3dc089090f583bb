/* SPDX-License-Identifier: Apache-2.0 */
/* record.c: the record of an attachment: what ADD read, decided and did. */
#include "state/record_private.h"
#include "file.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define SUFFIX ".json"

bool record_path(char out[static RECORD_PATH], const struct attachment *at, struct err *e)
{
	size_t name = strlen(at->container_id) + 1 + strlen(at->ifname) + strlen(SUFFIX);

	if (name > RECORD_NAME)
		return err_set(
			e, ERR_ENV,
			"CNI_CONTAINERID and CNI_IFNAME make a name of %zu bytes, %d at most", name,
			RECORD_NAME);
	if (strlen(at->network) > RECORD_NAME)
		return err_set(e, ERR_ENV, "the network's name has %zu bytes, %d at most",
			       strlen(at->network), RECORD_NAME);
	(void)snprintf(out, RECORD_PATH, "%s/%s@%s" SUFFIX, at->network, at->container_id,
		       at->ifname);
	return true;
}

enum record_found record_read(struct record *out, const struct rundir *r, const char *id)
{
	auto_text text = TEXT_UP_TO(RECORD_MAX);
	enum record_found found = RECORD_DAMAGED;
	json_t *document, *version;

	*out = RECORD_BLANK;
	if (r->fd < 0)
		return RECORD_NONE;
	errno = 0;
	if (!file_read(&text, r->fd, id, false, NULL))
		return errno == ENOENT ? RECORD_NONE : RECORD_UNREADABLE;
	errno = 0;
	document = json_loadb(text.at, text.len, 0, NULL);
	if (!document && errno == ENOMEM) /* jansson calls that a syntax error */
		return RECORD_UNREADABLE;
	version = json_object_get(document, "version");
	if (json_is_integer(version) && json_integer_value(version) != RECORD_VERSION)
		found = RECORD_OTHER_VERSION;
	else if (json_is_integer(version) && record_parse(out, document, NULL))
		return RECORD_KNOWN;
	else if (!arena_ok(&out->arena))
		found = RECORD_UNREADABLE;
	json_decref(document);
	*out = RECORD_BLANK;
	return found;
}

bool record_write(const struct rundir_lock *held, const char *id, const struct record *record,
		  struct err *e)
{
	auto_text text = TEXT_UP_TO(RECORD_MAX);
	char temp[RUNDIR_TEMP], folder[RECORD_NAME + 1];

	record_print(&text, record);
	if (!text_ok(&text))
		return err_set(e, ERR_IO, "%s: no memory, or a string is not UTF-8", id);
	(void)snprintf(folder, sizeof(folder), "%.*s", (int)strcspn(id, "/"), id);
	rundir_temp(temp, id);
	return rundir_mkdir(held, folder, e) &&
	       (file_replace(held->run->fd, id, temp, text.at, text.len, 0600, e) ||
		err_in(e, RUNDIR "/"));
}

bool record_remove(const struct rundir_lock *held, const char *id, struct err *e)
{
	char folder[RECORD_NAME + 1];

	rundir_remove_temp(held, id);
	if (unlinkat(held->run->fd, id, 0) < 0 && errno != ENOENT)
		return err_errno(e, ERR_IO, RUNDIR "/%s", id);
	(void)snprintf(folder, sizeof(folder), "%.*s", (int)strcspn(id, "/"), id);
	(void)unlinkat(held->run->fd, folder,
		       AT_REMOVEDIR); /* another attachment's record may be there */
	return true;
}

bool record_is_host_pods(const char *id)
{
	const char *at = strrchr(id, '@');

	return at && strcmp(at, "@" RECORD_HOST_IFNAME SUFFIX) == 0;
}

void record_container(char out[static RECORD_NAME + 1], const char *id)
{
	const char *container = strchr(id, '/') + 1;

	(void)snprintf(out, RECORD_NAME + 1, "%.*s", (int)strcspn(container, "@"), container);
}

bool record_has_dns(const struct record *record)
{
	return record->decision.state == COMPUTED || record->decision.state == KEPT;
}

const struct record_target *record_taken(const struct record *record, enum target_kind kind)
{
	for (size_t i = 0; i < record->targets.n; i++)
		if (record->targets.at[i].kind == (int)kind && record->targets.at[i].taken)
			return &record->targets.at[i];
	return NULL;
}

bool record_has_steering(const struct record *record)
{
	return record && record->steering.plan.mode != STEER_OFF && record->steering.plan.n;
}

bool record_wrote(const struct record *record, const char *text)
{
	for (size_t i = 0; i < record->written.n; i++)
		if (text_same_lines(record->written.at[i], text))
			return true;
	return false;
}

void record_add_warnings(struct record *record, const struct warnings *w)
{
	for (size_t i = 0; i < w->n && record->warnings.n < RECORD_WARNINGS; i++)
		record->warnings.at[record->warnings.n++] = w->at[i];
}

static bool is_record(const char *name)
{
	const char *suffix = strrchr(name, '.');

	return strchr(name, '@') && suffix && strcmp(suffix, SUFFIX) == 0;
}

static bool list_network(struct rundir_list *out, const struct rundir *r, const char *network,
			 struct arena *a)
{
	struct rundir_list names;
	bool whole = rundir_list(&names, r, network, a);

	for (size_t i = 0; i < names.n; i++)
		if (is_record(names.at[i]))
			rundir_list_add(out, arena_print(a, "%s/%s", network, names.at[i]), a);
	return whole;
}

bool record_list(struct rundir_list *out, const struct rundir *r, const char *network,
		 struct arena *a)
{
	struct rundir_list networks;
	bool whole;

	*out = (struct rundir_list){ 0 };
	if (network)
		return list_network(out, r, network, a) && arena_ok(a);
	whole = rundir_list(&networks, r, ".", a);
	for (size_t i = 0; i < networks.n; i++)
		if (*networks.at[i] != '.')
			whole = list_network(out, r, networks.at[i], a) && whole;
	return whole && arena_ok(a);
}
