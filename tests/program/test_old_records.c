/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records as the version before this one wrote them, in the world that it left with them: claims, a
 * file, a link, a namespace. This version checks, releases, collects and sweeps them as its own.
 */
#include "state/claim.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "stage.c"
#include "want.c"

#define FOLDER "tests/data/records/"
#define RUN    "/run/pod-dns/"

/* An attachment of before, as the next program finds it. */
struct old {
	json_t *json;
	struct record record; /* borrows from json */
	char path[RECORD_PATH];
	char netns[64];
	const char *file; /* the runtime's; NULL: none */
	char *text;	  /* what is in it */
};

#define KUBELET                                                              \
	"search default.svc.cluster.local svc.cluster.local cluster.local\n" \
	"nameserver 10.96.0.10\noptions ndots:5\n"

/*** the world it left ***/

/* A namespace of today in the place of the one that is gone since. */
static void lay_netns(struct old *o)
{
	json_t *netns = json_object_get(o->json, "netns");
	const char *path = json_string_value(json_object_get(netns, "path"));
	struct stat st;

	(void)snprintf(o->netns, sizeof o->netns, "%s", path);
	if (strncmp(path, "/proc/", 6) == 0) {
		stage_put("/run/root/etc/resolv.conf", "");
		(void)snprintf(o->netns, sizeof o->netns, "/proc/%d/ns/net",
			       stage_container("/run/root"));
	} else {
		stage_netns(path);
	}
	if (stat(o->netns, &st) < 0)
		stage_broken("%s", o->netns);
	(void)json_object_set_new(netns, "path", json_string(o->netns));
	(void)json_object_set_new(netns, "dev", json_integer((json_int_t)st.st_dev));
	(void)json_object_set_new(netns, "ino", json_integer((json_int_t)st.st_ino));
}

static void lay_claim(const struct rundir_lock *held, const char *folder, const char *id)
{
	struct err e = { 0 };

	if (!claim_add(held, folder, id, &e))
		stage_broken("%s", e.text);
}

/* The runtime's file: ours is in it where it was written, else the runtime's text. */
static void lay_file(struct old *o, const struct rundir_lock *held)
{
	const struct record *r = &o->record;
	char folder[CLAIM_FOLDER];

	o->file = r->file;
	if (!o->file && r->targets.n && r->targets.at[0].kind == TARGET_SANDBOX)
		o->file = r->targets.at[0].path;
	if (!o->file)
		return;
	if (r->written.n && r->late != RECORD_AWAITED)
		o->text = strdup(r->written.at[0]);
	else
		o->text = strdup(r->inputs.runtime_text ? r->inputs.runtime_text : KUBELET);
	stage_put(o->file, o->text);
	if (!r->file)
		return;
	claim_sandbox(folder, r->at.container_id);
	lay_claim(held, folder, o->path);
}

static void lay_link(const struct old *o, const struct rundir_lock *held)
{
	const char *id = o->record.at.container_id;
	char folder[CLAIM_FOLDER], file[PATH_MAX], link[PATH_MAX];

	if (!o->record.targets.n || o->record.targets.at[0].kind != TARGET_NETNS)
		return;
	claim_netns(folder, id);
	(void)snprintf(file, sizeof file, RUN "%s/resolv.conf", folder);
	(void)snprintf(link, sizeof link, "/etc/netns/%s/resolv.conf", id);
	lay_claim(held, folder, o->path);
	stage_put(file, o->record.text);
	stage_link(link, file);
}

static void lay_old(struct old *o, const char *name)
{
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	char path[PATH_MAX], *text;
	struct err e = { 0 };

	*o = (struct old){ .json = want_load_file(name) };
	lay_netns(o);
	if (!rundir_open(&run, true, &e) || !rundir_lock(&held, &run, &e) ||
	    !record_parse(&o->record, json_incref(o->json), &e) ||
	    !record_path(o->path, &o->record.at, &e))
		stage_broken("%s", e.text);
	text = json_dumps(o->json, JSON_COMPACT);
	(void)snprintf(path, sizeof path, RUN "%s", o->path);
	stage_put(path, text);
	free(text);
	lay_file(o, &held);
	lay_link(o, &held);
}

static void old_done(struct old *o)
{
	free(o->text);
	record_done(&o->record);
	json_decref(o->json);
}

/*** calls ***/

/* What it said on stderr is the caller's. */
static char *call(const struct old *o, const char *command, const char *keys)
{
	json_auto_t *network =
		json_pack("{s:s, s:s, s:s, s:[s], s:{s:s, s:O*}}", "cniVersion", "1.1.0", "name",
			  "net", "type", "pod-dns", "clusterDNS", "10.96.0.10", "prevResult",
			  "cniVersion", "1.1.0", "dns", (json_t *)o->record.printed);
	json_auto_t *more = json_loads(rows_json(keys), 0, NULL);
	struct stage_cni c = { .command = command,
			       .id = o->record.at.container_id,
			       .netns = o->netns };
	struct stage_result r;
	char *said, *in;

	assert_int_equal(json_object_update(network, more), 0);
	c.in = in = json_dumps(network, 0);
	assert_non_null(in);
	stage_cni(&c, &r);
	if (r.exit != 0)
		fail_msg("%s: exit %d: %s", command, r.exit, r.out.data);
	said = strdup(r.err.data ? r.err.data : "");
	assert_non_null(said);
	free(in);
	stage_result_done(&r);
	return said;
}

