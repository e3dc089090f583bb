/* SPDX-License-Identifier: Apache-2.0 */
/* Whose the elements of a pod's addresses are in the node's table. */
#include "steer/steer.h"
#include "steer/steer_node.h"
#include "steer/steer_node_private.h"

#include "nft/nft_private.h"
#include "rows.h"
#include "stage.c"

#include <arpa/inet.h>
#include <string.h>

#define A "net/c1@eth0"
#define B "net/c2@eth0"

static struct rundir run;
static struct rundir_lock held;
static struct nl nl;
static struct err err;
static struct steering s;

static int setup(void **state)
{
	(void)stage_setup(state);
	err_clear(&err);
	if (!rundir_open(&run, true, &err) || !rundir_lock(&held, &run, &err) ||
	    !nl_open_in(&nl, -1, &err))
		stage_broken("%s", err.text);
	s = (struct steering){ .mode = STEER_NODE,
			       .fail_open = true,
			       .alive = 250,
			       .grace = 250,
			       .down = 86400000,
			       .probes = 4,
			       .n = 2 };
	assert_true(addr_parse(&s.at[0].cluster, "10.96.0.10"));
	assert_true(addr_parse(&s.at[0].cache, "169.254.20.10"));
	assert_true(addr_parse(&s.at[1].cluster, "fd00:96::10"));
	assert_true(addr_parse(&s.at[1].cache, "fd00:20::10"));
	s.at[0].fallback = s.at[0].cluster;
	s.at[1].fallback = s.at[1].cluster;
	return 0;
}

static int teardown(void **state)
{
	assert_true(table_remove(&nl, false, &err) && table_remove(&nl, true, &err));
	nl_close(&nl);
	rundir_unlock(&held);
	steer_end();
	rundir_close(&run);
	return stage_teardown(state);
}

static void install(const char *name, const char *v4, const char *v6)
{
	const struct pod_netns pod = POD_NETNS_NONE;
	struct pod_addrs list = { .n = 2 };
	char id[RECORD_PATH];

	(void)snprintf(id, sizeof(id), "%s.json", name);
	assert_true(addr_parse(&list.at[0], v4) && addr_parse(&list.at[1], v6));
	if (!steer_node_install(&held, &pod, id, &s, &list, &err))
		fail_msg("%s", err.text);
}

/* NULL: nobody's. */
static void is_of(const char *address, const char *name)
{
	struct steer_node_element found;
	struct addr a;

	assert_true(addr_parse(&a, address));
	assert_true(steer_node_element_find(&nl, &a, &found, &err));
	assert_int_equal(found.there, name != NULL);
	if (name)
		assert_string_equal(found.name, name);
}

static void has_both_families(void **state UNUSED)
{
	install(A, "10.1.0.5", "fd00::5");
	is_of("10.1.0.5", A);
	is_of("fd00::5", A);
	install(B, "10.1.0.6", "fd00::6"); /* the table is there */
	is_of("10.1.0.5", A);
	is_of("fd00::6", B);
	install(A, "10.1.0.5", "fd00::5"); /* ADD again */
	is_of("10.1.0.5", A);
}

/* Another's element of the pod's own address is stale. */
static void replaces_what_is_stale(void **state UNUSED)
{
	install(A, "10.1.0.5", "fd00::5");
	install(B, "10.1.0.6", "fd00::5");
	is_of("10.1.0.5", A);
	is_of("10.1.0.6", B);
	is_of("fd00::5", B);
}

/* An address twice, and one of a family that is not steered, which another has left. */
static void has_what_is_steered(void **state UNUSED)
{
	install(A, "10.1.0.5", "fd00::5");
	s.n = 1;
	install(B, "10.1.0.6", "10.1.0.6");
	is_of("10.1.0.6", B);
	install(A, "10.1.0.5", "fd00::5");
	is_of("10.1.0.5", A);
	is_of("fd00::5", NULL);
}

/*** what the sets know of an address ***/

