/* SPDX-License-Identifier: Apache-2.0 */
/* Whose a file is that several attachments share. */
#include "state/claim.h"

#include <sys/syscall.h>

#include "rows.h"
#include "stage.c"

#define A "net/c1@eth0.json"
#define B "net/c1@net1.json"
#define C "other/c1@eth0.json"

static struct rundir run;
static struct rundir_lock held;

/* The run folder with a record (of any content) for each attachment, locked. */
static int setup(void **state)
{
	struct err e = { 0 };

	if (stage_setup(state) != 0 || !rundir_open(&run, true, &e) ||
	    !rundir_lock(&held, &run, &e))
		stage_broken("%s", e.text);
	stage_put("/run/pod-dns/" A, "");
	stage_put("/run/pod-dns/" B, "");
	stage_put("/run/pod-dns/" C, "");
	return 0;
}

static int teardown(void **state)
{
	rundir_unlock(&held);
	rundir_close(&run);
	return stage_teardown(state);
}

static void add(const char *folder, const char *id)
{
	struct err e = { 0 };

	if (!claim_add(&held, folder, id, &e))
		fail_msg("%s", e.text);
}

static void give_up(const char *folder, const char *id)
{
	struct err e = { 0 };

	if (!claim_remove(&held, folder, id, &e))
		fail_msg("%s", e.text);
}

/* NULL: nobody. */
static void owned_by(const char *folder, const char *id)
{
	char owner[RECORD_PATH];

	assert_int_equal(claim_owner(owner, &run, folder), id ? CLAIM_OWNED : CLAIM_NOBODYS);
	if (id)
		assert_string_equal(owner, id);
}

static void the_newest_owns(void **state UNUSED)
{
	char folder[CLAIM_FOLDER];

	claim_sandbox(folder, "c1");
	assert_string_equal(folder, ".sandbox/c1");
	owned_by(folder, NULL);
	add(folder, A);
	owned_by(folder, A);
	add(folder, B);
	add(folder, C);
	owned_by(folder, C);
	add(folder, A); /* ADD again */
	owned_by(folder, A);
	give_up(folder, A);
	owned_by(folder, C);
	give_up(folder, B); /* not the owner: nothing changes */
	owned_by(folder, C);
	give_up(folder, C);
	owned_by(folder, NULL);
	assert_int_not_equal(access("/run/pod-dns/.sandbox", F_OK), 0);
	give_up(folder, C); /* DEL again */
}

/* What a killed process left is nobody's, and goes. */
static void no_record_no_claim(void **state UNUSED)
{
	char folder[CLAIM_FOLDER];

	claim_netns(folder, "pod");
	add(folder, A);
	add(folder, B);
	if (unlink("/run/pod-dns/" B) < 0)
		stage_broken("unlink");
	owned_by(folder, A);
	claim_tidy(&held, folder);
	owned_by(folder, A);
	if (unlink("/run/pod-dns/" A) < 0)
		stage_broken("unlink");
	owned_by(folder, NULL);
	claim_tidy(&held, folder);
	assert_int_not_equal(access("/run/pod-dns/.netns", F_OK), 0);
}

/* Beside claims lies the file itself, and others' things may. */
static void others_are_no_claims(void **state UNUSED)
{
	char folder[CLAIM_FOLDER];

	claim_netns(folder, "pod");
	stage_put("/run/pod-dns/.netns/pod/resolv.conf", "x\n");
	stage_put("/run/pod-dns/.netns/pod/0123456789abcdef", "x\n");
	stage_link("/run/pod-dns/.netns/pod/x", A);
	owned_by(folder, NULL);
	add(folder, A);
	owned_by(folder, A);
	give_up(folder, A);
	owned_by(folder, NULL);
	assert_int_equal(access("/run/pod-dns/.netns/pod/resolv.conf", F_OK), 0);
}

/* The newest first; a claim that cannot be looked at is said. */
static void are_listed(void **state UNUSED)
{
	static const char *const newest_first[] = { A, C, B };
	auto_arena a = { 0 };
	struct claim_list claims;
	char folder[CLAIM_FOLDER];

	claim_sandbox(folder, "c1");
	assert_true(claim_list(&claims, &run, folder, &a));
	assert_int_equal(claims.n, 0);
	add(folder, A);
	add(folder, B);
	add(folder, C);
	add(folder, A);
	assert_true(claim_list(&claims, &run, folder, &a));
	assert_int_equal(claims.n, LEN(newest_first));
	for (size_t i = 0; i < LEN(newest_first); i++)
		assert_string_equal(claims.at[i].id, newest_first[i]);
	stage_link("/run/pod-dns/.sandbox/c1/0123456789abcdef", "loop/0/c1@eth0.json");
	stage_link("/run/pod-dns/loop", "loop");
	assert_false(claim_list(&claims, &run, folder, &a));
	assert_int_equal(claims.n, LEN(newest_first));
}

/* The kernel's own stamp is the wall clock's, and newer than any moment since the boot. */
static void no_stamp_no_claim(void **state UNUSED)
{
	char folder[CLAIM_FOLDER];
	pid_t child;
	int how;

	claim_sandbox(folder, "c1");
	add(folder, A);
	child = fork();
	if (child == 0) {
		stage_on_call(__NR_utimensat, SECCOMP_RET_KILL_PROCESS);
		add(folder, B);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGSYS);
	owned_by(folder, A);
	add(folder, C);
	owned_by(folder, C);
	add(folder, B); /* ADD again of what was killed */
	owned_by(folder, B);
	give_up(folder, B);
	give_up(folder, A);
	give_up(folder, C);
	assert_int_not_equal(access("/run/pod-dns/.sandbox", F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_owns),	cmocka_unit_test(no_record_no_claim),
		cmocka_unit_test(others_are_no_claims), cmocka_unit_test(are_listed),
		cmocka_unit_test(no_stamp_no_claim),
	};

	return RUN_TESTS("claims", tests, stage_enter, setup, teardown);
}
