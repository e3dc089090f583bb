/* SPDX-License-Identifier: Apache-2.0 */
/* What attachments share, and what is left of those that ended badly. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rows.h"
#include "stage.c"
#include "want.c"

#define RUN "/run/pod-dns"
#define ETC "/etc/netns/pod/resolv.conf"

struct call {
	const char *command, *network, *id, *args, *keys;
};

/* Returns the exit status; *said: what it said on stderr, the caller's. */
static int run(const struct call *c, char **said)
{
	char network[1024];
	const struct stage_cni call = {
		.command = c->command, .id = c->id, .args = c->args, .in = network
	};
	struct stage_result r;
	int exit;

	(void)snprintf(network, sizeof network,
		       "{'cniVersion':'1.1.0','name':'%s','type':'pod-dns',"
		       "'clusterDNS':['10.96.0.10'],'prevResult':{'cniVersion':'1.1.0'}%s}",
		       c->network, c->keys ? c->keys : "");
	stage_cni(&call, &r);
	exit = r.exit;
	if (said)
		*said = strdup(r.err.data ? r.err.data : "");
	stage_result_done(&r);
	return exit;
}

static void ok(const struct call *c)
{
	assert_int_equal(run(c, NULL), 0);
}

static const struct call add = { "ADD", "net", "c1", NULL, NULL };
static const struct call del = { "DEL", "net", "c1", NULL, NULL };
static const struct call status = { "STATUS", "net", "", NULL, NULL };

static int setup(void **state)
{
	(void)stage_setup(state);
	stage_netns("/run/netns/pod");
	return 0;
}

/*** the record ***/

/* How often the record is written by a call. (Two events of a kind in a row are one: IN_CREATE.) */
static size_t writes_of(const struct call *c)
{
	_Alignas(struct inotify_event) char events[4096];
	const struct inotify_event *event;
	int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	size_t n = 0;
	ssize_t len;

	if (mkdir(RUN, 0700) < 0 || mkdir(RUN "/net", 0700) < 0 ||
	    inotify_add_watch(watch, RUN "/net", IN_MOVED_TO) < 0 ||
	    inotify_add_watch(watch, RUN, IN_CREATE) < 0)
		stage_broken("inotify");
	ok(c);
	len = read(watch, events, sizeof events);
	for (ssize_t at = 0; at < len; at += (ssize_t)(sizeof(*event) + event->len)) {
		event = (const void *)&events[at];
		n += (event->mask & IN_MOVED_TO) != 0;
	}
	(void)close(watch);
	return n;
}

/* What the record holds, with quotes for apostrophes. */
static void says(const char *words)
{
	const char *wanted = rows_json(words);
	struct blob record;

	if (!blob_read(RUN "/net/c1@eth0.json", &record))
		stage_broken("no record");
	if (!strstr(record.data, wanted))
		fail_msg("%s: not in %s", wanted, record.data);
	free(record.data);
}

static void says_that_netns_was_taken(void)
{
	says("{'kind':'netns',");
	says("'taken':true");
}

/* What ADD does comes as it was announced: there is nothing to say again. */
static void writes_its_record_once(void **state UNUSED)
{
	assert_int_equal(writes_of(&add), 1);
	says_that_netns_was_taken();
}

static void writes_what_came_otherwise(void **state UNUSED)
{
	struct call other = add;

	other.keys = ",'targets':['rootfs','netns']";
	assert_int_equal(writes_of(&other), 2);
	says_that_netns_was_taken();
}

#define STEERED ",'nodeCache':{'addresses':['169.254.20.10'],'steer':'pod'}"

static void steer(const char *keys, size_t writes, const char *words)
{
	struct call other = add;

	other.keys = keys;
	assert_int_equal(writes_of(&other), writes);
	says(words);
}

static void give_a_route(void)
{
	if (system("ip -n pod link add eth0 type veth peer name other && "
		   "ip -n pod address add 10.88.0.2/16 dev eth0 && ip -n pod link set eth0 up && "
		   "ip -n pod route add default via 10.88.0.1") != 0)
		stage_broken("ip");
}

static void steers_as_announced(void **state UNUSED)
{
	give_a_route();
	steer(STEERED, 1, "'postrouting':{'ip':true,");
	says("'installed':true");
	says_that_netns_was_taken();
}

static void steers_where_nothing_is_a_target(void **state UNUSED)
{
	give_a_route();
	steer(STEERED ",'targets':[]", 1, "'installed':true");
}

/* Without a route the rules are others than expected. */
static void steers_otherwise(void **state UNUSED)
{
	steer(STEERED, 2, "'postrouting':{'ip':false,");
	says("'installed':true");
}

static void does_not_steer(void **state UNUSED)
{
	if (system("ip netns exec pod nft add table ip pod-dns") != 0)
		stage_broken("nft");
	steer(STEERED, 2, "'installed':false");
}

/*** at once ***/

static pid_t begin(const struct call *c)
{
	pid_t child = fork();

	if (child == 0)
		_exit(run(c, NULL));
	return child;
}

static void ends_well(pid_t child)
{
	int how;

	assert_int_equal(waitpid(child, &how, 0), child);
	assert_int_equal(how, 0);
}

/*** an ADD that is repeated, and fails ***/

static void keeps_what_it_had(void **state UNUSED)
{
	struct call other = add;

	ok(&add);
	assert_true(stage_has(ETC));
	other.keys = ",'targets':['rootfs']";
	assert_int_not_equal(run(&other, NULL), 0);
	assert_true(stage_has(ETC));
	ok(&del);
	assert_false(stage_has(ETC));
}