/* Calls for each set of addresses, `pods` too. */
static unsigned each_set(bool v6, void act(const char *set, bool v6, void *context), void *context)
{
	const struct nft_request question = {
		.v6 = v6, .table = RULES_TABLE, .get = NFT_MSG_GETSET, .all = true
	};
	auto_messages sets = { 0 };
	const struct nlmsghdr *m = NULL;
	unsigned n = 0;

	assert_true(nft_dump(&nl, &question, &sets, NULL, &err));
	while ((m = nl_next(&sets, m))) {
		if (ntohl(mnl_attr_get_u32(nft_attr(m, NFTA_SET_KEY_LEN))) != (v6 ? 16 : 4))
			continue;
		act(mnl_attr_get_str(nft_attr(m, NFTA_SET_NAME)), v6, context);
		n++;
	}
	return n;
}

/* As packets do. */
static void note_in(const char *set, bool v6, void *context)
{
	const struct addr *a = context;
	char memory[NFT_REQUEST];
	uint8_t key[NFT_KEY];
	struct nft b;

	if (strcmp(set, RULES_PODS) == 0)
		return;
	nft_begin(&b, memory, sizeof(memory), v6, RULES_TABLE);
	nft_element(&b, set, key, rules_pod_key(key, a), 60000, NULL);
	if (!nft_end(&b, &err) || !nl_send(&nl, &b.batch, NULL, &err))
		fail_msg("%s: %s", set, err.text);
}

struct knowing {
	const struct addr *a;
	unsigned n;
};

static void count_in(const char *set, bool v6, void *context)
{
	struct knowing *knowing = context;
	struct nft_element_found found;
	uint8_t key[NFT_KEY];
	size_t len = rules_pod_key(key, knowing->a);
	int refused = 0;

	if (nft_find_element(&nl, v6, RULES_TABLE, set, key, len, &found, &refused, NULL))
		knowing->n++;
	else
		assert_int_equal(refused, ENOENT);
}

static unsigned notes_of(const char *address)
{
	struct addr a;

	assert_true(addr_parse(&a, address));
	return each_set(!addr_is_v4(&a), note_in, &a);
}

static unsigned known_of(const char *address)
{
	struct knowing knowing = { 0 };
	struct addr a;

	assert_true(addr_parse(&a, address));
	knowing.a = &a;
	(void)each_set(!addr_is_v4(&a), count_in, &knowing);
	return knowing.n;
}

/* The features of mode node in its fullest: every set there is. */
static void install_all(void)
{
	s.tcp = s.servfail_falls_back = true;
	install(A, "10.1.0.5", "fd00::5");
	install(B, "10.1.0.6", "fd00::6");
	for (size_t i = 0; i < 2; i++) {
		unsigned v4 = notes_of(i ? "10.1.0.6" : "10.1.0.5");
		unsigned v6 = notes_of(i ? "fd00::6" : "fd00::5");

		assert_true(v4 > 10); /* alive, grace, asked, down, … */
		assert_int_equal(v4, v6);
	}
}

static void others_are_known(const char *v4, const char *v6)
{
	assert_int_equal(known_of(v4), known_of(v6));
	assert_true(known_of(v4) > 10);
}

static void forgets_who_ends(void **state UNUSED)
{
	struct pod_addrs list = { .n = 3 };

	install_all();
	assert_true(addr_parse(&list.at[0], "10.1.0.5") && addr_parse(&list.at[1], "fd00::5") &&
		    addr_parse(&list.at[2], "10.1.0.5"));
	if (!steer_node_release(&held, A ".json", &list, &err))
		fail_msg("%s", err.text);
	assert_int_equal(known_of("10.1.0.5"), 0);
	assert_int_equal(known_of("fd00::5"), 0);
	others_are_known("10.1.0.6", "fd00::6");
}

/* Its DEL comes late, or twice: another has the address. */
static void forgets_no_other(void **state UNUSED)
{
	struct pod_addrs list = { .n = 2 };

	install_all();
	assert_true(addr_parse(&list.at[0], "10.1.0.6") && addr_parse(&list.at[1], "fd00::6"));
	if (!steer_node_release(&held, A ".json", &list, &err))
		fail_msg("%s", err.text);
	is_of("10.1.0.6", B);
	others_are_known("10.1.0.6", "fd00::6");
}

