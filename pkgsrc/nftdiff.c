/* nftdiff.c: what is installed against what was built. */
#include "nftdiff.h"
#include "attr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netfilter/nfnetlink.h>
#include <stdio.h>
#include <string.h>

enum {
	TICK = 10, /* ms: at HZ=100, the coarsest clock */
	DUMP_MAX = 16 * 1024 * 1024,
	NO_TIMEOUT = 0,
};

/* Messages one behind the other: a batch, or a dump. */
struct messages {
	char *at;
	size_t len, room;
	bool failed;
};

static void free_auto_messages(const struct messages *all)
{
	free(all->at);
}
#define auto_messages __attribute__((cleanup(free_auto_messages))) struct messages

static uint16_t type_of(const struct nlmsghdr *m)
{
	return m->nlmsg_type & 0xff;
}

/* Attributes. */

static uint64_t u64_of(const struct nlattr *attr)
{
	uint32_t wire[2];

	memcpy(wire, mnl_attr_get_payload(attr), sizeof(wire));
	return (uint64_t)ntohl(wire[0]) << 32 | ntohl(wire[1]);
}

/* The kernel counts in ticks, and stores one at least. */
static bool same_time(const struct nlattr *a, const struct nlattr *b)
{
	uint64_t x = u64_of(a), y = u64_of(b);

	return (x > y ? x - y : y - x) < TICK;
}

static bool same_bytes(const struct nlattr *a, const struct nlattr *b)
{
	uint16_t len = mnl_attr_get_payload_len(a);

	return len == mnl_attr_get_payload_len(b) &&
	       memcmp(mnl_attr_get_payload(a), mnl_attr_get_payload(b), len) == 0;
}

/* A run of attributes: a message's, or those in another. */
struct attrs {
	const struct nlattr *first;
	const void *end;
};

static struct attrs attrs_in(const struct nlattr *nest)
{
	return (struct attrs){ mnl_attr_get_payload(nest), attr_end(nest) };
}

static struct attrs attrs_of(const struct nlmsghdr *m)
{
	return (struct attrs){ mnl_nlmsg_get_payload_offset(m, sizeof(struct nfgenmsg)),
			       mnl_nlmsg_get_payload_tail(m) };
}

/* The n-th of a type, counted from 0. */
static const struct nlattr *nth(struct attrs in, uint16_t type, size_t n)
{
	const struct nlattr *attr;

	for (attr = in.first; attr_within(attr, in.end); attr = mnl_attr_next(attr))
		if (mnl_attr_get_type(attr) == type && !n--)
			return attr;
	return NULL;
}

static size_t count(struct attrs in, uint16_t type)
{
	size_t n = 0;

	while (nth(in, type, n))
		n++;
	return n;
}

/* How many of its type are before it. */
static size_t index_of(struct attrs in, const struct nlattr *attr)
{
	size_t n = 0;

	while (nth(in, mnl_attr_get_type(attr), n) != attr)
		n++;
	return n;
}

/* Which attribute in here, if any, is a time: only a rule's dynset has one. */
static uint16_t timeout_in(struct attrs expression)
{
	const struct nlattr *name = nth(expression, NFTA_EXPR_NAME, 0);

	return name && mnl_attr_get_payload_len(name) == sizeof("dynset") &&
			       memcmp(mnl_attr_get_payload(name), "dynset", sizeof("dynset")) == 0
		       ? NFTA_DYNSET_TIMEOUT
		       : NO_TIMEOUT;
}

static bool covers(struct attrs theirs, struct attrs ours, uint16_t timeout);

static bool same_attr(const struct nlattr *theirs, const struct nlattr *ours, struct attrs around,
		      uint16_t timeout)
{
	uint16_t type = mnl_attr_get_type(ours);

	if (ours->nla_type & NLA_F_NESTED)
		return covers(attrs_in(theirs), attrs_in(ours), timeout_in(around));
	if (timeout != NO_TIMEOUT && type == timeout &&
	    mnl_attr_get_payload_len(theirs) == sizeof(uint64_t))
		return same_time(theirs, ours);
	return same_bytes(theirs, ours);
}

/* Whether each of ours is there, and no more of the same types: the n-th for the n-th. */
static bool covers(struct attrs theirs, struct attrs ours, uint16_t timeout)
{
	const struct nlattr *attr, *other;

	for (attr = ours.first; attr_within(attr, ours.end); attr = mnl_attr_next(attr)) {
		uint16_t type = mnl_attr_get_type(attr);

		other = nth(theirs, type, index_of(ours, attr));
		if (!other || !same_attr(other, attr, ours, timeout) ||
		    count(theirs, type) != count(ours, type))
			return false;
	}
	return true;
}

