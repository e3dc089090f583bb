/* SPDX-License-Identifier: Apache-2.0 */
/* Whose a table is, by its comment: what is ours is kept, mended and removed, all else is not
 * touched. In a network namespace of the test's own. */
#include "nft/expr.h"
#include "rows.h"
#include "steer/rules/table.h"

#include <errno.h>
#include <linux/netfilter.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static struct err err;

static const struct maker {
	const char *name, *comment;
	const char *left; /* made by whom, that it is left; NULL: it is ours */
} makers[] = {
	{ "ours", "pod-dns 1 0123456789abcdef: steers DNS to the node's cache", NULL },
	{ "ours, older", "pod-dns 0 0123456789abcdef: as it was", NULL },
	{ "the next version's", "pod-dns 2 0123456789abcdef: as it will be", "a newer pod-dns" },
	{ "the tenth version's", "pod-dns 10 something else", "a newer pod-dns" },
	{ "a version beyond numbers", "pod-dns 99999999999999999999 x", "a newer pod-dns" },
	{ "nobody's", "", "somebody else" },
	{ "an operator's", "made by hand", "somebody else" },
	{ "a namesake's", "pod-dns", "somebody else" },
	{ "without a version", "pod-dns x y", "somebody else" },
	{ "with a version that is none", "pod-dns 1x y", "somebody else" },
};

static struct steering steering(void)
{
	struct steering s = { .mode = STEER_POD,
			      .fail_open = true,
			      .alive = 250,
			      .grace = 250,
			      .down = 86400000,
			      .probes = 4,
			      .n = 1 };

	assert_true(addr_parse(&s.at[0].cluster, "10.96.0.10"));
	assert_true(addr_parse(&s.at[0].cache, "169.254.20.10"));
	s.at[0].fallback = s.at[0].cluster;
	return s;
}

/* A namespace with a table that somebody has made, and nothing in it. */
static void begin(struct nl *nl, const char *comment)
{
	char memory[1024];
	struct nft b;

	err_clear(&err);
	assert_int_equal(unshare(CLONE_NEWNET), 0);
	nft_begin(&b, memory, sizeof(memory), false, RULES_TABLE);
	nft_table(&b, comment);
	if (!nl_open_in(nl, -1, &err) || !nft_end(&b, &err) || !nl_send(nl, &b.batch, NULL, &err))
		fail_msg("%s", err.text);
}

static void has_comment(const struct nl *nl, const char *comment)
{
	struct nft_table_found found;

	assert_true(nft_find_table(nl, false, RULES_TABLE, &found, NULL, &err));
	assert_string_equal(found.comment, comment);
}

static void is_left(const struct nl *nl, const struct maker *maker)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "table ip pod-dns: made by %s: left as it is",
		       maker->left);
	assert_int_equal(err.code, ERR_STEER);
	assert_string_equal(err.text, text);
	err_clear(&err);
	has_comment(nl, maker->comment);
}

static void is_ours_now(const struct nl *nl, const struct maker *maker)
{
	struct nft_table_found found;

	assert_int_equal(err.code, 0);
	assert_true(nft_find_table(nl, false, RULES_TABLE, &found, NULL, &err));
	assert_int_equal(strncmp(found.comment, "pod-dns 1 ", strlen("pod-dns 1 ")), 0);
	assert_string_not_equal(found.comment, maker->comment);
}

typedef bool installer(const struct table *tables, size_t n, struct err *e);

static void install(const struct maker *maker, installer *how)
{
	struct steering s = steering();
	auto_nl nl = NL_CLOSED;
	const struct table t = { .nl = &nl, .s = &s };

	begin(&nl, maker->comment);
	assert_int_equal(how(&t, 1, &err), !maker->left);
	assert_true(maker->left || (s.features[0].dup && s.features[0].socket));
	if (maker->left)
		is_left(&nl, maker);
	else
		is_ours_now(&nl, maker);
}

static void installs(void **state)
{
	install(*state, table_install);
}

