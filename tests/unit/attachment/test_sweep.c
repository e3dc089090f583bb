/* SPDX-License-Identifier: Apache-2.0 */
/* When it is time to sweep, what the sweep removes, and what it leaves. */
#include "attachment/sweep.h"
#include "netns.h"
#include "state/claim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "stage.c"
#include "want.c"

#define RUN   "/run/pod-dns/"
#define STAMP RUN ".swept"
#define NETNS "/run/netns/n1"
#define AT    "net/n1@eth0.json"
#define ETC   "/etc/netns/n1/resolv.conf"
#define OURS  RUN ".netns/n1/resolv.conf"

/* The run folder, and what the sweep has said. */
static struct rundir run;
static struct arena arena;
static struct warnings warnings;

static int setup(void **state)
{
	if (stage_setup(state) != 0 || !rundir_open(&run, true, NULL))
		stage_broken("the run folder");
	warnings = (struct warnings){ .arena = &arena };
	return 0;
}

static int teardown(void **state)
{
	rundir_close(&run);
	arena_done(&arena);
	arena = (struct arena){ 0 };
	return stage_teardown(state);
}

static void sweeps(void)
{
	struct err e = { 0 };

	if (!sweep(&run, &warnings, &e))
		fail_msg("%s", e.text);
}

/*** when ***/

static const struct when {
	const char *name;
	long age; /* of the last sweep, seconds; NONE */
	bool due;
} whens[] = {
#define NONE 1000000
	{ "nobody has swept", NONE, true },	{ "a second ago", 1, false },
	{ "59 seconds ago", 59, false },	{ "60 seconds ago", 60, true },
	{ "the clock was set back", -1, true },
};

/* Asked within one second of the clock: a stall between stamping and asking makes no difference. */
static void is_due(void **state)
{
	const struct when *row = *state;
	time_t now;
	bool due;

	do {
		now = time(NULL);
		if (row->age != NONE) {
			const struct timespec then = { .tv_sec = now - row->age };

			stage_put(STAMP, "");
			if (utimensat(AT_FDCWD, STAMP, (struct timespec[]){ then, then }, 0) < 0)
				stage_broken("utimensat " STAMP);
		}
		due = sweep_is_due(&run);
	} while (time(NULL) != now);
	assert_int_equal(due, row->due);
}

static void says_that_it_sweeps(void **state UNUSED)
{
	assert_true(sweep_is_due(&run));
	sweeps();
	assert_false(sweep_is_due(&run));
}

/*** whom ***/

enum namespace {
	LIVES,
	GONE,
	REPLACED, /* another namespace has its path */
	NO_NSFS,  /* seen from another mount namespace */
	UNPLACED, /* the folder above its path is no folder */
	REUSED,	  /* another one has its path, and the number of its inode */
};

static const struct whom {
	const char *name;
	enum namespace namespace;
	const char *document; /* the record as it is then; NULL: a whole one */
	bool stays;
} whoms[] = {
	{ "it lives", LIVES, NULL, true },
	{ "it is gone", GONE, NULL, false },
	{ "another has its path", REPLACED, NULL, false },
	{ "another has its path and its inode's number", REUSED, NULL, false },
	{ "its path is a plain file here", NO_NSFS, NULL, true },
	{ "its path leads through a file", UNPLACED, NULL, false },
	{ "it is gone, the record is a later version's", GONE, "{\"version\":2}", true },
	{ "it is gone, the record is damaged", GONE, "{\"version\":1}", true },
	{ "it is gone, the record is empty", GONE, "", true },
};

/* As ADD leaves it. */
static void lay_attachment(enum namespace namespace)
{
	json_auto_t *document = want_load_file("tests/data/records/computed-netns.json");
	json_t *netns = json_object_get(document, "netns");
	auto_rundir_lock held = RUNDIR_UNLOCKED;
	auto_record record = RECORD_BLANK;
	struct stat st;
	struct err e = { 0 };
	uint64_t cookie;
	char text[17];
	int fd;

	stage_netns(NETNS);
	fd = open(NETNS, O_RDONLY | O_CLOEXEC);
	cookie = netns_cookie(fd);
	(void)close(fd);
	if (!cookie)
		stage_broken("SO_NETNS_COOKIE");
	(void)snprintf(text, sizeof(text), "%016" PRIx64, cookie + (namespace == REUSED));
	if (stat(NETNS, &st) < 0)
		stage_broken("stat " NETNS);
	(void)json_object_set_new(netns, "dev", json_integer((json_int_t)st.st_dev));
	(void)json_object_set_new(netns, "ino", json_integer((json_int_t)st.st_ino));
	(void)json_object_set_new(netns, "cookie", json_string(text));
	if (!record_parse(&record, json_incref(document), &e) || !rundir_lock(&held, &run, &e) ||
	    !record_write(&held, AT, &record, &e) || !claim_add(&held, ".netns/n1", AT, &e))
		stage_broken("%s", e.text);
	stage_put(OURS, record.text);
	stage_link(ETC, OURS);
}

