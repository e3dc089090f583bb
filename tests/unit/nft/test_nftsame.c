/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel shows against what was sent: messages as both would write them, without a kernel.
 */
#include "nft/expr.h"
#include "nft/nftsame.h"
#include "rows.h"

#include <libmnl/libmnl.h>
#include <string.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>

static char our_memory[4096], their_memory[4096];

struct pair {
	struct nft ours, theirs;
};

static void begin(struct pair *p)
{
	nft_begin(&p->ours, our_memory, sizeof(our_memory), false, "t");
	nft_begin(&p->theirs, their_memory, sizeof(their_memory), false, "t");
}

/* The first message of a batch, behind its beginning. */
static const struct nlmsghdr *message(const struct nft *b)
{
	const struct nl_messages all = { .at = b->at, .len = b->len };
	const struct nlmsghdr *m = nl_next(&all, nl_next(&all, NULL));

	assert_false(b->failed);
	assert_non_null(m);
	return m;
}

static bool same(const struct pair *p)
{
	return nft_same(message(&p->theirs), message(&p->ours));
}

/* Timeouts: ours in ms, and as a clock of some HZ tells it. */
static const struct timeout {
	const char *name;
	uint64_t ours, theirs;
	bool same;
} timeouts[] = {
	{ "a whole tick at any HZ", 200, 200, true },
	{ "250 ms at HZ=250", 250, 248, true },
	{ "259 ms at HZ=100", 259, 250, true },
	{ "one tick of HZ=100 less", 250, 240, false },
	{ "one tick of HZ=100 more", 250, 260, false },
	{ "three more", 250, 280, false },
	{ "four more", 250, 290, false },
	{ "a tick of HZ=100 at HZ=250", 10, 8, true },
	{ "less than a tick, which is none", 1, 0, false },
	{ "a tick that is none", 10, 0, false },
	{ "a day", 86400000, 86400000, true },
	{ "above 32 bits", 250, 250 + (UINT64_C(1) << 32), false },
};

static void put_set(struct nft *b, uint64_t timeout)
{
	nft_set(b, &(struct nft_set){ "s", "of a test", NFT_TYPE_IPV4, 4, timeout, 1000 });
}

static void put_update(struct nft *b, uint64_t timeout)
{
	nft_rule (b, "c", "remember it")
		nft_dynset_update(b, NFT_REG_1, "s", timeout);
}

/* The kernel shows a time of 0 as one; we would put none. */
static void show_zero(struct nft *b)
{
	static const uint8_t placeholder[sizeof(uint64_t)] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint8_t *at = memmem(b->at, b->len, placeholder, sizeof(placeholder));

	assert_non_null(at);
	memset(at, 0, sizeof(placeholder));
}

static void show(struct nft *b, uint64_t timeout, void (*put)(struct nft *, uint64_t))
{
	put(b, timeout ? timeout : UINT64_C(0x0102030405060708));
	if (!timeout)
		show_zero(b);
}

static void compares_timeouts(void **state)
{
	const struct timeout *t = *state;
	struct pair p;

	begin(&p);
	put_set(&p.ours, t->ours);
	show(&p.theirs, t->theirs, put_set);
	assert_int_equal(same(&p), t->same);
	begin(&p);
	put_update(&p.ours, t->ours);
	show(&p.theirs, t->theirs, put_update);
	assert_int_equal(same(&p), t->same);
}

/* Eight bytes are a time only where they are one. */
static void a_rate_is_no_time(void **state UNUSED)
{
	struct pair p;

	begin(&p);
	nft_rule (&p.ours, "c", NULL)
		nft_limit(&p.ours, (struct nft_rate){ 4, 1, 1 });
	nft_rule (&p.theirs, "c", NULL)
		nft_limit(&p.theirs, (struct nft_rate){ 5, 1, 1 });
	assert_false(same(&p));
}

static void sets(void **state UNUSED)
{
	struct pair p;

	begin(&p);
	p.ours.sets = 7; /* its number in the transaction */
	put_set(&p.ours, 0);
	put_set(&p.theirs, 0);
	assert_true(same(&p));
	nft_put_u64(&p.theirs, NFTA_SET_HANDLE, 3); /* what we did not say */
	assert_true(same(&p));
	nft_put_u32(&p.theirs, NFTA_SET_KEY_LEN, 4); /* what is said once is there once */
	assert_false(same(&p));
}

static void other_sets(void **state UNUSED)
{
	static const struct nft_set others[] = {
		{ .name = "r", .comment = "of a test", .key_type = NFT_TYPE_IPV4, .key_len = 4 },
		{ .name = "s", .comment = "of a pest", .key_type = NFT_TYPE_IPV4, .key_len = 4 },
		{ .name = "s", .comment = "of a test", .key_type = NFT_TYPE_MARK, .key_len = 4 },
		{ .name = "s", .comment = "of a test", .key_type = NFT_TYPE_IPV4, .key_len = 5 },
		{ .name = "s", .comment = NULL, .key_type = NFT_TYPE_IPV4, .key_len = 4 },
	};
	struct pair p;

	for (size_t i = 0; i < LEN(others); i++) {
		begin(&p);
		put_set(&p.ours, 0);
		nft_set(&p.theirs, &others[i]);
		assert_false(same(&p));
	}
}

/* A rule is one letter an expression. */
static void put_rule(struct nft *b, const char *letters)
{
	nft_rule (b, "c", "a rule")
		for (; *letters; letters++) {
			if (*letters == 'm')
				nft_meta_load(b, NFT_META_L4PROTO, NFT_REG_1);
			else if (*letters == 'n')
				nft_meta_load(b, NFT_META_L4PROTO, NFT_REG_2);
			else if (*letters == 'c')
				nft_counter(b);
			else
				nft_verdict(b, NF_DROP);
		}
}

static const struct rules {
	const char *name, *ours, *theirs;
	bool same;
} rules[] = {
	{ "the same", "mcd", "mcd", true },
	{ "the same twice", "mmc", "mmc", true },
	{ "another at the end", "mcd", "mcdd", false },
	{ "another in front", "mcd", "dmcd", false },
	{ "one less", "mcd", "mc", false },
	{ "none", "mcd", "", false },
	{ "another order", "mcd", "cmd", false },
	{ "other operands", "mcd", "ncd", false },
	{ "the second differs", "mmc", "mnc", false },
	{ "the first differs", "mmc", "nmc", false },
};

static void compares_rules(void **state)
{
	const struct rules *r = *state;
	struct pair p;

	begin(&p);
	put_rule(&p.ours, r->ours);
	put_rule(&p.theirs, r->theirs);
	assert_int_equal(same(&p), r->same);
}

static void other_chains(void **state UNUSED)
{
	struct pair p;

	begin(&p);
	nft_base_chain(&p.ours, "c", "filter", NF_INET_LOCAL_IN, 0);
	nft_base_chain(&p.theirs, "c", "filter", NF_INET_LOCAL_IN, -1);
	assert_false(same(&p));
	begin(&p);
	nft_base_chain(&p.ours, "c", "filter", NF_INET_LOCAL_IN, 0);
	nft_chain(&p.theirs, "c");
	assert_false(same(&p));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_rate_is_no_time),
	cmocka_unit_test(sets),
	cmocka_unit_test(other_sets),
	cmocka_unit_test(other_chains),
};

int main(void)
{
	return RUN_ROWS("nftsame: times", timeouts, compares_timeouts) +
	       RUN_ROWS("nftsame: rules", rules, compares_rules) + RUN_TESTS("nftsame", tests);
}