static void gives_up_what_it_took(void **state UNUSED)
{
	struct call other = add;

	ok(&add);
	other.keys = ",'targets':[]";
	ok(&other);
	assert_false(stage_has(ETC));
}

/*** what cannot be read is not absent ***/

/* The record that a claim leads to cannot be looked at. */
static void leaves_an_unknown_owners_file(void **state UNUSED)
{
	const struct call later = { "ADD", "other", "c2", NULL, NULL };
	struct call end = later;
	char *said;

	ok(&add);
	ok(&later);
	if (rename(RUN "/net", RUN "/.net") < 0)
		stage_broken("rename");
	stage_link(RUN "/net", "net"); /* ELOOP */
	end.command = "DEL";
	assert_int_equal(run(&end, &said), 0);
	assert_non_null(strstr(said, "cannot be read"));
	free(said);
	assert_true(stage_has(ETC));
	ok(&status);
	assert_true(stage_has(ETC));
	if (unlink(RUN "/net") < 0 || rename(RUN "/.net", RUN "/net") < 0)
		stage_broken("rename");
	ok(&end);
	assert_true(stage_has(ETC));
	ok(&del);
	assert_false(stage_has(ETC));
}

static void leaves_what_its_record_cannot_say(void **state UNUSED)
{
	static const char id[] = RUN "/net/c1@eth0.json";
	char *said;

	ok(&add);
	if (unlink(id) < 0 || mkdir(id, 0700) < 0)
		stage_broken("mkdir");
	assert_int_equal(run(&del, &said), 0);
	assert_non_null(strstr(said, "cannot be read"));
	free(said);
	assert_true(stage_has(ETC));
	assert_true(stage_has(id));
}

/* A program that may have so many descriptors. */
static void limit_descriptors(const char *program, int limit)
{
	char script[PATH_MAX + 64];

	(void)snprintf(script, sizeof script, "#!/bin/sh\nulimit -n %d\nexec %s\n", limit, program);
	stage_put("/run/limited", script);
	if (chmod("/run/limited", 0700) < 0 || setenv("POD_DNS", "/run/limited", 1) < 0)
		stage_broken("/run/limited");
}

static void gc_tells_what_it_could_not_see(void **state UNUSED)
{
	const struct call gc = { "GC", "net", "", NULL, ",'cni.dev/valid-attachments':[]" };
	char program[PATH_MAX];
	int failed = 0;

	if (!realpath(getenv("POD_DNS"), program))
		stage_broken("POD_DNS");
	for (int limit = 4; limit < 12; limit++) {
		ok(&add);
		limit_descriptors(program, limit);
		if (run(&gc, NULL) == 0)
			assert_false(stage_has(RUN "/net/c1@eth0.json"));
		else
			failed++;
		(void)setenv("POD_DNS", program, 1);
	}
	assert_in_range(failed, 1, 7);
}

/*** a DEL in between ***/

static void check_does_not_bring_it_back(void **state UNUSED)
{
	const struct call check = { "CHECK", "net", "c1", NULL, NULL };
	int lock, how;
	pid_t child;

	ok(&add);
	lock = open(RUN "/.lock", O_RDWR | O_CLOEXEC);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	child = begin(&check);
	while (!stage_is_awaited(RUN "/.lock")) {
		assert_int_equal(waitpid(child, &how, WNOHANG), 0);
		(void)usleep(1000);
	}
	/* As DEL does it. */
	if (system("rm -r " RUN "/net " RUN "/.netns " ETC) != 0)
		stage_broken("rm");
	(void)flock(lock, LOCK_UN); /* the child has it, too */
	(void)close(lock);
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_int_equal(how, 0);
	assert_false(stage_has(ETC));
	assert_false(stage_has(RUN "/.netns"));
}

/*** the sweep ***/

/* Elsewhere the namespace's path is a plain file. */
static void bears_another_mount_namespace(void **state UNUSED)
{
	pid_t child;

	ok(&add);
	child = fork();
	if (child == 0) {
		if (unshare(CLONE_NEWNS) < 0 ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    umount2("/run/netns/pod", MNT_DETACH) < 0)
			_exit(99);
		_exit(run(&status, NULL));
	}
	ends_well(child);
	assert_true(stage_has(RUN "/net/c1@eth0.json"));
	assert_true(stage_has(ETC));
	if (umount2("/run/netns/pod", MNT_DETACH) < 0 || unlink("/run/netns/pod") < 0)
		stage_broken("umount");
	(void)unlink(RUN "/.swept"); /* it was a minute ago */
	ok(&status);
	assert_false(stage_has(RUN "/net/c1@eth0.json"));
	assert_false(stage_has(ETC));
}

int main(void)
{
	struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_its_record_once),
		cmocka_unit_test(writes_what_came_otherwise),
		cmocka_unit_test(steers_as_announced),
		cmocka_unit_test(steers_where_nothing_is_a_target),
		cmocka_unit_test(steers_otherwise),
		cmocka_unit_test(does_not_steer),
		cmocka_unit_test(keeps_what_it_had),
		cmocka_unit_test(gives_up_what_it_took),
		cmocka_unit_test(leaves_an_unknown_owners_file),
		cmocka_unit_test(leaves_what_its_record_cannot_say),
		cmocka_unit_test(gc_tells_what_it_could_not_see),
		cmocka_unit_test(check_does_not_bring_it_back),
		cmocka_unit_test(bears_another_mount_namespace),
	};

	return RUN_TESTS("shared", tests, stage_enter, setup, stage_teardown);
}
