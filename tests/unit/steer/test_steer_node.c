/* SPDX-License-Identifier: Apache-2.0 */
/* Whose the elements of a pod's addresses are in the node's table. */
#include "steer/steer_node.h"
#include "steer/steer_node_private.h"

#include "rows.h"
#include "stage.c"

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
	nl_close(&nl);
	rundir_unlock(&held);
	rundir_close(&run);
	return stage_teardown(state);
}

static void install(const char *name, const char *v4, const char *v6)
{
	const struct pod_netns pod = POD_NETNS_NONE;
	struct pod_addrs list = { .n = 2 };
	char id[64];

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

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(has_both_families),
					    cmocka_unit_test(replaces_what_is_stale),
					    cmocka_unit_test(has_what_is_steered) };

	return RUN_TESTS("elements", tests, stage_enter, setup, teardown);
}