/* Messages. */

static struct nlmsghdr *first(const struct messages *all)
{
	return (struct nlmsghdr *)(void *)all->at;
}

/* The next after `m` (NULL: the first), or NULL. */
static const struct nlmsghdr *next(const struct messages *all, const struct nlmsghdr *m)
{
	int left = (int)all->len;

	if (m) {
		left = (int)(all->at + all->len - (const char *)m);
		m = mnl_nlmsg_next(m, &left);
	} else {
		m = first(all);
	}
	return mnl_nlmsg_ok(m, left) ? m : NULL;
}

static const char *string(const struct nlmsghdr *m, uint16_t type)
{
	const struct nlattr *attr = attr_find(m, sizeof(struct nfgenmsg), type);

	return attr ? mnl_attr_get_str(attr) : "";
}

static const struct nlmsghdr *next_rule(const struct messages *all, const char *chain,
					const struct nlmsghdr *m)
{
	while ((m = next(all, m)))
		if (type_of(m) == NFT_MSG_NEWRULE && strcmp(string(m, NFTA_RULE_CHAIN), chain) == 0)
			break;
	return m;
}

static bool keep(const struct nlmsghdr *m, void *context)
{
	struct messages *all = context;
	size_t len = (m->nlmsg_len + 3U) & ~3U;
	char *more;

	if (all->room - all->len < len) {
		size_t room = all->room * 2 + len + 32768;

		more = room <= DUMP_MAX ? realloc(all->at, room) : NULL;
		if (!more) {
			all->failed = true;
			return false;
		}
		all->at = more;
		all->room = room;
	}
	memcpy(all->at + all->len, m, m->nlmsg_len);
	all->len += len;
	return true;
}

static bool same_message(const struct nlmsghdr *theirs, const struct nlmsghdr *ours)
{
	return covers(attrs_of(theirs), attrs_of(ours), NO_TIMEOUT);
}

/* The number of a set is the transaction's alone; its timeout is a time. */
static bool same_set(const struct nlmsghdr *theirs, const struct nlmsghdr *ours)
{
	struct attrs their = attrs_of(theirs), our = attrs_of(ours);
	const struct nlattr *attr, *other;

	for (attr = our.first; attr_within(attr, our.end); attr = mnl_attr_next(attr)) {
		uint16_t type = mnl_attr_get_type(attr);

		if (type == NFTA_SET_ID)
			continue;
		other = nth(their, type, 0);
		if (!other || !same_attr(other, attr, our, NFTA_SET_TIMEOUT))
			return false;
	}
	return true;
}

/* Comparing. */

struct diff {
	const struct nl *nl;
	bool v6;
	const char *table;
	struct messages ours, *theirs; /* theirs: the rules */
	char *out;
	size_t room;
	int *refused;
	struct err *e;
};

static void say(const struct diff *d, const struct nlmsghdr *m, const char *what)
{
	bool rule = type_of(m) == NFT_MSG_NEWRULE;
	char name[NFT_COMMENT + 64];

	nft_name(m, name, sizeof(name));
	(void)snprintf(d->out, d->room, "%s%s%s%s %s", name, rule ? " of chain \"" : "",
		       rule ? string(m, NFTA_RULE_CHAIN) : "", rule ? "\"" : "", what);
}

static bool differs(const struct diff *d)
{
	return d->out[0];
}

static bool is_later(const struct messages *all, const char *chain, const struct nlmsghdr *after,
		     const struct nlmsghdr *wanted, bool wanted_is_ours)
{
	while ((after = next_rule(all, chain, after)))
		if (wanted_is_ours ? same_message(after, wanted) : same_message(wanted, after))
			return true;
	return false;
}

static void explain(const struct diff *d, const char *chain, const struct nlmsghdr *their,
		    const struct nlmsghdr *our)
{
	if (!their || (our && is_later(&d->ours, chain, our, their, false)))
		say(d, our, "is missing");
	else if (!our || is_later(d->theirs, chain, their, our, true))
		say(d, their, "is not ours");
	else
		say(d, our, "was changed");
}

static void compare_rules(const struct diff *d, const char *chain)
{
	const struct nlmsghdr *our = next_rule(&d->ours, chain, NULL);
	const struct nlmsghdr *their = next_rule(d->theirs, chain, NULL);

	while (our && their && same_message(their, our)) {
		our = next_rule(&d->ours, chain, our);
		their = next_rule(d->theirs, chain, their);
	}
	if (our || their)
		explain(d, chain, their, our);
}

