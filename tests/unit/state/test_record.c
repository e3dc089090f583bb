/* SPDX-License-Identifier: Apache-2.0 */
/* The record's format: what was written is read, by this version and by the next. */
#include "state/record.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"
#include "scarce.h"
#include "stage.c"
#include "want.c"

#define FOLDER "tests/data/records/"

/*** records as the version before this one wrote them ***/

static void drop_nulls(json_t *value)
{
	const char *key;
	json_t *member;
	size_t i;
	void *next;

	json_object_foreach_safe(value, next, key, member)
	{
		if (json_is_null(member))
			(void)json_object_del(value, key);
		else
			drop_nulls(member);
	}
	json_array_foreach (value, i, member)
		drop_nulls(member);
}

static json_t *load(const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof path, FOLDER "%s.json", name);
	return want_load_file(path);
}

static void parse(struct record *record, json_t *document)
{
	struct err e = { 0 };

	*record = RECORD_BLANK;
	if (!record_parse(record, document, &e))
		fail_msg("%s", e.text);
}

/* What was called rungs has another name now. */
static void rename_features(json_t *document)
{
	json_t *steering = json_object_get(document, "steering");

	if (steering && json_object_get(steering, "rungs"))
		(void)json_object_set(steering, "features", json_object_get(steering, "rungs"));
	(void)json_object_del(steering, "rungs");
}

/* Nothing is lost on the way in and out. */
static void each_comes_back(void **state UNUSED)
{
	glob_t found;

	assert_int_equal(glob(FOLDER "*.json", 0, NULL, &found), 0);
	assert_in_range(found.gl_pathc, 15, 100);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		json_auto_t *was = want_load_file(found.gl_pathv[i]);
		json_auto_t *now = NULL;
		auto_record record;

		parse(&record, want_load_file(found.gl_pathv[i]));
		now = record_render(&record);
		drop_nulls(was);
		drop_nulls(now);
		rename_features(was);
		if (!want_subset(now, was))
			fail_msg("%s: %s became %s", found.gl_pathv[i], want_text(was),
				 want_text(now));
	}
	globfree(&found);
}

static void says_what_was_decided(void **state UNUSED)
{
	auto_record record;

	parse(&record, load("computed-by-rule"));
	assert_string_equal(record.at.network, "net");
	assert_string_equal(record.at.container_id, "e2");
	assert_string_equal(record.netns.path, "/run/netns/e2");
	assert_int_not_equal(record.netns.id.ino, 0);
	assert_string_equal(record.pod.namespace, "default");
	assert_int_equal(record.decision.state, COMPUTED);
	assert_int_equal(record.decision.policy, DEFAULT);
	assert_int_equal(record.decision.from, FROM_RULE);
	assert_int_equal(record.steer, STEER_UNSET);
	assert_int_equal(record.mode, MODE_ENFORCE);
	assert_true(record_has_dns(&record));
	assert_int_equal(record.dns.nameservers.n, 1);
	assert_string_equal(record.dns.nameservers.at[0].text, "192.0.2.53");
	assert_int_equal(record.dns.nameservers.at[0].from, FROM_NODE);
	assert_int_equal(record.dns.options.at[1].key, strlen("timeout"));
	assert_int_equal(record.targets.n, 1);
	assert_int_equal(record.targets.at[0].kind, TARGET_NETNS);
	assert_true(record.targets.at[0].taken);
	assert_int_equal(record.late, RECORD_NOT_LATE);
	assert_false(record_has_steering(&record));
}

static void says_what_is_pending(void **state UNUSED)
{
	auto_record record;

	parse(&record, load("pending-undecided"));
	assert_int_equal(record.decision.state, DEFERRED);
	assert_int_equal(record.decision.policy, POLICY_UNSET);
	assert_false(record_has_dns(&record));
	assert_null(record.text);
	assert_int_equal(record.late, RECORD_AWAITED);
	assert_true(json_is_object(record.deferred.conf));
	assert_true(record.deferred.dns.present);
	assert_int_equal(json_array_size(record.deferred.dns.searches), 1);
	assert_null(record.deferred.dns.options);
}