static void installs_as_if_new(void **state)
{
	install(*state, table_install_new);
}

static void checks(void **state)
{
	const struct maker *maker = *state;
	struct steering s = steering();
	auto_arena arena = { 0 };
	struct warnings w = { .arena = &arena };
	auto_nl nl = NL_CLOSED;
	const struct table t = { .nl = &nl, .s = &s };

	begin(&nl, maker->comment);
	assert_true(table_check(&t, &w, &err));
	assert_int_equal(w.n, 1); /* what was found and repaired, or is left */
	assert_string_equal(w.at[0].kind, maker->left ? "steer" : "restored");
	if (maker->left)
		assert_non_null(strstr(w.at[0].text, maker->left));
	if (maker->left)
		has_comment(&nl, maker->comment);
	else
		is_ours_now(&nl, maker);
}

static void removes(void **state)
{
	const struct maker *maker = *state;
	struct nft_table_found found;
	auto_nl nl = NL_CLOSED;

	begin(&nl, maker->comment);
	assert_true(table_remove(&nl, false, &err));
	assert_int_equal(nft_find_table(&nl, false, RULES_TABLE, &found, NULL, &err),
			 maker->left != NULL);
}

/*** two families ***/

static struct steering dual_stack(void)
{
	struct steering s = steering();

	s.mode = STEER_NODE;
	s.n = 2;
	assert_true(addr_parse(&s.at[1].cluster, "fd00:96::10"));
	assert_true(addr_parse(&s.at[1].cache, "fd00:20::10"));
	s.at[1].fallback = s.at[1].cluster;
	return s;
}

static size_t some_room(void *context UNUSED)
{
	return 4096;
}

/* What is refused: a rule with an expression (ENOENT, since another of it is wrong), or without one
 * an element that is put twice (EEXIST). */
struct refusal {
	void (*put)(struct nft *b);
	int times;
};

static void put_refused(struct nft *b, void *context)
{
	struct refusal *refusal = context;
	struct addr a;

	assert_true(addr_parse(&a, "fd00::5"));
	if (refusal->times-- <= 0)
		return;
	if (refusal->put) {
		nft_rule (b, "pre", "a refused rule") {
			nft_lookup(b, NFT_REG_1, "no such set");
			refusal->put(b);
		}
		return;
	}
	rules_pod_element(b, &a, "one");
	rules_pod_element(b, &a, "another");
}

static bool install_both(struct steering *s, const struct nl *nl, struct refusal *refusal)
{
	const struct table_more more = { some_room, put_refused, refusal };
	const struct table both[] = { { .nl = nl, .s = s },
				      { .nl = nl, .s = s, .v6 = true, .more = &more } };

	return table_install(both, LEN(both), &err);
}

/* Half a pod is never steered. */
static void is_one_transaction(void **state UNUSED)
{
	struct refusal refusal = { NULL, 1 };
	struct steering s = dual_stack();
	struct nft_table_found found;
	auto_nl nl = NL_CLOSED;

	begin(&nl, "pod-dns 0 0: older");
	assert_false(install_both(&s, &nl, &refusal));
	assert_int_equal(err.code, ERR_STEER);
	err_clear(&err);
	assert_true(nft_find_table(&nl, false, RULES_TABLE, &found, NULL, &err));
	assert_string_equal(found.comment, "pod-dns 0 0: older");
	assert_true(install_both(&s, &nl, &refusal));
	assert_true(nft_find_table(&nl, false, RULES_TABLE, &found, NULL, &err));
	assert_string_not_equal(found.comment, "pod-dns 0 0: older");
	assert_true(nft_find_table(&nl, true, RULES_TABLE, &found, NULL, &err));
}

