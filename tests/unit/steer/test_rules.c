/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule sets in a real kernel: each installed in a network namespace of its own, which ends with
 * the test. What the kernel then shows must be the text in tests/rules/.
 *
 * Those texts are snapshots: RULES_WRITE=1 writes down what the kernel shows, right or wrong, and
 * what changed is read line by line before it is committed. So they show that nothing else
 * changed. That the rules do what they should is for integration/6*-steer-* to show.
 */
#include "rows.h"
#include "steer/rules/rules.h"
#include "nft/expr.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <linux/netfilter.h>

enum { V4 = false, V6 = true };
enum { TEXT = 256 * 1024 };

static char memory[STEERING_PAIRS * RULES_PAIR_MEMORY], more_memory[sizeof(memory)];
static struct err err;
static char difference[NFT_DIFFERENCE];

/* Timers that are whole ticks at any HZ. */
static struct steering steering_of(enum steer mode)
{
	return (struct steering){ .mode = mode,
				  .fail_open = true,
				  .features = { FEATURES_ALL, FEATURES_ALL },
				  .alive = 200,
				  .grace = 300,
				  .down = 86400000,
				  .probes = 4 };
}

static void add_pair(struct steering *s, const char *cluster, const char *cache,
		     const char *fallback)
{
	struct steer_pair *pair = &s->at[s->n++];

	assert_true(addr_parse(&pair->cluster, cluster));
	assert_true(addr_parse(&pair->cache, cache));
	assert_true(addr_parse(&pair->fallback, fallback));
}

/* Pairs of both families: the table takes its own. */
static void add_pairs(struct steering *s, bool fallback, bool two)
{
	add_pair(s, "10.96.0.10", "169.254.20.10", fallback ? "10.96.0.11" : "10.96.0.10");
	add_pair(s, "fd00:96::10", "fd00:20::10", fallback ? "fd00:96::11" : "fd00:96::10");
	if (!two)
		return;
	add_pair(s, "10.96.0.20", "169.254.20.20", fallback ? "10.96.0.21" : "10.96.0.20");
	add_pair(s, "fd00:96::20", "fd00:20::20", fallback ? "fd00:96::21" : "fd00:96::20");
}

static void build(struct nft *b, const struct steering *s, bool v6, const char *comment)
{
	nft_begin(b, memory, sizeof(memory), v6, RULES_TABLE);
	rules_table(b, s, comment);
	assert_true(nft_end(b, &err));
}

static void send_ok(const struct nl *nl, const struct nft *b)
{
	int refused = -1;

	if (!nl_send(nl, &b->batch, &refused, &err))
		fail_msg("%s", err.text);
	assert_int_equal(refused, 0);
}

static void compare(const struct nl *nl, const struct nft *b)
{
	struct nft_table_found found = { .n = 0 };
	int refused = 0;

	if (!nft_find_table(nl, b->v6, RULES_TABLE, &found, &refused, &err) && refused != ENOENT)
		fail_msg("%s", err.text);
	err_clear(&err);
	if (!nft_is_whole(nl, b, found.n, difference, &err))
		fail_msg("%s", err.text);
}

static void assert_same(const struct nl *nl, const struct nft *b)
{
	compare(nl, b);
	assert_string_equal(difference, "");
}

/* A namespace of the test's own, and a socket in it. */
static void enter(struct nl *nl)
{
	err_clear(&err);
	assert_int_equal(unshare(CLONE_NEWNET), 0);
	if (!nl_open_in(nl, -1, &err))
		fail_msg("%s", err.text);
}

static void install(struct nl *nl, struct nft *b, const struct steering *s, bool v6)
{
	enter(nl);
	build(b, s, v6, "made by a test");
	send_ok(nl, b);
}

/* Golden texts. */