static void says_why_it_was_missed(void **state UNUSED)
{
	auto_record record;

	parse(&record, load("late-missed"));
	assert_int_equal(record.late, RECORD_MISSED);
	assert_non_null(strstr(record.late_why, "not as the runtime wrote it"));
}

static void knows_its_own_texts(void **state UNUSED)
{
	auto_record record;

	parse(&record, load("computed-sandbox"));
	assert_int_equal(record.written.n, 1);
	assert_true(record_wrote(&record, record.text));
	assert_false(record_wrote(&record, record.inputs.runtime_text));
}

static void says_the_steering(void **state UNUSED)
{
	auto_record record;

	parse(&record, load("steered-node"));
	assert_true(record_has_steering(&record));
	assert_int_equal(record.steering.plan.mode, STEER_NODE);
	assert_int_equal(record.steering.plan.n, 2);
	assert_int_equal(record.steering.plan.down, 86400000);
	assert_true(record.steering.plan.features[1].dup);
	assert_int_equal(record.steering.pod_addrs.n, 2);
	assert_true(record.steering.installed);
}

/*** what this version adds ***/

static void keeps_what_was_displaced(void **state UNUSED)
{
	auto_arena arena = { 0 };
	struct record record = RECORD_BLANK;
	auto_record back;
	struct resolv_entry option = resolv_option("ndots:1", FROM_POD);

	record.at = (struct attachment){ "net", "c1", "eth0" };
	record.netns.path = "/run/netns/pod";
	record.decision.state = COMPUTED;
	record.steer = STEER_NAMESERVER;
	option.displaced = "ndots:5 ndots:2";
	resolv_add(&record.dns.options, option, &arena);
	parse(&back, record_render(&record));
	assert_string_equal(back.dns.options.at[0].displaced, "ndots:5 ndots:2");
	assert_int_equal(back.dns.options.at[0].from, FROM_POD);
	assert_int_equal(back.steer, STEER_NAMESERVER);
}

/* As jansson writes them: what needs an escape and what does not. */
static void keeps_any_string(void **state UNUSED)
{
	static const char *const strings[] = { "",	   " ",	   "plain ~",
					       "\"",	   "a\\b", "\x01",
					       "\n\t\x1f", "\x7f", "caf\u00e9 \u202e" };

	for (size_t i = 0; i < LEN(strings); i++) {
		struct record record = RECORD_BLANK;
		json_auto_t *expected = json_string(strings[i]), *all = NULL;

		record.text = strings[i];
		all = record_render(&record);
		assert_true(json_equal(json_object_get(all, "text"), expected));
	}
}

/* The modules of the two families come apart. */
static void keeps_a_familys_features(void **state UNUSED)
{
	auto_record record, back;

	parse(&record, load("steered-node"));
	record.steering.plan.features[1].dup = false;
	parse(&back, record_render(&record));
	assert_true(back.steering.plan.features[0].dup);
	assert_false(back.steering.plan.features[1].dup);
	assert_true(back.steering.plan.features[1].socket);
}

/*** what is no record ***/

#define AT    "'version':1,'network':'n','containerID':'c','ifname':'e',"
#define WHOLE AT "'netns':{'path':'/n','dev':4,'ino':7},'decision':{'state':'passed'}"

