/* SPDX-License-Identifier: Apache-2.0 */
/* Whose a file is that several attachments share. */
#include "state/claim.h"

#include "rows.h"
#include "stage.c"

#define A "net/c1@eth0.json"
#define B "net/c1@net1.json"
#define C "other/c1@eth0.json"

/* The run folder with a record (of any content) for each attachment. */
static struct rundir open_folder(void)
{
	struct rundir run = RUNDIR_NONE;
	struct err e = { 0 };

	if (!rundir_open(&run, true, &e))
		stage_broken("%s", e.text);
	stage_write("/run/pod-dns/" A, "", 0);
	stage_write("/run/pod-dns/" B, "", 0);
	stage_write("/run/pod-dns/" C, "", 0);
	return run;
}

static void add(const struct rundir *run, const char *folder, const char *record)
{
	struct err e = { 0 };

	if (!claim_add(run, folder, record, &e))
		fail_msg("%s", e.text);
}

static void give_up(const struct rundir *run, const char *folder, const char *record)
{
	struct err e = { 0 };

	if (!claim_remove(run, folder, record, &e))
		fail_msg("%s", e.text);
}

/* NULL: nobody. */
static void owned_by(const struct rundir *run, const char *folder, const char *record)
{
	char owner[RECORD_PATH];

	assert_int_equal(claim_owner(owner, run, folder), record ? CLAIM_OWNED : CLAIM_NOBODYS);
	if (record)
		assert_string_equal(owner, record);
}

static void the_newest_owns(void **state)
{
	struct rundir run = open_folder();
	char folder[CLAIM_FOLDER];

	(void)state;
	claim_sandbox(folder, "c1");
	assert_string_equal(folder, ".sandbox/c1");
	owned_by(&run, folder, NULL);
	add(&run, folder, A);
	owned_by(&run, folder, A);
	add(&run, folder, B);
	add(&run, folder, C);
	owned_by(&run, folder, C);
	add(&run, folder, A); /* ADD again */
	owned_by(&run, folder, A);
	give_up(&run, folder, A);
	owned_by(&run, folder, C);
	give_up(&run, folder, B); /* not the owner: nothing changes */
	owned_by(&run, folder, C);
	give_up(&run, folder, C);
	owned_by(&run, folder, NULL);
	assert_int_not_equal(access("/run/pod-dns/.sandbox", F_OK), 0);
	give_up(&run, folder, C); /* DEL again */
	rundir_close(&run);
}

/* What a killed process left is nobody's, and goes. */
static void no_record_no_claim(void **state)
{
	struct rundir run = open_folder();
	char folder[CLAIM_FOLDER];

	(void)state;
	claim_netns(folder, "pod");
	add(&run, folder, A);
	add(&run, folder, B);
	if (unlink("/run/pod-dns/" B) < 0)
		stage_broken("unlink");
	owned_by(&run, folder, A);
	claim_tidy(&run, folder);
	owned_by(&run, folder, A);
	if (unlink("/run/pod-dns/" A) < 0)
		stage_broken("unlink");
	owned_by(&run, folder, NULL);
	claim_tidy(&run, folder);
	assert_int_not_equal(access("/run/pod-dns/.netns", F_OK), 0);
	rundir_close(&run);
}

/* Beside claims lies the file itself, and others' things may. */
static void others_are_no_claims(void **state)
{
	struct rundir run = open_folder();
	char folder[CLAIM_FOLDER];

	(void)state;
	claim_netns(folder, "pod");
	stage_write("/run/pod-dns/.netns/pod/resolv.conf", "x\n", 2);
	stage_write("/run/pod-dns/.netns/pod/0123456789abcdef", "x\n", 2);
	stage_link("/run/pod-dns/.netns/pod/x", A);
	owned_by(&run, folder, NULL);
	add(&run, folder, A);
	owned_by(&run, folder, A);
	give_up(&run, folder, A);
	owned_by(&run, folder, NULL);
	assert_int_equal(access("/run/pod-dns/.netns/pod/resolv.conf", F_OK), 0);
	rundir_close(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_newest_owns, stage_setup, stage_teardown),
		cmocka_unit_test_setup_teardown(no_record_no_claim, stage_setup, stage_teardown),
		cmocka_unit_test_setup_teardown(others_are_no_claims, stage_setup, stage_teardown),
	};

	return cmocka_run_group_tests_name("claims", tests, stage_enter, NULL);
}