static const struct golden {
	const char *name;
	int mode;
	bool v6, tcp, fallback, always, no_dup, no_socket, two, servfail, postrouting, named;
} goldens[] = {
	{ "pod-v4", .mode = STEER_POD },
	{ "pod-v6", .mode = STEER_POD, .v6 = true },
	{ "pod-v4-tcp-fallback", .mode = STEER_POD, .tcp = true, .fallback = true },
	{ "pod-v6-tcp-fallback", .mode = STEER_POD, .v6 = true, .tcp = true, .fallback = true },
	{ "pod-v4-always", .mode = STEER_POD, .tcp = true, .always = true },
	{ "pod-v6-always", .mode = STEER_POD, .v6 = true, .tcp = true, .always = true },
	{ "pod-v4-no-dup", .mode = STEER_POD, .no_dup = true },
	{ "pod-v4-servfail", .mode = STEER_POD, .servfail = true },
	{ "pod-v6-postrouting", .mode = STEER_POD, .v6 = true, .postrouting = true },
	{ "pod-v4-two-pairs", .mode = STEER_POD, .two = true },
	{ "pod-v6-two-pairs", .mode = STEER_POD, .v6 = true, .two = true },
	{ "node-v4", .mode = STEER_NODE },
	{ "node-v6", .mode = STEER_NODE, .v6 = true },
	{ "node-v4-tcp-fallback", .mode = STEER_NODE, .tcp = true, .fallback = true },
	{ "node-v6-tcp-fallback", .mode = STEER_NODE, .v6 = true, .tcp = true, .fallback = true },
	{ "node-v4-always", .mode = STEER_NODE, .tcp = true, .always = true },
	{ "node-v4-no-dup", .mode = STEER_NODE, .no_dup = true },
	{ "node-v4-no-socket", .mode = STEER_NODE, .tcp = true, .no_socket = true },
	{ "node-v6-no-socket", .mode = STEER_NODE, .v6 = true, .tcp = true, .no_socket = true },
	{ "node-v6-servfail", .mode = STEER_NODE, .v6 = true, .servfail = true },
	{ "node-v4-two-pairs", .mode = STEER_NODE, .two = true },
	{ "pod-v4-named", .mode = STEER_POD, .fallback = true, .named = true },
	{ "pod-v6-named-tcp", .mode = STEER_POD, .v6 = true, .tcp = true, .fallback = true,
	  .named = true },
	{ "node-v4-named-tcp", .mode = STEER_NODE, .tcp = true, .fallback = true, .named = true },
	{ "node-v6-named", .mode = STEER_NODE, .v6 = true, .fallback = true, .named = true },
	{ "dnat-v4", .mode = STEER_DNAT },
	{ "dnat-v6-tcp-two-pairs", .mode = STEER_DNAT, .v6 = true, .tcp = true, .two = true },
};

static struct steering steering_for(const struct golden *g)
{
	struct steering s = steering_of((enum steer)g->mode);

	s.tcp = g->tcp;
	s.fail_open = !g->always;
	s.servfail_falls_back = g->servfail && s.fail_open;
	s.postrouting[0] = s.postrouting[1] = g->postrouting;
	s.features[0] = s.features[1] = (struct features){ !g->no_dup, !g->no_socket };
	add_pairs(&s, g->fallback, g->two);
	for (size_t i = 0; g->named && i < s.n; i++)
		s.at[i].cluster = s.at[i].cache;
	return s;
}

static size_t read_all(FILE *from, char *out)
{
	size_t len = fread(out, 1, TEXT - 1, from);

	assert_true(len < TEXT - 1);
	out[len] = '\0';
	return len;
}

/*
 * What the kernel shows, without what differs from run to run: handles, elements (in the order of a
 * random hash; rules_table's first state is looked at elsewhere), and how long one tick is.
 */
static void shown(char *out)
{
	FILE *pipe = popen("nft --debug=netlink list ruleset | sed -E"
			   " -e 's/^(ip6? pod-dns [^@ ]+)( [0-9]+)+ *$/\\1/'"
			   " -e '/^\\telement /d'"
			   " -e '/^\\t\\telements = /,/}$/d'"
			   " -e 's/timeout [1-9][0-9]?ms/timeout TICK/'",
			   "r");

	out[0] = '\0';
	assert_non_null(pipe);
	if (pipe)
		(void)read_all(pipe, out);
	assert_int_equal(pclose(pipe), 0);
}

static void equals_golden(const char *name, const char *text)
{
	static char want[TEXT];
	char path[128];
	FILE *file;

	(void)snprintf(path, sizeof(path), "tests/data/rules/%s.txt", name);
	if (getenv("RULES_WRITE")) {
		file = fopen(path, "we");
		assert_non_null(file);
		assert_true(fputs(text, file) >= 0);
		assert_int_equal(fclose(file), 0);
		return;
	}
	file = fopen(path, "re");
	if (!file) {
		fail_msg("%s: %s", path, strerror(errno));
		return;
	}
	(void)read_all(file, want);
	(void)fclose(file);
	assert_string_equal(text, want);
}