static const struct fault {
	const char *name, *document, *says; /* NULL: nothing is wrong */
} faults[] = {
	{ "the least", "{" WHOLE "}", NULL },
	{ "keys of a later version", "{" WHOLE ",'x':{},'pod':{'node':'n'}}", NULL },
	{ "nulls", "{" WHOLE ",'text':null,'steering':null,'dns':null,'late':null}", NULL },
	{ "no namespace", "{" AT "'decision':{'state':'passed'}}", "netns: missing" },
	{ "no decision", "{" AT "'netns':{'path':'/n'}}", "decision: missing" },
	{ "a namespace without a path", "{" AT "'netns':{}}", "netns.path: missing" },
	{ "an unknown state", "{" AT "'netns':{'path':'/n'},'decision':{'state':'x'}}",
	  "decision.state: expected one of computed" },
	{ "a text that is none", "{" WHOLE ",'text':5}", "text: expected a string, got 5" },
	{ "an unknown origin",
	  "{" WHOLE ",'dns':{'options':[{'text':'ndots:2','from':'rules[x]'}]}}",
	  "dns.options[0].from: expected an origin, got \"rules[x]\"" },
	{ "a hash of another length", "{" WHOLE ",'config':'12'}",
	  "config: expected 16 hexadecimal digits" },
	{ "a pair without a cache",
	  "{" WHOLE ",'steering':{'mode':'pod','pairs':[{'cluster':'10.0.0.1'}]}}",
	  "steering.pairs[0].cache: missing" },
	{ "no object", "[]", "expected an object" },
};

static void is_told(void **state)
{
	const struct fault *row = *state;
	json_t *document = json_loads(rows_json(row->document), 0, NULL);
	auto_record record = RECORD_BLANK;
	struct err e = { 0 };

	assert_non_null(document);
	if (record_parse(&record, document, &e)) {
		assert_null(row->says);
		return;
	}
	json_decref(document);
	assert_non_null(row->says);
	assert_non_null(strstr(e.text, row->says));
}

/* The other addresses are still to be released. */
static void bears_junk(void **state UNUSED)
{
	auto_record record;

	parse(&record, json_loads(rows_json("{" WHOLE ",'steering':{'mode':'node',"
					    "'addresses':[5,null,'10.1.0.5',{}]}}"),
				  0, NULL));
	assert_int_equal(record.steering.pod_addrs.n, 1);
}

/*** files ***/

static enum record_found found(const char *text)
{
	auto_rundir run = RUNDIR_NONE;
	auto_record record = RECORD_BLANK;

	if (text)
		stage_put("/run/pod-dns/net/c1@eth0.json", text);
	if (!rundir_open(&run, true, NULL))
		stage_broken("the run folder");
	errno = ENOENT; /* of something else */
	return record_read(&record, &run, "net/c1@eth0.json");
}

static void is_found(void **state UNUSED)
{
	auto_rundir run = RUNDIR_NONE;

	if (!rundir_open(&run, true, NULL))
		stage_broken("the run folder");
	assert_int_equal(found(NULL), RECORD_NONE);
	assert_int_equal(found(rows_json("{" WHOLE "}")), RECORD_KNOWN);
	assert_int_equal(found("{\"version\":2}"), RECORD_OTHER_VERSION);
	assert_int_equal(found("{\"version\":1}"), RECORD_DAMAGED);
	assert_int_equal(found("{\"version\":\"1\"}"), RECORD_DAMAGED);
	assert_int_equal(found("{"), RECORD_DAMAGED);
	assert_int_equal(found(""), RECORD_DAMAGED);
	if (unlink("/run/pod-dns/net/c1@eth0.json") < 0 ||
	    mkdir("/run/pod-dns/net/c1@eth0.json", 0700) < 0)
		stage_broken("mkdir");
	assert_int_equal(found(NULL), RECORD_UNREADABLE);
}

static void is_written_in_utf8_only(void **state UNUSED)
{
	struct record record = RECORD_BLANK;
	auto_rundir run = RUNDIR_NONE;
	auto_rundir_lock held = RUNDIR_UNLOCKED;

	if (!rundir_open(&run, true, NULL) || !rundir_lock(&held, &run, NULL))
		stage_broken("the run folder");
	record.text = "a\xff";
	assert_false(record_write(&held, "net/c1@eth0.json", &record, NULL));
	record.text = "a";
	assert_true(record_write(&held, "net/c1@eth0.json", &record, NULL));
}