/* A set, a chain: asked for by its name. */
static bool compare_named(const struct diff *d, const struct nlmsghdr *our, uint16_t get,
			  uint16_t table, uint16_t name)
{
	char memory[NFT_REQUEST];
	auto_messages found = { 0 };
	struct nft b;
	bool same;
	int refused = 0;

	nft_ask_begin(&b, memory, sizeof(memory), d->v6, d->table, get, NLM_F_ACK);
	nft_put_str(&b, table, d->table);
	nft_put_str(&b, name, string(our, name));
	if (!nft_ask(d->nl, &b, keep, &found, &refused, d->e) && refused != ENOENT) {
		if (d->refused)
			*d->refused = refused;
		return false;
	}
	if (refused == ENOENT || !found.len) {
		err_clear(d->e);
		say(d, our, "is missing");
		return true;
	}
	same = get == NFT_MSG_GETSET ? same_set(first(&found), our)
				     : same_message(first(&found), our);
	if (!same)
		say(d, our, "was changed");
	return true;
}

static bool compare_message(const struct diff *d, const struct nlmsghdr *our)
{
	switch (type_of(our)) {
	case NFT_MSG_NEWSET:
		return compare_named(d, our, NFT_MSG_GETSET, NFTA_SET_TABLE, NFTA_SET_NAME);
	case NFT_MSG_NEWCHAIN:
		if (!compare_named(d, our, NFT_MSG_GETCHAIN, NFTA_CHAIN_TABLE, NFTA_CHAIN_NAME))
			return false;
		if (!differs(d))
			compare_rules(d, string(our, NFTA_CHAIN_NAME));
		return true;
	default:
		return true;
	}
}

static bool is_ours(const struct diff *d, uint16_t type, uint16_t name, const char *value)
{
	const struct nlmsghdr *m = NULL;

	while ((m = next(&d->ours, m)))
		if (type_of(m) == type && strcmp(string(m, name), value) == 0)
			return true;
	return false;
}

static void find_strange_rules(const struct diff *d)
{
	const struct nlmsghdr *m = NULL;

	while (!differs(d) && (m = next(d->theirs, m)))
		if (!is_ours(d, NFT_MSG_NEWCHAIN, NFTA_CHAIN_NAME, string(m, NFTA_RULE_CHAIN)))
			say(d, m, "is not ours");
}

/* Sets, or chains, of the table that are none of ours: also those without a rule. */
static bool find_strange(const struct diff *d, uint16_t get, uint16_t type, uint16_t table,
			 uint16_t name)
{
	auto_messages all = { 0 };
	const struct nlmsghdr *m = NULL;
	char memory[NFT_REQUEST];
	struct nft b;

	nft_ask_begin(&b, memory, sizeof(memory), d->v6, d->table, get, NLM_F_DUMP);
	nft_put_str(&b, table, d->table);
	if (!nft_ask(d->nl, &b, keep, &all, d->refused, d->e))
		return false;
	while (!differs(d) && (m = next(&all, m)))
		if (strcmp(string(m, table), d->table) == 0 &&
		    !is_ours(d, type, name, string(m, name)))
			say(d, m, "is not ours");
	return true;
}

static bool find_strangers(const struct diff *d)
{
	find_strange_rules(d);
	return (differs(d) || find_strange(d, NFT_MSG_GETCHAIN, NFT_MSG_NEWCHAIN, NFTA_CHAIN_TABLE,
					   NFTA_CHAIN_NAME)) &&
	       (differs(d) ||
		find_strange(d, NFT_MSG_GETSET, NFT_MSG_NEWSET, NFTA_SET_TABLE, NFTA_SET_NAME));
}

static bool dump_rules(const struct diff *d)
{
	char memory[NFT_REQUEST];
	struct nft b;

	nft_ask_begin(&b, memory, sizeof(memory), d->v6, d->table, NFT_MSG_GETRULE, NLM_F_DUMP);
	nft_put_str(&b, NFTA_RULE_TABLE, d->table);
	return nft_ask(d->nl, &b, keep, d->theirs, d->refused, d->e) &&
	       (!d->theirs->failed || err_set(d->e, ERR_STEER, "the table's rules are too many"));
}

bool nftdiff(const struct nl *nl, const struct nft *built, char *difference, size_t room,
	     int *refused, struct err *e)
{
	auto_messages theirs = { 0 };
	struct diff d = { .nl = nl,
			  .v6 = built->v6,
			  .table = built->table,
			  .ours = { .at = built->at, .len = built->len },
			  .theirs = &theirs,
			  .out = difference,
			  .room = room,
			  .refused = refused,
			  .e = e };
	const struct nlmsghdr *m = NULL;
	bool asked = dump_rules(&d);

	difference[0] = '\0';
	while (asked && !differs(&d) && (m = next(&d.ours, m)))
		asked = compare_message(&d, m);
	return asked && find_strangers(&d);
}