static void shows_golden(void **state)
{
	const struct golden *g = *state;
	struct steering s = steering_for(g);
	static char text[TEXT];
	auto_nl nl = NL_CLOSED;
	struct nft b;

	install(&nl, &b, &s, g->v6);
	shown(text);
	equals_golden(g->name, text);
	assert_same(&nl, &b);
}

/* Every combination. */

static void one_of_all(unsigned bits, enum steer mode)
{
	struct golden g = { .mode = mode,
			    .v6 = bits & 1,
			    .tcp = bits & 2,
			    .fallback = bits & 4,
			    .always = bits & 8,
			    .no_dup = bits & 16,
			    .no_socket = bits & 32,
			    .two = bits & 64,
			    .servfail = bits & 4,
			    .postrouting = bits & 32 };
	struct steering s = steering_for(&g);
	auto_nl nl = NL_CLOSED;
	struct nft b;

	install(&nl, &b, &s, g.v6);
	assert_same(&nl, &b);
}

static void all_install(void **state UNUSED)
{
	for (unsigned bits = 0; bits < 128; bits++)
		for (enum steer mode = STEER_POD; mode <= STEER_DNAT; mode++)
			one_of_all(bits, mode);
}

static void as_many_pairs_as_there_may_be(void **state UNUSED)
{
	struct steering s = steering_of(STEER_NODE);
	auto_nl nl = NL_CLOSED;
	char text[3][64];
	struct nft b;

	s.tcp = s.servfail_falls_back = true;
	for (unsigned i = 0; i < STEERING_PAIRS; i++) {
		(void)snprintf(text[0], sizeof(text[0]), "fd00:96::%u", i + 1);
		(void)snprintf(text[1], sizeof(text[1]), "fd00:20::%u", i + 1);
		(void)snprintf(text[2], sizeof(text[2]), "fd00:97::%u", i + 1);
		add_pair(&s, text[0], text[1], text[2]);
		build(&b, &s, V6, NULL);
		assert_true(b.len < s.n * RULES_PAIR_MEMORY);
	}
	install(&nl, &b, &s, V6);
	assert_same(&nl, &b);
}

static void begins_down(void **state UNUSED)
{
	static const uint8_t key[] = { 0, 53 };
	struct steering s = steering_of(STEER_POD);
	struct nft_element_found found;
	auto_nl nl = NL_CLOSED;
	struct nft b;

	add_pairs(&s, false, false);
	install(&nl, &b, &s, V4);
	assert_true(nft_find_element(&nl, V4, RULES_TABLE, "down-1", key, sizeof key, &found, NULL,
				     &err));
	assert_int_equal(found.len, sizeof key);
	assert_memory_equal(found.key, key, sizeof key);
}

/* Refusals. */

static void twice_is_refused(void **state UNUSED)
{
	struct steering s = steering_of(STEER_POD);
	auto_nl nl = NL_CLOSED;
	int refused = 0;
	struct nft b;

	add_pairs(&s, false, false);
	install(&nl, &b, &s, V4);
	assert_false(nl_send(&nl, &b.batch, &refused, &err));
	assert_int_equal(refused, EEXIST);
	assert_int_equal(err.code, ERR_STEER);
	assert_string_equal(err.text, "table \"pod-dns\": File exists");
	err_clear(&err);
	assert_same(&nl, &b);
}

static void replaced_in_one_transaction(void **state UNUSED)
{
	struct steering s = steering_of(STEER_POD);
	auto_nl nl = NL_CLOSED;
	struct nft b;

	add_pairs(&s, false, false);
	install(&nl, &b, &s, V4);
	s.alive = 400;
	nft_begin(&b, memory, sizeof(memory), V4, RULES_TABLE);
	nft_delete_table(&b);
	rules_table(&b, &s, "another");
	assert_true(nft_end(&b, &err));
	send_ok(&nl, &b);
	assert_same(&nl, &b);
}

static void refused_by_name(const char *phrase, void (*put)(struct nft *), const char *text)
{
	auto_nl nl = NL_CLOSED;
	int refused = 0;
	struct nft b;

	enter(&nl);
	nft_begin(&b, memory, sizeof(memory), V4, RULES_TABLE);
	nft_table(&b, NULL);
	nft_chain(&b, "here");
	nft_rule (&b, "here", "well made") {
		nft_verdict(&b, NF_ACCEPT);
	}
	nft_rule (&b, "here", phrase) {
		put(&b);
	}
	nft_rule (&b, "here", "well made too") {
		nft_verdict(&b, NF_ACCEPT);
	}
	assert_true(nft_end(&b, &err));
	assert_false(nl_send(&nl, &b.batch, &refused, &err));
	assert_int_equal(refused, ENOENT);
	assert_string_equal(err.text, text);
}