/* One family's table is there against expectation, the other's not. */
static void installs_what_is_missing(void **state UNUSED)
{
	struct steering s = dual_stack();
	struct nft_table_found found;
	auto_nl nl = NL_CLOSED;
	const struct table both[] = { { .nl = &nl, .s = &s }, { .nl = &nl, .s = &s, .v6 = true } };

	begin(&nl, "pod-dns 0 0: older");
	for (int i = 0; i < 2; i++) { /* the second finds both */
		assert_true(table_install_new(both, LEN(both), &err));
		assert_true(nft_find_table(&nl, false, RULES_TABLE, &found, NULL, &err));
		assert_string_not_equal(found.comment, "pod-dns 0 0: older");
		assert_true(nft_find_table(&nl, true, RULES_TABLE, &found, NULL, &err));
	}
	assert_int_equal(err.code, 0);
}

static void put_dup(struct nft *b)
{
	nft_dup(b, NFT_REG_1);
}

static void put_socket(struct nft *b)
{
	nft_socket_load(b, NFT_SOCKET_WILDCARD, NFT_REG_1);
}

/* What the kernel has not for one family is not missed in the other, and nothing else is. */
static void goes_without(void (*put)(struct nft *b), struct features want)
{
	struct refusal refusal = { put, 1 };
	struct steering s = dual_stack();
	auto_nl nl = NL_CLOSED;

	begin(&nl, "pod-dns 0 0: older");
	assert_true(install_both(&s, &nl, &refusal));
	assert_true(s.features[0].dup && s.features[0].socket);
	assert_int_equal(s.features[1].dup, want.dup);
	assert_int_equal(s.features[1].socket, want.socket);
}

static void goes_without_dup(void **state UNUSED)
{
	goes_without(put_dup, (struct features){ .socket = true });
}

static void goes_without_socket(void **state UNUSED)
{
	goes_without(put_socket, (struct features){ .dup = true });
}

static void put_accept(struct nft *b)
{
	nft_verdict(b, NF_ACCEPT);
}

/* A rule without which there is no steering. */
static void goes_not_without(void **state UNUSED)
{
	struct refusal refusal = { put_accept, 9 };
	struct steering s = dual_stack();
	auto_nl nl = NL_CLOSED;

	begin(&nl, "pod-dns 0 0: older");
	assert_false(install_both(&s, &nl, &refusal));
	assert_int_equal(refusal.times, 8);
	assert_non_null(strstr(err.text, "a refused rule"));
	err_clear(&err);
}

/* Again, and nothing is done: each family's comment is that of its own rules alone. */
static void knows_each_again(void **state UNUSED)
{
	struct refusal refusal = { NULL, 0 }, never = { NULL, 1 };
	struct steering s = dual_stack(), alone = dual_stack();
	auto_nl nl = NL_CLOSED;
	const struct table v6 = { .nl = &nl, .s = &alone, .v6 = true };

	begin(&nl, "pod-dns 0 0: older");
	assert_true(install_both(&s, &nl, &refusal));
	s = dual_stack();
	s.features[0] = s.features[1] = FEATURES_ALL;
	assert_true(install_both(&s, &nl, &never));
	assert_int_equal(never.times, 1);
	alone.features[1] = FEATURES_ALL;
	assert_true(table_install(&v6, 1, &err));
}

static void needs_root(void **state UNUSED)
{
	skip();
}

int main(void)
{
	static const struct CMUnitTest both[] = {
		cmocka_unit_test(is_one_transaction),  cmocka_unit_test(goes_without_dup),
		cmocka_unit_test(goes_without_socket), cmocka_unit_test(goes_not_without),
		cmocka_unit_test(knows_each_again),    cmocka_unit_test(installs_what_is_missing)
	};
	static const struct CMUnitTest skipped[] = { cmocka_unit_test(needs_root) };

	if (geteuid() != 0)
		return RUN_TESTS("table", skipped);
	return RUN_ROWS("table: ADD", makers, installs) +
	       RUN_ROWS("table: ADD of a new pod", makers, installs_as_if_new) +
	       RUN_ROWS("table: CHECK", makers, checks) + RUN_ROWS("table: DEL", makers, removes) +
	       RUN_TESTS("tables", both);
}