/* Nobody knows its addresses: its record is gone. */
static void forgets_who_has_no_record(void **state UNUSED)
{
	install_all();
	if (!steer_node_release(&held, A ".json", NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(known_of("10.1.0.5"), 0);
	assert_int_equal(known_of("fd00::5"), 0);
	others_are_known("10.1.0.6", "fd00::6");
}

static void forgets_whom_gc_collects(void **state UNUSED)
{
	struct warnings w = { 0 };

	install_all();
	install("other/c3@eth0", "10.1.0.7", "fd00::7");
	steer_node_collect(&run, "net", &w);
	assert_int_equal(w.n, 0);
	assert_int_equal(known_of("10.1.0.5"), 0);
	assert_int_equal(known_of("fd00::6"), 0);
	is_of("10.1.0.7", "other/c3@eth0");
}

/* Their elements' names end in a hash: whoever has a record stays. */
static void tells_long_names_apart(void **state UNUSED)
{
	char network[131], with[160], without[160], record[200], name[NFT_COMMENT];
	struct warnings w = { 0 };

	memset(network, 'n', sizeof(network) - 1);
	network[sizeof(network) - 1] = '\0';
	(void)snprintf(with, sizeof(with), "%s/c1@eth0", network);
	(void)snprintf(without, sizeof(without), "%s/c2@eth0", network);
	(void)snprintf(record, sizeof(record), "/run/pod-dns/%s.json", with);
	install(with, "10.1.0.5", "fd00::5");
	install(without, "10.1.0.6", "fd00::6");
	stage_put(record, "{}");
	steer_node_collect(&run, network, &w);
	(void)snprintf(record, sizeof(record), "%s.json", with);
	steer_node_name(name, record);
	is_of("10.1.0.5", name);
	is_of("fd00::5", name);
	assert_int_equal(known_of("10.1.0.6"), 0);
	assert_int_equal(known_of("fd00::6"), 0);
}

/* The one before has ended without a DEL. */
static void begins_as_a_stranger(void **state UNUSED)
{
	install_all();
	install("net/c3@eth0", "10.1.0.5", "fd00::5");
	is_of("10.1.0.5", "net/c3@eth0");
	assert_int_equal(known_of("10.1.0.5"), 1);
	assert_int_equal(known_of("fd00::5"), 1);
	others_are_known("10.1.0.6", "fd00::6");
}

static void forgets_whom_an_unsteered_pod_evicts(void **state UNUSED)
{
	struct pod_addrs list = { .n = 2 };
	struct warnings w = { 0 };

	install_all();
	assert_true(addr_parse(&list.at[0], "10.1.0.5") && addr_parse(&list.at[1], "fd00::5"));
	steer_node_drop_stale(&held, "net/c3@eth0.json", &list, &w);
	assert_int_equal(known_of("10.1.0.5"), 0);
	assert_int_equal(known_of("fd00::5"), 0);
	others_are_known("10.1.0.6", "fd00::6");
}

int main(void)
{
	const struct CMUnitTest state[] = {
		cmocka_unit_test(forgets_who_ends),
		cmocka_unit_test(forgets_no_other),
		cmocka_unit_test(forgets_who_has_no_record),
		cmocka_unit_test(forgets_whom_gc_collects),
		cmocka_unit_test(tells_long_names_apart),
		cmocka_unit_test(begins_as_a_stranger),
		cmocka_unit_test(forgets_whom_an_unsteered_pod_evicts),
	};
	const struct CMUnitTest tests[] = { cmocka_unit_test(has_both_families),
					    cmocka_unit_test(replaces_what_is_stale),
					    cmocka_unit_test(has_what_is_steered) };

	return RUN_TESTS("elements", tests, stage_enter, setup, teardown) +
	       RUN_TESTS("state", state, stage_enter, setup, teardown);
}
