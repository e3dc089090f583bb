/* SPDX-License-Identifier: Apache-2.0 */
/* nftdiff.c: compares an installed table with a batch. */
#include "nft/nftdiff.h"
#include "nft/attr.h"
#include "nft/nftsame.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netfilter/nfnetlink.h>
#include <stdio.h>
#include <string.h>

enum { SURPLUS = 256 }; /* so many rules, or chains and sets, of others are read */

struct diff {
	const struct nl *nl;
	bool v6;
	const char *table;
	const struct nl_messages *ours;
	char *out;
	size_t room;
	int *refused;
	struct err *e;
};

static uint16_t type_of(const struct nlmsghdr *m)
{
	return m->nlmsg_type & 0xff;
}

/* The value of a string attribute; "": there is none. */
static const char *name_in(const struct nlmsghdr *m, uint16_t type)
{
	const struct nlattr *attr = attr_find(m, sizeof(struct nfgenmsg), type);

	return attr ? mnl_attr_get_str(attr) : "";
}

static void say_difference(const struct diff *d, const struct nlmsghdr *m, const char *what)
{
	bool rule = type_of(m) == NFT_MSG_NEWRULE;
	char name[NFT_COMMENT + 64];

	nft_name(m, name, sizeof(name));
	(void)snprintf(d->out, d->room, "%s%s%s%s %s", name, rule ? " of chain \"" : "",
		       rule ? name_in(m, NFTA_RULE_CHAIN) : "", rule ? "\"" : "", what);
}

static bool differs(const struct diff *d)
{
	return d->out[0];
}

/* Rules, in order, chain by chain. */

/* The rule after `m` in a chain (NULL: the first), or NULL. */
static const struct nlmsghdr *next_rule(const struct nl_messages *all, const char *chain,
					const struct nlmsghdr *m)
{
	while ((m = nl_next(all, m)))
		if (type_of(m) == NFT_MSG_NEWRULE &&
		    strcmp(name_in(m, NFTA_RULE_CHAIN), chain) == 0)
			break;
	return m;
}

static bool is_later(const struct nl_messages *all, const char *chain, const struct nlmsghdr *after,
		     const struct nlmsghdr *wanted, bool wanted_is_ours)
{
	while ((after = next_rule(all, chain, after)))
		if (wanted_is_ours ? nft_same(after, wanted) : nft_same(wanted, after))
			return true;
	return false;
}

static void explain_chain(const struct diff *d, const struct nl_messages *theirs, const char *chain,
			  const struct nlmsghdr *their, const struct nlmsghdr *our)
{
	if (!their || (our && is_later(d->ours, chain, our, their, false)))
		say_difference(d, our, "is missing");
	else if (!our || is_later(theirs, chain, their, our, true))
		say_difference(d, their, "is not ours");
	else
		say_difference(d, our, "was changed");
}

/* The rules of one chain; a question about it gets only those. */
static bool compare_rules(const struct diff *d, const char *chain)
{
	const struct nft_request question = { .v6 = d->v6,
					      .table = d->table,
					      .get = NFT_MSG_GETRULE,
					      .all = true,
					      .name_as = NFTA_RULE_CHAIN,
					      .name = chain };
	const struct nlmsghdr *our = next_rule(d->ours, chain, NULL), *their;
	auto_messages theirs = { 0 };

	if (!nft_dump(d->nl, &question, &theirs, d->refused, d->e))
		return false;
	their = next_rule(&theirs, chain, NULL);
	while (our && their && nft_same(their, our)) {
		our = next_rule(d->ours, chain, our);
		their = next_rule(&theirs, chain, their);
	}
	if (our || their)
		explain_chain(d, &theirs, chain, their, our);
	return true;
}

/* Sets and chains, by name. */

static const struct kind {
	uint16_t made, get, name;
} a_set = { NFT_MSG_NEWSET, NFT_MSG_GETSET, NFTA_SET_NAME },
  a_chain = { NFT_MSG_NEWCHAIN, NFT_MSG_GETCHAIN, NFTA_CHAIN_NAME };

/* How many of our messages make objects of this kind. */
static uint32_t count_made(const struct diff *d, uint16_t made)
{
	const struct nlmsghdr *m = NULL;
	uint32_t n = 0;

	while ((m = nl_next(d->ours, m)))
		n += type_of(m) == made;
	return n;
}