static void to_nowhere(struct nft *b)
{
	nft_goto(b, "nowhere");
}

static void to_no_set_and_a_copy(struct nft *b)
{
	nft_lookup(b, NFT_REG_1, "none");
	nft_dup(b, NFT_REG_1);
}

static void names_the_refused_rule(void **state UNUSED)
{
	refused_by_name("go nowhere", to_nowhere, "rule \"go nowhere\": No such file or directory");
	refused_by_name("probe the cache", to_no_set_and_a_copy,
			"rule \"probe the cache\": No such file or directory (nft_dup missing?)");
}

static void names_the_transaction(void **state UNUSED)
{
	struct steering s = steering_of(STEER_POD);
	auto_nl nl = NL_CLOSED;
	int refused = 0;
	struct nft b;
	bool sent;

	add_pairs(&s, false, false);
	enter(&nl);
	build(&b, &s, V4, NULL);
	assert_int_equal(seteuid(65534), 0);
	sent = nl_send(&nl, &b.batch, &refused, &err);
	assert_int_equal(seteuid(0), 0);
	assert_false(sent);
	assert_int_equal(refused, EPERM);
	assert_string_equal(err.text, "the transaction: Operation not permitted");
}

static bool fits(const struct steering *s, char *at, size_t room)
{
	struct nft b;

	err_clear(&err);
	nft_begin(&b, at, room, V4, RULES_TABLE);
	rules_table(&b, s, "a comment");
	return nft_end(&b, &err);
}

/* Whatever the memory: all of it fits or none, and what fits is the table and not a byte more. */
static void says_when_memory_ends(void **state UNUSED)
{
	struct steering s = steering_of(STEER_POD);
	size_t enough;
	char *exact;
	struct nft b;

	add_pairs(&s, false, false);
	build(&b, &s, V4, "a comment");
	enough = b.len;
	for (size_t room = 0; room < enough + 4; room++) {
		exact = malloc(room + !room); /* so that a sanitizer sees a byte too far */
		assert_non_null(exact);
		assert_int_equal(fits(&s, exact, room), room >= enough);
		assert_int_equal(err.code, room < enough ? ERR_STEER : 0);
		free(exact);
	}
	err_clear(&err);
}

/* Without the batch's end, whose room would do for an attribute too. */
static void fills_memory(void **state UNUSED)
{
	_Alignas(8) char little[256];
	size_t enough;
	struct nft b;

	nft_begin(&b, memory, sizeof(memory), V4, RULES_TABLE);
	nft_chain(&b, "one");
	enough = b.len;
	assert_true(enough < sizeof(little));
	for (size_t room = 0; room < sizeof(little); room++) {
		nft_begin(&b, little, room, V4, RULES_TABLE);
		nft_chain(&b, "one");
		assert_int_equal(b.failed, room < enough);
	}
}

/* Namespaces. */