/* A record whose lists do not fit into memory is no damaged one, which DEL would remove. */
static void is_unreadable_without_memory(void **state UNUSED)
{
	const char *text = rows_json("{" WHOLE ",'dns':{'searches':[{'text':'a','from':'node'},"
				     "{'text':'b','from':'node'}]}}");
	auto_rundir run = RUNDIR_NONE;

	if (!rundir_open(&run, true, NULL))
		stage_broken("the run folder");
	assert_int_equal(found(text), RECORD_KNOWN);
	scarce_left = 1;
	assert_int_equal(found(NULL), RECORD_UNREADABLE);
	scarce_left = SCARCE_NOT;
}

/*** memory that ends ***/

static size_t memory_left;

static void *alloc_while_there_is(size_t size)
{
	if (memory_left) {
		memory_left--;
		return malloc(size);
	}
	errno = ENOMEM;
	return NULL;
}

/* Others give up a record that is damaged: one that could not be read must not be called so. */
static void is_not_damaged_for_want_of_memory(void **state UNUSED)
{
	enum record_found known = RECORD_NONE;
	auto_rundir run = RUNDIR_NONE;

	if (!rundir_open(&run, true, NULL))
		stage_broken("the run folder");
	assert_int_equal(found(rows_json("{" WHOLE "}")), RECORD_KNOWN);
	for (size_t enough = 0; known != RECORD_KNOWN; enough++) {
		auto_record record = RECORD_BLANK;

		memory_left = enough;
		json_set_alloc_funcs(alloc_while_there_is, free);
		known = record_read(&record, &run, "net/c1@eth0.json");
		json_set_alloc_funcs(malloc, free);
		if (known != RECORD_KNOWN)
			assert_int_equal(known, RECORD_UNREADABLE);
	}
}

/* By network and name; what is not named like a record is none. */
static void are_listed(void **state UNUSED)
{
	static const char *const all[] = { "a/c1@eth0.json", "b/c1@eth0.json", "b/c1@net1.json" };
	auto_rundir run = RUNDIR_NONE;
	struct rundir_list list;
	auto_arena a = { 0 };

	assert_true(record_list(&list, &run, NULL, &a)); /* there is no run folder */
	assert_int_equal(list.n, 0);
	if (!rundir_open(&run, true, NULL))
		stage_broken("the run folder");
	stage_put("/run/pod-dns/b/c1@net1.json", "");
	stage_put("/run/pod-dns/b/c1@eth0.json", "");
	stage_put("/run/pod-dns/a/c1@eth0.json", "");
	stage_put("/run/pod-dns/a/c1.json", "");
	stage_put("/run/pod-dns/a/c1@eth0", "");
	stage_put("/run/pod-dns/.netns/c1@eth0.json", "");
	assert_true(record_list(&list, &run, NULL, &a));
	assert_int_equal(list.n, LEN(all));
	for (size_t i = 0; i < LEN(all); i++)
		assert_string_equal(list.at[i], all[i]);
	assert_true(record_list(&list, &run, "a", &a));
	assert_int_equal(list.n, 1);
	assert_true(record_list(&list, &run, "none", &a));
	assert_int_equal(list.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_comes_back),
		cmocka_unit_test(says_what_was_decided),
		cmocka_unit_test(says_what_is_pending),
		cmocka_unit_test(says_why_it_was_missed),
		cmocka_unit_test(knows_its_own_texts),
		cmocka_unit_test(says_the_steering),
		cmocka_unit_test(keeps_what_was_displaced),
		cmocka_unit_test(keeps_any_string),
		cmocka_unit_test(keeps_a_familys_features),
		cmocka_unit_test(bears_junk),
		cmocka_unit_test(is_found),
		cmocka_unit_test(is_written_in_utf8_only),
		cmocka_unit_test(is_unreadable_without_memory),
		cmocka_unit_test(is_not_damaged_for_want_of_memory),
		cmocka_unit_test(are_listed),
	};

	return RUN_ROWS("no records", faults, is_told) + RUN_TESTS("records", tests, STAGE);
}