/* The one before is held: the kernel gives the number of one that is gone to the next. */
static void change(enum namespace namespace)
{
	auto_fd before UNUSED = open(NETNS, O_RDONLY | O_CLOEXEC);

	if (namespace == LIVES || namespace == REUSED)
		return;
	if (umount2(NETNS, MNT_DETACH) < 0)
		stage_broken("umount " NETNS);
	if (namespace != NO_NSFS && unlink(NETNS) < 0)
		stage_broken("unlink " NETNS);
	if (namespace == REPLACED)
		stage_netns(NETNS);
	if (namespace == UNPLACED && (rmdir("/run/netns") < 0 || symlink(STAMP, "/run/netns") < 0))
		stage_broken("/run/netns");
}

static void is_swept(void **state)
{
	const struct whom *row = *state;

	lay_attachment(row->namespace);
	if (row->document)
		stage_put(RUN AT, row->document);
	change(row->namespace);
	sweeps();
	assert_int_equal(stage_has(RUN AT), row->stays);
	assert_int_equal(stage_has(ETC), row->stays);
	assert_int_equal(stage_has(OURS), row->stays);
	assert_int_equal(warnings.n, 0);
}

/*** what else ***/

static void removes_what_nobody_claims(void **state UNUSED)
{
	static const char *const gone[] = {
		RUN ".sandbox/c9/0123456789abcdef", RUN ".steer/c9/0123456789abcdef",
		RUN ".node/0123456789abcdef",	    RUN ".netns/n9/0123456789abcdef",
		RUN ".netns/n9/resolv.conf",	    "/etc/netns/n9/resolv.conf",
	};

	lay_attachment(LIVES);
	for (size_t i = 0; i < 4; i++)
		stage_link(gone[i], "net/c9@eth0.json");
	stage_put(gone[4], "x\n");
	stage_link(gone[5], gone[4]);
	stage_link("/etc/netns/n8/resolv.conf", RUN ".netns/n8/resolv.conf"); /* a reboot's */
	stage_link("/etc/netns/admin/resolv.conf", "/run/none");
	sweeps();
	for (size_t i = 0; i < LEN(gone); i++)
		if (stage_has(gone[i]))
			fail_msg("%s is left", gone[i]);
	assert_false(stage_has("/etc/netns/n8"));
	assert_true(stage_has("/etc/netns/admin/resolv.conf"));
	assert_true(stage_has(ETC));
}

/* Whose child was killed. */
static void completes_what_waits(void **state UNUSED)
{
	static const char file[] = "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/n1/"
				   "resolv.conf";
	json_auto_t *document = want_load_file("tests/data/records/pending-decided.json");
	const char *text = json_string_value(want_at(document, "/inputs/runtimeText"));
	auto_record now = RECORD_BLANK;
	json_t *path = json_string(NETNS), *ino;
	struct stat st;

	stage_netns(NETNS);
	if (stat(NETNS, &st) < 0)
		stage_broken("stat " NETNS);
	ino = json_integer((json_int_t)st.st_ino);
	if (json_object_set_new(json_object_get(document, "netns"), "path", path) < 0 ||
	    json_object_set_new(json_object_get(document, "netns"), "ino", ino) < 0)
		stage_broken("netns");
	(void)json_object_del(document, "file"); /* nobody knew at ADD */
	(void)json_object_set_new(document, "containerID", json_string("n1"));
	stage_put(file, text);
	stage_put(RUN AT, want_text(document));
	sweeps();
	assert_int_equal(record_read(&now, &run, AT), RECORD_KNOWN);
	assert_int_equal(now.late, RECORD_WRITTEN_LATE);
	assert_string_equal(now.file, file);
}

/* Whose runtime's file is gone. It has no namespace of its own. */
static void ends_pods_on_the_hosts_network(void **state UNUSED)
{
	static const char file[] = "/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes/h1/"
				   "resolv.conf";
	json_auto_t *document = want_load_file("tests/data/host-network.json");

	stage_put(file, "nameserver 192.0.2.53\n");
	stage_put(RUN "net/h1@-.json", want_text(document));
	stage_link(RUN ".sandbox/h1/0123456789abcdef", "net/h1@-.json");
	sweeps();
	assert_true(stage_has(RUN "net/h1@-.json"));
	if (unlink(file) < 0)
		stage_broken("unlink");
	sweeps();
	assert_false(stage_has(RUN "net/h1@-.json"));
	assert_false(stage_has(RUN ".sandbox/h1"));
	assert_int_equal(warnings.n, 0);
}

/*** when it cannot ***/

static const struct fault {
	const char *name;
	const char *folder; /* in the place of a file of its own */
} faults[] = {
	{ "no stamp", STAMP },
	{ "no lock", RUN ".lock" },
};

static void is_told(void **state)
{
	const struct fault *row = *state;
	struct err e = { 0 };

	if (mkdir(row->folder, 0700) < 0)
		stage_broken("mkdir %s", row->folder);
	assert_false(sweep(&run, &warnings, &e));
	assert_int_equal(e.code, ERR_IO);
	assert_non_null(strstr(e.text, row->folder));
}

#define SWEPT stage_enter, setup, teardown

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(says_that_it_sweeps),
		cmocka_unit_test(removes_what_nobody_claims),
		cmocka_unit_test(completes_what_waits),
		cmocka_unit_test(ends_pods_on_the_hosts_network),
	};

	return RUN_ROWS("when", whens, is_due, SWEPT) + RUN_ROWS("whom", whoms, is_swept, SWEPT) +
	       RUN_ROWS("faults", faults, is_told, SWEPT) + RUN_TESTS("sweep", others, SWEPT);
}