static void acts_where_it_was_opened(void **state UNUSED)
{
	struct steering s = steering_of(STEER_POD);
	auto_nl here = NL_CLOSED, there = NL_CLOSED;
	struct nft_table_found found;
	struct stat before, after;
	auto_fd other = -1;
	int refused = 0;
	struct nft b;

	add_pairs(&s, false, false);
	enter(&here);
	other = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	assert_true(other >= 0);
	nl_close(&here);
	enter(&here);
	assert_int_equal(stat("/proc/self/ns/net", &before), 0);
	assert_true(nl_open_in(&there, other, &err));
	assert_int_equal(stat("/proc/self/ns/net", &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	build(&b, &s, V4, "over there");
	send_ok(&there, &b);
	assert_true(nft_find_table(&there, V4, RULES_TABLE, &found, NULL, &err));
	assert_string_equal(found.comment, "over there");
	assert_false(nft_find_table(&here, V4, RULES_TABLE, &found, &refused, &err));
	assert_int_equal(refused, ENOENT);
	assert_string_equal(err.text, "table \"pod-dns\": No such file or directory");
}

static void no_namespace(void **state UNUSED)
{
	auto_fd null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	auto_nl nl = NL_CLOSED;

	err_clear(&err);
	assert_false(nl_open_in(&nl, null, &err));
	assert_int_equal(err.code, ERR_NETNS);
	assert_null(nl.socket);
}

/* Differences. */

/* A rule, for the nft command. */
#define RULE(chain, phrase)                                                      \
	"rule ip pod-dns " chain " handle $(nft -a list chain ip pod-dns " chain \
	" | sed -n 's/.*comment \"" phrase "\" # handle //p')"

static const struct change {
	const char *name, *command, *want;
} changes[] = {
	{ "a deleted rule",
	  "nft delete " RULE("query-1", "probe the cache with a copy of the query"),
	  "chain \"query-1\" was changed" },
	{ "the last rule of a chain deleted",
	  "nft delete " RULE("decide-2", "idle: ask the cache, and wait for it"),
	  "chain \"decide-2\" was changed" },
	{ "a rule added", "nft add rule ip pod-dns out accept", "chain \"out\" was changed" },
	{ "a rule inserted", "nft insert rule ip pod-dns pre udp dport 53 drop",
	  "chain \"pre\" was changed" },
	{ "a chain flushed", "nft flush chain ip pod-dns pre", "chain \"pre\" was changed" },
	{ "a jump to our chain from a chain of others",
	  "nft 'add chain ip pod-dns x; add rule ip pod-dns x jump query-1'",
	  "table \"pod-dns\" has 32 chains, sets and counters, not 31" },
	{ "a chain filled with rules",
	  "(for i in $(seq 5000); do echo add rule ip pod-dns out accept; done) | nft -f -",
	  "chain \"out\" was changed" },
	{ "many sets added",
	  "(for i in $(seq 1000); do echo \"add set ip pod-dns x$i { type mark; }\"; done) | nft "
	  "-f -",
	  "table \"pod-dns\" has 1031 chains, sets and counters, not 31" },
	{ "another table's chains and sets",
	  "nft 'add table ip other; add chain ip other x; add set ip other y { type mark; }'", "" },
	{ "a changed policy",
	  "nft 'add chain ip pod-dns pre { type filter hook prerouting priority -300; policy drop; "
	  "}'",
	  "chain \"pre\" was changed" },
	{ "an element more", "nft add element ip pod-dns alive-1 '{ 54 }'", "" },
	{ "the table gone", "nft delete table ip pod-dns",
	  "table \"pod-dns\" has 0 chains, sets and counters, not 31" },
};

static void finds_change(void **state)
{
	const struct change *change = *state;
	struct steering s = steering_of(STEER_POD);
	auto_nl nl = NL_CLOSED;
	struct nft b;

	add_pairs(&s, false, true);
	install(&nl, &b, &s, V4);
	assert_int_equal(system(change->command), 0);
	compare(&nl, &b);
	assert_string_equal(difference, change->want);
}

static void hashes_the_rules(void **state UNUSED)
{
	struct steering s = steering_of(STEER_NODE);
	struct addr pod;
	uint64_t hash;
	struct nft b;

	err_clear(&err);
	add_pairs(&s, false, false);
	build(&b, &s, V4, "one comment");
	hash = nft_hash(&b);
	nft_begin(&b, more_memory, sizeof(more_memory), V4, RULES_TABLE);
	nft_delete_table(&b);
	rules_table(&b, &s, "another comment");
	assert_true(addr_parse(&pod, "10.244.0.2"));
	rules_pod_element(&b, &pod, "a pod");
	assert_true(nft_hash(&b) == hash);
	build(&b, &s, V6, "one comment");
	assert_true(nft_hash(&b) != hash);
	s.probes++;
	build(&b, &s, V4, "one comment");
	assert_true(nft_hash(&b) != hash);
}

/* Pods. */

static void put_pod(struct nft *b, const struct addr *pod, const char *comment)
{
	nft_begin(b, more_memory, sizeof(more_memory), !addr_is_v4(pod), RULES_TABLE);
	rules_pod_element(b, pod, comment);
	assert_true(nft_end(b, &err));
}

static bool find_pod(const struct nl *nl, const struct addr *pod, struct nft_element_found *found,
		     int *refused)
{
	uint8_t key[NFT_KEY];
	size_t len = rules_pod_key(key, pod);

	return nft_find_element(nl, !addr_is_v4(pod), RULES_TABLE, RULES_PODS, key, len, found,
				refused, &err);
}

static bool count_pod(const struct nft_element_found *found, void *context)
{
	struct addr pod;

	assert_true(rules_pod_of_key(&pod, found));
	++*(unsigned *)context;
	return true;
}

static void keeps_pods(const char *text, bool v6)
{
	struct steering s = steering_of(STEER_NODE);
	struct nft_element_found found;
	struct nft_address gone;
	struct addr pod, other;
	auto_nl nl = NL_CLOSED;
	unsigned n = 0;
	int refused = 0;
	struct nft b;

	add_pairs(&s, false, false);
	install(&nl, &b, &s, v6);
	assert_true(addr_parse(&pod, text));
	put_pod(&b, &pod, "net/0123@eth0");
	send_ok(&nl, &b);
	assert_false(nl_send(&nl, &b.batch, &refused, &err));
	assert_int_equal(refused, EEXIST);
	err_clear(&err);
	assert_true(find_pod(&nl, &pod, &found, &refused));
	assert_string_equal(found.comment, "net/0123@eth0");
	assert_true(rules_pod_of_key(&other, &found));
	assert_true(addr_same(&pod, &other));
	assert_true(nft_each_element(&nl, v6, RULES_TABLE, RULES_PODS, count_pod, &n, NULL, &err));
	assert_int_equal(n, 1);
	gone = (struct nft_address){ .v6 = v6 };
	gone.len = rules_pod_key(gone.at, &pod);
	assert_true(nft_forget(&nl, RULES_TABLE, &gone, 1, &err));
	assert_false(find_pod(&nl, &pod, &found, &refused));
	assert_int_equal(refused, ENOENT);
}

static void keeps_pods_of_both(void **state UNUSED)
{
	keeps_pods("10.244.0.2", V4);
	keeps_pods("fd00:244::2", V6);
}

static void reads_many_pods(void **state UNUSED)
{
	struct steering s = steering_of(STEER_NODE);
	auto_nl nl = NL_CLOSED;
	unsigned n = 0;
	struct nft b;

	add_pairs(&s, false, false);
	install(&nl, &b, &s, V4);
	nft_begin(&b, more_memory, sizeof(more_memory), V4, RULES_TABLE);
	for (uint8_t i = 0; i < 250; i++) {
		struct addr pod = { .byte = { [10] = 0xff, 0xff, 10, 244, 0, i } };

		rules_pod_element(&b, &pod, "a-network-with-a-name/0123456789abcdef@eth0");
	}
	assert_true(nft_end(&b, &err));
	send_ok(&nl, &b);
	assert_true(nft_each_element(&nl, V4, RULES_TABLE, RULES_PODS, count_pod, &n, NULL, &err));
	assert_int_equal(n, 250);
}

static void may_be_switched_off(void **state UNUSED)
{
	struct steering s = steering_of(STEER_POD);
	struct nft_table_found found;
	auto_nl nl = NL_CLOSED;
	struct nft b;

	add_pairs(&s, false, false);
	install(&nl, &b, &s, V4);
	for (int off = 1; off >= 0; off--) {
		nft_begin(&b, more_memory, sizeof(more_memory), V4, RULES_TABLE);
		nft_table_dormant(&b, off);
		assert_true(nft_end(&b, &err));
		send_ok(&nl, &b);
		assert_true(nft_find_table(&nl, V4, RULES_TABLE, &found, NULL, &err));
		assert_int_equal(found.dormant, off);
		assert_string_equal(found.comment, "made by a test");
	}
}

static const struct CMUnitTest others[] = {
	cmocka_unit_test(all_install),
	cmocka_unit_test(as_many_pairs_as_there_may_be),
	cmocka_unit_test(begins_down),
	cmocka_unit_test(twice_is_refused),
	cmocka_unit_test(replaced_in_one_transaction),
	cmocka_unit_test(names_the_refused_rule),
	cmocka_unit_test(names_the_transaction),
	cmocka_unit_test(says_when_memory_ends),
	cmocka_unit_test(fills_memory),
	cmocka_unit_test(acts_where_it_was_opened),
	cmocka_unit_test(no_namespace),
	cmocka_unit_test(hashes_the_rules),
	cmocka_unit_test(keeps_pods_of_both),
	cmocka_unit_test(reads_many_pods),
	cmocka_unit_test(may_be_switched_off),
};

static void needs_root(void **state UNUSED)
{
	skip();
}

int main(void)
{
	static const struct CMUnitTest skipped[] = { cmocka_unit_test(needs_root) };

	if (geteuid() != 0)
		return RUN_TESTS("rules", skipped);
	return RUN_ROWS("rules: golden", goldens, shows_golden) +
	       RUN_ROWS("rules: compared", changes, finds_change) + RUN_TESTS("rules", others);
}