/* Asks for the object of that name, or (NULL) for all of the table. */
static bool ask(const struct diff *d, const struct kind *kind, const char *name,
		struct nl_messages *answer, int *refused)
{
	const struct nft_request question = { .v6 = d->v6,
					      .table = d->table,
					      .get = kind->get,
					      .all = !name,
					      .name_as = kind->name,
					      .name = name };

	return nft_dump(d->nl, &question, answer, refused, d->e);
}

static bool compare_named(const struct diff *d, const struct kind *kind, const struct nlmsghdr *our,
			  struct nl_messages *found)
{
	const struct nlmsghdr *their;
	int refused = 0;

	if (!ask(d, kind, name_in(our, kind->name), found, &refused) && refused != ENOENT) {
		*d->refused = refused;
		return false;
	}
	if (refused)
		err_clear(d->e);
	their = nl_next(found, NULL);
	if (!their)
		say_difference(d, our, "is missing");
	else if (!nft_same(their, our))
		say_difference(d, our, "was changed");
	return true;
}

/* Whether the chain has so many more rules and jumps to it than ours that they are not read. */
static bool is_filled(const struct diff *d, const struct nlmsghdr *chain)
{
	const struct nlattr *n = attr_find(chain, sizeof(struct nfgenmsg), NFTA_CHAIN_USE);

	return n && ntohl(mnl_attr_get_u32(n)) > count_made(d, NFT_MSG_NEWRULE) + SURPLUS;
}

static bool compare_chain(const struct diff *d, const struct nlmsghdr *our)
{
	auto_messages found = { 0 };

	if (!compare_named(d, &a_chain, our, &found))
		return false;
	if (!differs(d) && is_filled(d, nl_next(&found, NULL)))
		say_difference(d, our, "was filled: it has more rules than are read");
	return differs(d) || compare_rules(d, name_in(our, NFTA_CHAIN_NAME));
}

static bool compare_set(const struct diff *d, const struct nlmsghdr *our)
{
	auto_messages found = { 0 };

	return compare_named(d, &a_set, our, &found);
}

static bool compare_rulesets(const struct diff *d)
{
	const struct nlmsghdr *m = NULL;
	bool done = true;

	while (done && !differs(d) && (m = nl_next(d->ours, m)))
		if (type_of(m) == NFT_MSG_NEWSET)
			done = compare_set(d, m);
		else if (type_of(m) == NFT_MSG_NEWCHAIN)
			done = compare_chain(d, m);
	return done;
}

/* Objects that we did not make. */

static bool is_wanted(const struct diff *d, const struct kind *kind, const char *name)
{
	const struct nlmsghdr *m = NULL;

	while ((m = nl_next(d->ours, m)))
		if (type_of(m) == kind->made && strcmp(name_in(m, kind->name), name) == 0)
			return true;
	return false;
}

static bool find_strange_kind(const struct diff *d, const struct kind *kind)
{
	auto_messages all = { 0 };
	const struct nlmsghdr *m = NULL;

	if (differs(d))
		return true;
	if (!ask(d, kind, NULL, &all, d->refused))
		return false;
	while (!differs(d) && (m = nl_next(&all, m)))
		if (!is_wanted(d, kind, name_in(m, kind->name)))
			say_difference(d, m, "is not ours");
	return true;
}

/* All of ours are there. The table's count tells whether there are others. */
static bool find_strange(const struct diff *d)
{
	uint32_t ours = count_made(d, NFT_MSG_NEWSET) + count_made(d, NFT_MSG_NEWCHAIN);
	struct nft_table_found found;

	if (differs(d))
		return true;
	if (!nft_find_table(d->nl, d->v6, d->table, &found, d->refused, d->e))
		return false;
	if (found.n > ours + SURPLUS)
		(void)snprintf(d->out, d->room,
			       "table \"%s\" was filled: it has more chains and sets than are read",
			       d->table);
	return found.n <= ours || (find_strange_kind(d, &a_chain) && find_strange_kind(d, &a_set));
}

bool nftdiff(const struct nl *nl, const struct nft *built, char *difference, size_t room,
	     int *refused, struct err *e)
{
	const struct nl_messages ours = { .at = built->at, .len = built->len };
	int ignored = 0;
	struct diff d = { .nl = nl,
			  .v6 = built->v6,
			  .table = built->table,
			  .ours = &ours,
			  .out = difference,
			  .room = room,
			  .refused = refused ? refused : &ignored,
			  .e = e };

	difference[0] = '\0';
	return compare_rulesets(&d) && find_strange(&d);
}