static void quietly(const struct old *o, const char *command, const char *keys)
{
	char *said = call(o, command, keys);

	if (*said)
		fail_msg("%s says: %s", command, said);
	free(said);
}

/*** what must hold ***/

static int is_left(const char *path, const struct stat *st UNUSED, int type, struct FTW *ftw UNUSED)
{
	if (type != FTW_D && strcmp(path, RUN ".lock") != 0 && strcmp(path, RUN ".swept") != 0)
		fail_msg("%s is left", path);
	return 0;
}

static bool holds(const char *file, const char *text)
{
	struct blob now;
	bool same = blob_read(file, &now) && strcmp(now.data, text) == 0;

	free(now.data);
	return same;
}

/* All of it is gone but for the runtime's file, which is as it was. */
static void nothing_is_left(const struct old *o)
{
	(void)nftw("/run/pod-dns", is_left, 8, FTW_PHYS);
	if (access("/etc/netns", F_OK) == 0)
		(void)nftw("/etc/netns", is_left, 8, FTW_PHYS);
	if (o->file)
		assert_true(holds(o->file, o->text));
}

static bool is_there(const struct old *o)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof path, RUN "%s", o->path);
	return access(path, F_OK) == 0;
}

/* Rules have gone with the namespace: they are repaired, and are whole from then on. */
static void is_checked(void **state)
{
	struct old o;
	char *said;

	lay_old(&o, *state);
	said = call(&o, "CHECK", "{}");
	assert_int_equal(strstr(said, "steer: ") != NULL, record_has_steering(&o.record));
	free(said);
	if (!o.file && strncmp(o.netns, "/proc/", 6) != 0)
		quietly(&o, "CHECK", "{}");
	assert_true(is_there(&o));
	quietly(&o, "DEL", "{}");
	nothing_is_left(&o);
	old_done(&o);
}

static void is_released(void **state)
{
	struct old o;

	lay_old(&o, *state);
	quietly(&o, "DEL", "{}");
	nothing_is_left(&o);
	quietly(&o, "DEL", "{}");
	old_done(&o);
}

static void is_collected(void **state)
{
	struct old o;
	char valid[256];

	lay_old(&o, *state);
	(void)snprintf(valid, sizeof valid,
		       "{'cni.dev/valid-attachments':[{'containerID':'%s','ifname':'eth0'}]}",
		       o.record.at.container_id);
	quietly(&o, "GC", valid);
	assert_true(is_there(&o));
	quietly(&o, "GC", "{'cni.dev/valid-attachments':[]}");
	nothing_is_left(&o);
	old_done(&o);
}

static void namespace_goes(const struct old *o)
{
	if (container > 0) {
		(void)kill(container, SIGKILL);
		(void)waitpid(container, NULL, 0);
		container = 0;
	} else if (umount2(o->netns, MNT_DETACH) < 0 || unlink(o->netns) < 0) {
		stage_broken("umount %s", o->netns);
	}
}

/* The runtime's text that a killed child has left is replaced by the sweep. */
static void is_completed(struct old *o)
{
	auto_rundir run = RUNDIR_NONE;
	auto_record now = RECORD_BLANK;

	assert_true(rundir_open(&run, false, NULL));
	assert_int_equal(record_read(&now, &run, o->path), RECORD_KNOWN);
	assert_int_equal(now.late, RECORD_WRITTEN_LATE);
	assert_string_not_equal(now.text, o->text);
	free(o->text);
	o->text = strdup(now.text);
	assert_true(holds(o->file, o->text));
}

static void is_swept(void **state)
{
	struct old o;

	lay_old(&o, *state);
	free(call(&o, "STATUS", "{}"));
	assert_true(is_there(&o));
	if (o.record.late == RECORD_AWAITED || o.record.late == RECORD_MISSED)
		is_completed(&o);
	namespace_goes(&o);
	(void)unlink("/run/pod-dns/.swept"); /* it was a minute ago */
	quietly(&o, "STATUS", "{}");
	nothing_is_left(&o);
	old_done(&o);
}

static const struct act {
	const char *name;
	CMUnitTestFunction run;
} acts[] = {
	{ "is checked", is_checked },
	{ "is released", is_released },
	{ "is collected", is_collected },
	{ "is swept", is_swept },
};

enum { ACTS = LEN(acts), RECORDS = 100 };

static const char *name_of(const char *file, const struct act *act)
{
	static char names[RECORDS * ACTS][64];
	static size_t used;
	char *name = names[used++];

	(void)snprintf(name, sizeof names[0], "%.*s %s", (int)strcspn(file + strlen(FOLDER), "."),
		       file + strlen(FOLDER), act->name);
	return name;
}

/* NAME (with * and ?): those tests alone. */
int main(int argc, char **argv)
{
	static struct CMUnitTest tests[RECORDS * ACTS];
	glob_t found = { 0 };
	size_t n = 0;
	int failed;

	if (glob(FOLDER "*.json", 0, NULL, &found) != 0 || found.gl_pathc > RECORDS)
		return 1;
	for (size_t i = 0; i < found.gl_pathc * ACTS; i++) {
		char *file = found.gl_pathv[i / ACTS];
		const struct act *act = &acts[i % ACTS];

		tests[n++] = (struct CMUnitTest){ .name = name_of(file, act),
						  .test_func = act->run,
						  .initial_state = file };
	}
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	failed = run_group("old records", tests, n, (struct around){ STAGE });
	globfree(&found);
	return failed || n == 0;
}
